/* SPDX-License-Identifier: Apache-2.0 */
#include "encode_worker.h"

#include <utility>

namespace pyprof {

Napi::Value MakeBuffer(Napi::Env env, const pp_bytes &bytes) {
  return Napi::Buffer<uint8_t>::Copy(env, bytes.data, bytes.size);
}

EncodeWorker::EncodeWorker(Napi::Env env, std::shared_ptr<Profile> profile)
    : ProfileWorker(env, "pyprof.encode", std::move(profile)) {}

bool EncodeWorker::Work(Profile *profile, pp_error *error) {
  bytes_ = profile->Encode(error);
  return bytes_ != nullptr;
}

// The walk's own worker may end later than this one: who has the bytes is to know that nothing else is to come.
Napi::Value EncodeWorker::Result(Profile *profile) {
  profile->ReleaseInTurn();
  return MakeBuffer(Env(), *bytes_);
}

} // namespace pyprof
