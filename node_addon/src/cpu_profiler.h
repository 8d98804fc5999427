/* SPDX-License-Identifier: Apache-2.0
 *
 * cpu_profiler.h: profiling in one environment: which V8 profiler serves a profile, and what becomes of it.
 */
#ifndef PYPROF_CPU_PROFILER_H
#define PYPROF_CPU_PROFILER_H

#include <pp.h>

#include <chrono>
#include <memory>
#include <vector>

#include "auto_rule.h"
#include "profile.h"
#include "script_count.h"
#include "v8_profiler.h"

namespace pyprof {

enum class Policy { // in the order of index.js
  kRecreate,        // a V8 profiler is created for each profile and disposed of after it
  kKeep,            // one serves all profiles of the environment
  kEager,           // the same, and logs code as it is compiled
  kAuto,            // kEager, within a budget of memory, unless code is made so fast that kRecreate is cheaper
};

struct StartOptions {
  Policy policy;
  v8::CpuProfilingNamingMode naming;
  Sampling sampling;
  WalkOptions walk; // the times are filled in by Stop()
};

// At most one profile at a time. Belongs to the environment's thread, and must be destroyed before its isolate is: a
// profile that is running then is dropped, and so is what has not been walked yet.
class CpuProfiler {
public:
  explicit CpuProfiler(v8::Isolate *isolate) : isolate_(isolate) {}
  ~CpuProfiler();
  CpuProfiler(const CpuProfiler &) = delete;
  CpuProfiler &operator=(const CpuProfiler &) = delete;

  bool running() const { return running_; }
  const V8Profiler *profiler() const { return profiler_.get(); } // nullptr if there is none now
  double release_ms() const {
    return *release_ms_;
  }                    // what giving trees back took of the loop besides Start() and Stop()
  double held_bytes(); // an estimate of what V8 keeps for the code that the profiler has logged eagerly

  // All but Stop(): only while not running.

  // For kEager and kAuto: has the profiler created, so that it knows all code that is compiled from now on.
  void Prepare(Policy policy, v8::CpuProfilingNamingMode naming);

  // False if V8 refused; nothing has changed then.
  bool Start(const StartOptions &options);

  // Only while running; not running afterwards, come what may. nullptr if V8 had refused to start. The caller has the
  // profile walked, and released on this thread.
  std::shared_ptr<Profile> Stop();

  // For kAuto: to be called every few seconds. Gives up a profiler that costs too much.
  void Tick();

private:
  bool Serves(Policy policy, v8::CpuProfilingNamingMode naming);
  bool PerProfile(Policy policy) const;
  void CountIdle();
  void Ready(Policy policy, v8::CpuProfilingNamingMode naming);
  void Settle(size_t n_pending);

  v8::Isolate *const isolate_;
  std::shared_ptr<V8Profiler> profiler_;
  std::vector<std::weak_ptr<Profile>> pending_; // stopped, and maybe not released yet; the oldest first
  const std::shared_ptr<double> release_ms_ = std::make_shared<double>(0); // profiles may outlive this
  StartOptions options_ = {};
  bool running_ = false;
  std::chrono::system_clock::time_point started_at_; // the calendar's time, for time_nanos
  std::chrono::steady_clock::time_point started_;

  AutoRule rule_;
  ScriptCounter scripts_;
  int scripts_at_creation_ = 0; // of profiler_
};

} // namespace pyprof

#endif
