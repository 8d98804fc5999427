/* SPDX-License-Identifier: Apache-2.0
 *
 * cpu_profiler.h: the life cycle of V8's CpuProfiler in one environment.
 */
#ifndef PYPROF_CPU_PROFILER_H
#define PYPROF_CPU_PROFILER_H

#include <pp.h>

#include <chrono>
#include <memory>

#include "profile.h"
#include "v8_compat.h"

namespace pyprof {

enum class Policy {
  kRecreate, // a CpuProfiler is created for each profile and disposed of after it
  kKeep,     // one CpuProfiler serves all profiles of the environment
};

struct StartOptions {
  Policy policy;
  int interval_micros; // 1 or more
  bool line_numbers;
};

// At most one profile at a time. Belongs to the environment's thread, and must be destroyed before its isolate is: a
// profile that is running then is dropped.
class CpuProfiler {
public:
  CpuProfiler() = default;
  ~CpuProfiler();
  CpuProfiler(const CpuProfiler &) = delete;
  CpuProfiler &operator=(const CpuProfiler &) = delete;

  bool running() const { return running_; }

  // Not while running. False if V8 refused; nothing has changed then.
  bool Start(const StartOptions &options);

  // Only while running; not running afterwards, come what may. nullptr on failure.
  std::shared_ptr<Profile> Stop(pp_error *error);

private:
  struct Dispose {
    void operator()(v8::CpuProfiler *profiler) const { profiler->Dispose(); }
  };
  struct Delete {
    void operator()(v8::CpuProfile *profile) const { profile->Delete(); }
  };

  using V8Profile = std::unique_ptr<v8::CpuProfile, Delete>;

  V8Profile StopV8();
  v8::Local<v8::String> Title() const;

  v8::Isolate *isolate_ = nullptr; // known from the first Start() on
  std::unique_ptr<v8::CpuProfiler, Dispose> profiler_;
  StartOptions options_ = {};
  bool running_ = false;
  std::chrono::system_clock::time_point started_at_; // the calendar's time, for time_nanos
  std::chrono::steady_clock::time_point started_;
};

} // namespace pyprof

#endif
