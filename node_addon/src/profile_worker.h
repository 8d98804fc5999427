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

// Owns itself from Queue() on. Not by Napi::Promise::Deferred, which is full of chance where no promise can be made: in
// a worker that is being terminated.
class ProfileWorker : public Napi::AsyncWorker {
public:
  // For as long as the handle scope of the constructor's caller lasts; empty where it could not be made.
  Napi::Value promise() const { return Napi::Value(Env(), promise_); }

protected:
  ProfileWorker(Napi::Env env, const char *name, std::shared_ptr<Profile> profile)
      : AsyncWorker(env, name), profile_(std::move(profile)) {
    napi_create_promise(env, &deferred_, &promise_);
  }

  // On a thread of libuv's pool. False, with the error filled in, if it failed.
  virtual bool Work(Profile *profile, pp_error *error) = 0;
  // On the loop: what the promise is resolved with.
  virtual Napi::Value Result(Profile *profile) = 0;

private:
  void Execute() override {
    if (!Work(profile_.get(), &error_))
      SetError(error_.message);
  }
  // Both fail where JavaScript has ended.
  void OnOK() override { napi_resolve_deferred(Env(), deferred_, Result(profile_.get())); }
  // error_ knows the code as well, which the argument has lost
  void OnError(const Napi::Error &) override {
    napi_reject_deferred(Env(), deferred_, MakeError(Env(), error_).Value());
  }

  napi_deferred deferred_ = nullptr;
  napi_value promise_ = nullptr;
  const std::shared_ptr<Profile> profile_;
  pp_error error_ = {};
};

} // namespace pyprof

#endif
