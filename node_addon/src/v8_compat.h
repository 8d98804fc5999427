/* SPDX-License-Identifier: Apache-2.0
 *
 * v8_compat.h: the differences between V8 7.7 (Node 12.14) and 14.6 (Node 26), in one place.
 */
#ifndef PYPROF_V8_COMPAT_H
#define PYPROF_V8_COMPAT_H

#include <v8-profiler.h>
#include <v8.h>

namespace pyprof {

// Starts a profile with definition lines and without a record of each sample. Only V8 9 and later tell of a failure;
// before, it shows when the profile is stopped.
inline bool StartProfiling(v8::CpuProfiler *profiler, v8::Local<v8::String> title) {
#if V8_MAJOR_VERSION >= 9
  return profiler->StartProfiling(title, v8::kLeafNodeLineNumbers, false) == v8::CpuProfilingStatus::kStarted;
#else
  profiler->StartProfiling(title, v8::kLeafNodeLineNumbers, false);
  return true;
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
