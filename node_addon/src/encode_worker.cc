/* SPDX-License-Identifier: Apache-2.0 */
#include "encode_worker.h"

#include <utility>

#include "errors.h"

namespace pyprof {

Napi::Value MakeBuffer(Napi::Env env, const pp_bytes &bytes) {
  return Napi::Buffer<uint8_t>::Copy(env, bytes.data, bytes.size);
}

EncodeWorker::EncodeWorker(Napi::Env env, std::shared_ptr<Profile> profile)
    : AsyncWorker(env, "pyprof.encode"), deferred_(Napi::Promise::Deferred::New(env)), profile_(std::move(profile)) {}

void EncodeWorker::Execute() {
  bytes_ = profile_->Encode(&error_);
  if (bytes_ == nullptr)
    SetError(error_.message);
}

// The walk's own worker may end later than this one: who has the bytes is to know that nothing else is to come.
void EncodeWorker::OnOK() {
  profile_->ReleaseInTurn();
  deferred_.Resolve(MakeBuffer(Env(), *bytes_));
}

// error_ knows the code as well, which the argument has lost
void EncodeWorker::OnError(const Napi::Error &) { deferred_.Reject(MakeError(Env(), error_).Value()); }

} // namespace pyprof
