/* SPDX-License-Identifier: Apache-2.0
 *
 * encode_worker.h: encodes a profile off the event loop.
 */
#ifndef PYPROF_ENCODE_WORKER_H
#define PYPROF_ENCODE_WORKER_H

#include <napi.h>

#include <memory>

#include "profile_worker.h"

namespace pyprof {

Napi::Value MakeBuffer(Napi::Env env, const pp_bytes &bytes); // a copy

// Promises a Buffer.
class EncodeWorker : public ProfileWorker {
public:
  EncodeWorker(Napi::Env env, std::shared_ptr<Profile> profile);

private:
  bool Work(Profile *profile, pp_error *error) override;
  Napi::Value Result(Profile *profile) override;

  const pp_bytes *bytes_ = nullptr; // lent by the profile
};

} // namespace pyprof

#endif
