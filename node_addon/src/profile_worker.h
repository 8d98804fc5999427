/* SPDX-License-Identifier: Apache-2.0
 *
 * profile_worker.h: what is done with a profile off the event loop and promised to JavaScript.
 */
#ifndef PYPROF_PROFILE_WORKER_H
#define PYPROF_PROFILE_WORKER_H

#include <napi.h>

#include <memory>
#include <utility>

#include "errors.h"
#include "profile.h"

namespace pyprof {

// Owns itself from Queue() on.
class ProfileWorker : public Napi::AsyncWorker {
public:
  Napi::Promise promise() const { return deferred_.Promise(); }

protected:
  ProfileWorker(Napi::Env env, const char *name, std::shared_ptr<Profile> profile)
      : AsyncWorker(env, name), deferred_(Napi::Promise::Deferred::New(env)), profile_(std::move(profile)) {}

  // On a thread of libuv's pool. False, with the error filled in, if it failed.
  virtual bool Work(Profile *profile, pp_error *error) = 0;
  // On the loop: what the promise is resolved with.
  virtual Napi::Value Result(Profile *profile) = 0;

private:
  void Execute() override {
    if (!Work(profile_.get(), &error_))
      SetError(error_.message);
  }
  void OnOK() override { deferred_.Resolve(Result(profile_.get())); }
  // error_ knows the code as well, which the argument has lost
  void OnError(const Napi::Error &) override { deferred_.Reject(MakeError(Env(), error_).Value()); }

  const Napi::Promise::Deferred deferred_;
  const std::shared_ptr<Profile> profile_;
  pp_error error_ = {};
};

} // namespace pyprof

#endif
