/* SPDX-License-Identifier: Apache-2.0
 *
 * addon.cc: what index.js sees. It is the only caller and has checked every argument.
 *
 * Each environment (the main thread's and every worker's) initialises the addon anew and gets a CpuProfiler of its own,
 * which the functions receive as their data pointer: Node-API has instance data from version 6 on only, and Node 12.14
 * has 5. It goes when the environment does, before its isolate: a sampling thread that outlives it would crash.
 */
#include <napi.h>
#include <node_version.h>

#include <memory>

#include "cpu_profiler.h"
#include "encode_worker.h"
#include "errors.h"

namespace pyprof {
namespace {

using Handle = Napi::External<std::shared_ptr<Profile>>;

CpuProfiler *ProfilerOf(const Napi::CallbackInfo &info) { return static_cast<CpuProfiler *>(info.Data()); }

const std::shared_ptr<Profile> &ProfileOf(const Napi::CallbackInfo &info) { return *info[0].As<Handle>().Data(); }

// start(keep: boolean, intervalMicros: number, lineNumbers: boolean): void
void Start(const Napi::CallbackInfo &info) {
  CpuProfiler *profiler = ProfilerOf(info);
  if (profiler->running()) {
    MakeError(info.Env(), "ALREADY_STARTED", "a profile is running already: stop it first")
        .ThrowAsJavaScriptException();
    return;
  }
  const StartOptions options = {
      info[0].As<Napi::Boolean>() ? Policy::kKeep : Policy::kRecreate,
      info[1].As<Napi::Number>().Int32Value(),
      info[2].As<Napi::Boolean>(),
  };
  if (!profiler->Start(options))
    MakeError(info.Env(), "INVALID", "V8 refused to start a profile").ThrowAsJavaScriptException();
}

// stop(): handle
Napi::Value Stop(const Napi::CallbackInfo &info) {
  CpuProfiler *profiler = ProfilerOf(info);
  if (!profiler->running()) {
    MakeError(info.Env(), "NOT_STARTED", "no profile is running: start one first").ThrowAsJavaScriptException();
    return Napi::Value();
  }
  pp_error error = {};
  std::shared_ptr<Profile> profile = profiler->Stop(&error);
  if (profile == nullptr) {
    MakeError(info.Env(), error).ThrowAsJavaScriptException();
    return Napi::Value();
  }
  return Handle::New(info.Env(), new std::shared_ptr<Profile>(std::move(profile)),
                     [](Napi::Env, std::shared_ptr<Profile> *owned) { delete owned; });
}

// encode(handle): Promise<Buffer>
Napi::Value Encode(const Napi::CallbackInfo &info) {
  EncodeWorker *worker = new EncodeWorker(info.Env(), ProfileOf(info));
  const Napi::Promise promise = worker->promise();
  worker->Queue();
  return promise;
}

// encodeSync(handle): Buffer
Napi::Value EncodeSync(const Napi::CallbackInfo &info) {
  pp_error error = {};
  const pp_bytes *bytes = ProfileOf(info)->Encode(&error);
  if (bytes == nullptr) {
    MakeError(info.Env(), error).ThrowAsJavaScriptException();
    return Napi::Value();
  }
  return MakeBuffer(info.Env(), *bytes);
}

// Uses nothing of V8's: index.js compares `abi` before any function that does is called.
Napi::Object Init(Napi::Env env, Napi::Object exports) {
  CpuProfiler *profiler = new CpuProfiler();
  env.AddCleanupHook([](CpuProfiler *owned) { delete owned; }, profiler);
  exports.Set("abi", Napi::Number::New(env, NODE_MODULE_VERSION));
  exports.Set("builtFor", NODE_VERSION);
  exports.Set("start", Napi::Function::New(env, Start, "start", profiler));
  exports.Set("stop", Napi::Function::New(env, Stop, "stop", profiler));
  exports.Set("encode", Napi::Function::New(env, Encode, "encode"));
  exports.Set("encodeSync", Napi::Function::New(env, EncodeSync, "encodeSync"));
  return exports;
}

} // namespace
} // namespace pyprof

// The symbol that Node looks up. The usual macro registers by a static constructor as well, which on Node 12 takes
// precedence and fails when workers alone have loaded the addon, ended, and others load it again.
extern "C" NAPI_MODULE_EXPORT napi_value NAPI_MODULE_INITIALIZER(napi_env env, napi_value exports) {
  return Napi::RegisterModule(env, exports, pyprof::Init);
}
