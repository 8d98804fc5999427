/* SPDX-License-Identifier: Apache-2.0
 *
 * walk_worker.h: reads a stopped profile's tree off the event loop, and gives it back to V8 on it.
 */
#ifndef PYPROF_WALK_WORKER_H
#define PYPROF_WALK_WORKER_H

#include <napi.h>

#include <memory>
#include <utility>

#include "profile.h"

namespace pyprof {

// Owns itself from Queue() on.
class WalkWorker : public Napi::AsyncWorker {
public:
  WalkWorker(Napi::Env env, std::shared_ptr<Profile> profile)
      : AsyncWorker(env, "pyprof.walk"), profile_(std::move(profile)) {}

private:
  void Execute() override { profile_->Walk(); } // on a thread of libuv's pool
  void OnOK() override { profile_->ReleaseInTurn(); }

  const std::shared_ptr<Profile> profile_;
};

} // namespace pyprof

#endif
