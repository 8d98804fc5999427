/* SPDX-License-Identifier: Apache-2.0
 *
 * walk_worker.h: reads a stopped profile's tree off the event loop, and gives it back to V8 on it.
 */
#ifndef PYPROF_WALK_WORKER_H
#define PYPROF_WALK_WORKER_H

#include <napi.h>

#include <memory>
#include <utility>

#include "profile_worker.h"

namespace pyprof {

// Promises undefined, when both are done.
class WalkWorker : public ProfileWorker {
public:
  WalkWorker(Napi::Env env, std::shared_ptr<Profile> profile) : ProfileWorker(env, "pyprof.walk", std::move(profile)) {}

private:
  bool Work(Profile *profile, pp_error *) override {
    profile->Walk();
    return true; // a failure is told to those who want to encode it
  }

  Napi::Value Result(Profile *profile) override {
    profile->ReleaseInTurn();
    return Env().Undefined();
  }
};

} // namespace pyprof

#endif
