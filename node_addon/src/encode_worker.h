/* SPDX-License-Identifier: Apache-2.0
 *
 * encode_worker.h: encodes a profile off the event loop.
 */
#ifndef PYPROF_ENCODE_WORKER_H
#define PYPROF_ENCODE_WORKER_H

#include <napi.h>

#include <memory>

#include "profile.h"

namespace pyprof {

Napi::Value MakeBuffer(Napi::Env env, const pp_bytes &bytes); // a copy

// Owns itself from Queue() on.
class EncodeWorker : public Napi::AsyncWorker {
public:
  EncodeWorker(Napi::Env env, std::shared_ptr<Profile> profile);
  Napi::Promise promise() const { return deferred_.Promise(); } // of a Buffer

private:
  void Execute() override; // on a thread of libuv's pool
  void OnOK() override;
  void OnError(const Napi::Error &) override;

  const Napi::Promise::Deferred deferred_;
  const std::shared_ptr<Profile> profile_;
  const pp_bytes *bytes_ = nullptr; // lent by profile_
  pp_error error_ = {};
};

} // namespace pyprof

#endif
