/* SPDX-License-Identifier: Apache-2.0
 *
 * v8_compat.h: the differences between V8 7.7 (Node 12.14) and 14.6 (Node 26), in one place. Those within one ABI (72:
 * Node 12.14 has V8 7.7, 12.19 has 7.8) are decided when the addon runs, for one binary serves both.
 */
#ifndef PYPROF_V8_COMPAT_H
#define PYPROF_V8_COMPAT_H

#include <dlfcn.h>
#include <v8-profiler.h>
#include <v8.h>

#include <cstdlib>

namespace pyprof {

// Whether V8 keeps the code that a CpuProfiler has logged until that is disposed of, again for each profile (V8 bug
// 11051). Mended in 9.0; 9.4 (Node 16.20) is the first that was measured.
inline bool V8KeepsLoggedCode() {
  char *end = nullptr;
  const long major = std::strtol(v8::V8::GetVersion(), &end, 10);
  return major < 9 || (major == 9 && std::strtol(end + 1, nullptr, 10) < 4);
}

// A CpuProfiler that logs code as it is compiled, also while no profile runs; nullptr where V8 (7.7) has no such thing.
// The headers of 7.7 do not declare it, and its symbol is missing there.
inline v8::CpuProfiler *NewEagerProfiler(v8::Isolate *isolate, v8::CpuProfilingNamingMode naming) {
  using New = v8::CpuProfiler *(*)(v8::Isolate *, v8::CpuProfilingNamingMode, int logging);
  static const int kEagerLogging = 1;
  void *symbol = dlsym(RTLD_DEFAULT, "_ZN2v811CpuProfiler3NewEPNS_7IsolateENS_22CpuProfilingNamingModeENS_"
                                     "23CpuProfilingLoggingModeE");
  return symbol != nullptr ? reinterpret_cast<New>(symbol)(isolate, naming, kEagerLogging) : nullptr;
}

// Starts a profile that records up to `max_samples` one by one besides adding up all. Only V8 9 and later tell of a
// failure; before, it shows when the profile is stopped.
inline bool StartProfiling(v8::CpuProfiler *profiler, v8::Local<v8::String> title, v8::CpuProfilingMode mode,
                           unsigned max_samples) {
  const bool record_samples = max_samples > 0;
#if V8_MAJOR_VERSION >= 9
  return profiler->StartProfiling(title, mode, record_samples, max_samples) == v8::CpuProfilingStatus::kStarted;
#else
  profiler->StartProfiling(title, mode, record_samples, max_samples);
  return true;
#endif
}

// For V8 7.7 alone: starts a profile of its own interval, rounded up to a multiple of the profiler's. From 7.8 on the
// options have another layout under the same symbol, so that the headers of the one do not serve the other.
inline bool StartSlowProfile(v8::CpuProfiler *profiler, v8::Local<v8::String> title, int interval_micros) {
  struct Options {
    int mode;
    unsigned max_samples; // recorded one by one
    int interval_micros;
  };
  using Start = void (*)(v8::CpuProfiler *, v8::Local<v8::String>, Options);
  void *symbol = dlsym(RTLD_DEFAULT, "_ZN2v811CpuProfiler14StartProfilingENS_5LocalINS_6StringEEENS_"
                                     "19CpuProfilingOptionsE");
  if (symbol == nullptr)
    return false;
  reinterpret_cast<Start>(symbol)(profiler, title, {v8::kLeafNodeLineNumbers, 0, interval_micros});
  return true;
}

// The number of the script that an error occurred in.
inline int ScriptIdOf(v8::Local<v8::Message> message) {
#if V8_MAJOR_VERSION >= 9
  return message->GetScriptOrigin().ScriptId();
#else
  return static_cast<int>(message->GetScriptOrigin().ScriptID()->Value());
#endif
}

// The executing column of a line tick, from 1; 0 where V8 does not know it.
inline int TickColumn(const v8::CpuProfileNode::LineTick &tick) {
#if V8_MAJOR_VERSION >= 14
  return tick.column;
#else
  static_cast<void>(tick);
  return 0;
#endif
}

} // namespace pyprof

#endif
