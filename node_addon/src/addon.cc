/* SPDX-License-Identifier: Apache-2.0
 *
 * addon.cc: what index.js sees. It is the only caller and has checked every argument.
 *
 * Each environment (the main thread's and every worker's) initialises the addon anew and gets profilers of its own,
 * which the functions receive as their data pointer: Node-API has instance data from version 6 on only, and Node 12.14
 * has 5. They go when the environment does, before its isolate: a sampling thread that outlives it would crash, and so
 * would V8 (in Node 24) if it still sampled the heap then.
 */
#include <napi.h>
#include <node_version.h>

#include <memory>
#include <utility>
#include <vector>

#include "cpu_profiler.h"
#include "encode_worker.h"
#include "errors.h"
#include "heap_profiler.h"
#include "places_worker.h"
#include "signal_guard.h"
#include "walk_worker.h"

namespace pyprof {
namespace {

using Handle = Napi::External<std::shared_ptr<Profile>>;

struct Environment {
  explicit Environment(v8::Isolate *isolate) : cpu(isolate), heap(isolate) {}

  CpuProfiler cpu;
  HeapSampler heap;
};

CpuProfiler *ProfilerOf(const Napi::CallbackInfo &info) { return &static_cast<Environment *>(info.Data())->cpu; }

HeapSampler *SamplerOf(const Napi::CallbackInfo &info) { return &static_cast<Environment *>(info.Data())->heap; }

const std::shared_ptr<Profile> &ProfileOf(const Napi::CallbackInfo &info) { return *info[0].As<Handle>().Data(); }

Napi::Value NewHandle(Napi::Env env, std::shared_ptr<Profile> profile) {
  return Handle::New(env, new std::shared_ptr<Profile>(std::move(profile)),
                     [](Napi::Env, std::shared_ptr<Profile> *owned) { delete owned; });
}

bool RefusedAsRunning(const Napi::CallbackInfo &info) {
  if (!ProfilerOf(info)->running())
    return false;
  MakeError(info.Env(), "ALREADY_STARTED", "a profile is running already: stop it first").ThrowAsJavaScriptException();
  return true;
}

Policy PolicyOf(const Napi::Value &value) { return static_cast<Policy>(value.As<Napi::Number>().Int32Value()); }

v8::CpuProfilingNamingMode NamingOf(const Napi::Value &standard) {
  return standard.As<Napi::Boolean>() ? v8::kStandardNaming : v8::kDebugNaming;
}

// prepare(policy: number, standardNames: boolean): void
void Prepare(const Napi::CallbackInfo &info) {
  if (!RefusedAsRunning(info))
    ProfilerOf(info)->Prepare(PolicyOf(info[0]), NamingOf(info[1]));
}

// start(policy: number, intervalMicros: number, maxTimed: number, and six booleans as below): void
//
// Not an object, whose properties cannot be read any more where a worker is being terminated: node-addon-api would end
// the process then.
void Start(const Napi::CallbackInfo &info) {
  if (RefusedAsRunning(info))
    return;
  const auto is = [&](size_t i) { return info[i].As<Napi::Boolean>().Value(); };
  StartOptions options = {};
  options.policy = PolicyOf(info[0]);
  options.naming = NamingOf(info[3]);
  options.sampling = {info[1].As<Napi::Number>(), is(4), info[2].As<Napi::Number>()};
  options.walk.line_numbers = is(5);
  options.walk.omit_program = is(6);
  options.walk.omit_idle = is(7);
  options.walk.omit_gc = is(8);
  if (!ProfilerOf(info)->Start(options))
    MakeError(info.Env(), "INVALID", "V8 refused to start a profile").ThrowAsJavaScriptException();
}

// stop(): handle
Napi::Value Stop(const Napi::CallbackInfo &info) {
  CpuProfiler *profiler = ProfilerOf(info);
  if (!profiler->running()) {
    MakeError(info.Env(), "NOT_STARTED", "no profile is running: start one first").ThrowAsJavaScriptException();
    return Napi::Value();
  }
  std::shared_ptr<Profile> profile = profiler->Stop();
  if (profile == nullptr) {
    MakeError(info.Env(), "INVALID", "V8 returned no profile").ThrowAsJavaScriptException();
    return Napi::Value();
  }
  return NewHandle(info.Env(), std::move(profile));
}

// forget(handle): void; after encode or encodeSync, and while no other is under way
void Forget(const Napi::CallbackInfo &info) { ProfileOf(info)->Forget(); }

// tick(): void
void Tick(const Napi::CallbackInfo &info) {
  if (!ProfilerOf(info)->running())
    ProfilerOf(info)->Tick();
}

// state(): {running: boolean, logging: string, heldBytes: number, releaseMillis: number}
Napi::Value State(const Napi::CallbackInfo &info) {
  static const char *const kLogging[] = {"lazy", "eager", "keep-alive"};
  CpuProfiler *profiler = ProfilerOf(info);
  const V8Profiler *v8 = profiler->profiler();
  Napi::Object state = Napi::Object::New(info.Env());
  state.Set("running", profiler->running());
  state.Set("logging", v8 != nullptr ? kLogging[static_cast<int>(v8->logging())] : "none");
  state.Set("heldBytes", profiler->held_bytes());
  state.Set("releaseMillis", profiler->release_ms());
  return state;
}

// heapStart(intervalBytes: number, stackDepth: number): void
void HeapStart(const Napi::CallbackInfo &info) {
  if (!SamplerOf(info)->Start(info[0].As<Napi::Number>(), info[1].As<Napi::Number>()))
    MakeError(info.Env(), "ALREADY_STARTED", "V8's heap profiler is in use already").ThrowAsJavaScriptException();
}

// heapStop(): void
void HeapStop(const Napi::CallbackInfo &info) { SamplerOf(info)->Stop(); }

// heapProfile(ignoredPath: string): handle
Napi::Value HeapProfile(const Napi::CallbackInfo &info) {
  pp_error error = {};
  pp_builder *builder = SamplerOf(info)->Take(info[0].As<Napi::String>().Utf8Value(), &error);
  if (builder == nullptr) {
    MakeError(info.Env(), error).ThrowAsJavaScriptException();
    return Napi::Value();
  }
  return NewHandle(info.Env(), std::make_shared<Profile>(builder));
}

// What the worker promises of a profile.
template <typename Worker>
Napi::Value PromiseOf(const Napi::CallbackInfo &info) {
  std::unique_ptr<Worker> worker(new Worker(info.Env(), ProfileOf(info)));
  const Napi::Value promise = worker->promise();
  if (!promise.IsEmpty()) // or nobody would know when it is done
    worker.release()->Queue();
  return promise;
}

// walk(handle): Promise<void>, when V8's tree has been read and given back; once, after stop
Napi::Value WalkTree(const Napi::CallbackInfo &info) { return PromiseOf<WalkWorker>(info); }

// places(handle): Promise<places>, as lib/source_maps/places.js has them; before it is encoded
Napi::Value ReadPlaces(const Napi::CallbackInfo &info) { return PromiseOf<PlacesWorker>(info); }

// placesSync(handle): places
Napi::Value ReadPlacesSync(const Napi::CallbackInfo &info) {
  Places places;
  pp_error error = {};
  if (ProfileOf(info)->ReadPlaces(&places, &error))
    return MakePlaces(info.Env(), places);
  MakeError(info.Env(), error).ThrowAsJavaScriptException();
  return Napi::Value();
}

// movePlaces(handle, places): void
void MovePlaces(const Napi::CallbackInfo &info) {
  Places places;
  if (ReadPlaces(info[1].As<Napi::Object>(), &places))
    ProfileOf(info)->MovePlaces(std::move(places));
}

// encode(handle): Promise<Buffer>
Napi::Value Encode(const Napi::CallbackInfo &info) { return PromiseOf<EncodeWorker>(info); }

// encodeSync(handle): Buffer
Napi::Value EncodeSync(const Napi::CallbackInfo &info) {
  pp_error error = {};
  const pp_bytes *bytes = ProfileOf(info)->Encode(&error);
  if (bytes == nullptr) {
    MakeError(info.Env(), error).ThrowAsJavaScriptException();
    return Napi::Value();
  }
  ProfileOf(info)->Release();
  return MakeBuffer(info.Env(), *bytes);
}

// startSignalGuard(act: () => void): void; once in a process, before the three below
void StartGuard(const Napi::CallbackInfo &info) { StartSignalGuard(info.Env(), info[0].As<Napi::Function>()); }

// guardSignal(signal: number): void
void GuardOne(const Napi::CallbackInfo &info) { GuardSignal(info[0].As<Napi::Number>()); }

// holdSignals(): void
void Hold(const Napi::CallbackInfo &) { HoldSignals(); }

// releaseSignals(): void
void ReleaseAll(const Napi::CallbackInfo &) { ReleaseSignals(); }

void CleanUp(Environment *environment) { delete environment; }

// index.js compares `abi` before it calls any function: until then, nothing of V8's is used that ever changed.
Napi::Object Init(Napi::Env env, Napi::Object exports) {
  Environment *data = new Environment(v8::Isolate::GetCurrent());
  env.AddCleanupHook(CleanUp, data);
  exports.Set("abi", Napi::Number::New(env, NODE_MODULE_VERSION));
  exports.Set("builtFor", NODE_VERSION);
  exports.Set("prepare", Napi::Function::New(env, Prepare, "prepare", data));
  exports.Set("start", Napi::Function::New(env, Start, "start", data));
  exports.Set("stop", Napi::Function::New(env, Stop, "stop", data));
  exports.Set("forget", Napi::Function::New(env, Forget, "forget"));
  exports.Set("tick", Napi::Function::New(env, Tick, "tick", data));
  exports.Set("state", Napi::Function::New(env, State, "state", data));
  exports.Set("heapStart", Napi::Function::New(env, HeapStart, "heapStart", data));
  exports.Set("heapStop", Napi::Function::New(env, HeapStop, "heapStop", data));
  exports.Set("heapProfile", Napi::Function::New(env, HeapProfile, "heapProfile", data));
  exports.Set("walk", Napi::Function::New(env, WalkTree, "walk"));
  exports.Set("places", Napi::Function::New(env, ReadPlaces, "places"));
  exports.Set("placesSync", Napi::Function::New(env, ReadPlacesSync, "placesSync"));
  exports.Set("movePlaces", Napi::Function::New(env, MovePlaces, "movePlaces"));
  exports.Set("encode", Napi::Function::New(env, Encode, "encode"));
  exports.Set("encodeSync", Napi::Function::New(env, EncodeSync, "encodeSync"));
  exports.Set("startSignalGuard", Napi::Function::New(env, StartGuard, "startSignalGuard"));
  exports.Set("guardSignal", Napi::Function::New(env, GuardOne, "guardSignal"));
  exports.Set("holdSignals", Napi::Function::New(env, Hold, "holdSignals"));
  exports.Set("releaseSignals", Napi::Function::New(env, ReleaseAll, "releaseSignals"));
  return exports;
}

} // namespace
} // namespace pyprof

// The symbol that Node looks up. The usual macro registers by a static constructor as well, which on Node 12 takes
// precedence and fails when workers alone have loaded the addon, ended, and others load it again.
extern "C" NAPI_MODULE_EXPORT napi_value NAPI_MODULE_INITIALIZER(napi_env env, napi_value exports) {
  return Napi::RegisterModule(env, exports, pyprof::Init);
}
