/* SPDX-License-Identifier: Apache-2.0
 *
 * v8_profiler.h: one v8::CpuProfiler, and how it learns of code.
 */
#ifndef PYPROF_V8_PROFILER_H
#define PYPROF_V8_PROFILER_H

#include <memory>

#include "malloc_gaps.h"
#include "v8_compat.h"

namespace pyprof {

enum class Logging {
  kLazy,      // while a profile runs; each start walks the heap for the code that is there already
  kEager,     // as long as the profiler lives; only its creation walks the heap
  kKeepAlive, // the same on V8 7.7, which has no eager logging: a slow profile runs at all times
};

struct DeleteProfile {
  void operator()(v8::CpuProfile *profile) const { profile->Delete(); }
};
using V8Profile = std::unique_ptr<v8::CpuProfile, DeleteProfile>;

// The call trees of one profile. Each goes before its profiler, on the loop.
struct V8Trees {
  V8Profile definitions; // nodes know the line of their function's definition; nullptr if V8 had refused to start
  V8Profile calls;       // the same samples; nodes know the line that called them. nullptr if not asked for
};

struct Sampling {
  int interval_micros;
  bool call_lines;
  unsigned max_timed; // samples to note one by one, with their times, in the tree of calls if there is one
};

// At most one profile at a time. All of it belongs to the isolate's thread.
class V8Profiler {
public:
  // `eager` becomes kEager or kKeepAlive. `keep_gaps`: see malloc_gaps.h.
  V8Profiler(v8::Isolate *isolate, bool eager, v8::CpuProfilingNamingMode naming, bool keep_gaps);
  ~V8Profiler(); // not while a profile runs
  V8Profiler(const V8Profiler &) = delete;
  V8Profiler &operator=(const V8Profiler &) = delete;

  Logging logging() const { return logging_; }
  v8::CpuProfilingNamingMode naming() const { return naming_; }

  bool Start(const Sampling &sampling); // false if V8 refused; nothing has changed then
  V8Trees Stop();

private:
  bool StartBoth(const Sampling &sampling);
  v8::Local<v8::String> Title(const char *text) const;

  v8::Isolate *const isolate_;
  const v8::CpuProfilingNamingMode naming_;
  MallocGaps gaps_;
  bool call_lines_ = false; // of the profile that runs
  Logging logging_ = Logging::kLazy;
  v8::CpuProfiler *profiler_ = nullptr;
};

} // namespace pyprof

#endif
