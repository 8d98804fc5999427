/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu_profiler.h"

#include <utility>

namespace pyprof {
namespace {

const double kBytesPerScript = 700;     // what V8 keeps for a script that was logged, measured on 7.8 to 8.6
const double kHeldBytes = 32 * 1048576; // more than that is given back
const std::chrono::seconds kTicks{5};   // there was a Tick() within them, unless the loop is blocked
const size_t kMaxPending = 8;           // stopped profiles, if the pool is too busy to walk them

template <typename Duration>
int64_t Nanoseconds(Duration duration) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count();
}

double Now() { // seconds of a clock that only goes forward
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

CpuProfiler::~CpuProfiler() {
  if (running_)
    profiler_->Stop();
  for (const std::weak_ptr<Profile> &weak : pending_) {
    if (const std::shared_ptr<Profile> profile = weak.lock())
      profile->Release();
  }
}

double CpuProfiler::held_bytes() {
  if (profiler_ == nullptr || profiler_->logging() == Logging::kLazy || !V8KeepsLoggedCode())
    return 0;
  return kBytesPerScript * (scripts_.Recent(isolate_) - scripts_at_creation_);
}

void CpuProfiler::Prepare(Policy policy, v8::CpuProfilingNamingMode naming) {
  if (policy == Policy::kAuto)
    CountIdle();
  if ((policy == Policy::kEager || policy == Policy::kAuto) && !PerProfile(policy))
    Ready(policy, naming);
}

bool CpuProfiler::Start(const StartOptions &options) {
  if (options.policy == Policy::kAuto) {
    if (scripts_.Older(kTicks)) // else there is no need to make the start any longer
      CountIdle();
    v8::HeapStatistics heap;
    isolate_->GetHeapStatistics(&heap);
    rule_.Started(Now(), static_cast<double>(heap.used_heap_size()));
  }
  Ready(options.policy, options.naming);
  if (!profiler_->Start(options.sampling)) {
    if (PerProfile(options.policy))
      profiler_.reset();
    return false;
  }
  // Taken after V8's start, which blocks for as long as it takes to walk the heap: nothing is sampled meanwhile.
  started_at_ = std::chrono::system_clock::now();
  started_ = std::chrono::steady_clock::now();
  options_ = options;
  running_ = true;
  return true;
}

std::shared_ptr<Profile> CpuProfiler::Stop() {
  WalkOptions walk = options_.walk;
  walk.time_nanos = Nanoseconds(started_at_.time_since_epoch());
  walk.monotonic_nanos = Nanoseconds(started_.time_since_epoch());
  walk.duration_nanos = Nanoseconds(std::chrono::steady_clock::now() - started_);
  walk.period_nanos = int64_t{1000} * options_.sampling.interval_micros;

  V8Trees trees = profiler_->Stop();
  running_ = false;
  std::shared_ptr<V8Profiler> profiler = profiler_;
  if (PerProfile(options_.policy))
    profiler_.reset(); // the profile's own then: both go together
  if (options_.policy == Policy::kAuto)
    rule_.Stopped(Now());
  if (trees.definitions == nullptr)
    return nullptr;
  auto profile = std::make_shared<Profile>(std::move(profiler), std::move(trees), walk, release_ms_);
  Settle(kMaxPending - 1);
  pending_.push_back(profile);
  return profile;
}

void CpuProfiler::Tick() {
  CountIdle();
  if (profiler_ != nullptr && (PerProfile(Policy::kAuto) || held_bytes() > kHeldBytes))
    profiler_.reset();
}

// Whether `policy` has no profiler between two profiles. One that logs lazily and is kept leaks in some V8.
bool CpuProfiler::PerProfile(Policy policy) const {
  return policy == Policy::kRecreate || (policy == Policy::kAuto && !rule_.eager());
}

void CpuProfiler::CountIdle() { rule_.Idle(Now(), scripts_.Recent(isolate_)); }

// Whether the profiler that there is may take the next profile.
bool CpuProfiler::Serves(Policy policy, v8::CpuProfilingNamingMode naming) {
  if (PerProfile(policy) || profiler_->naming() != naming)
    return false;
  if ((profiler_->logging() == Logging::kLazy) != (policy == Policy::kKeep))
    return false;
  return policy != Policy::kAuto || held_bytes() <= kHeldBytes;
}

// Afterwards there is a profiler for `policy`.
void CpuProfiler::Ready(Policy policy, v8::CpuProfilingNamingMode naming) {
  if (profiler_ != nullptr && Serves(policy, naming))
    return;
  // The last one must be gone before the next is created: V8 logs everything again for each, and what it has logged
  // goes with the last. So a tree that is still to be walked is walked now.
  Settle(0);
  profiler_.reset();
  const bool eager = policy != Policy::kKeep && !PerProfile(policy);
  // Keeping a profiler is there to be measured as V8 has it.
  profiler_ = std::make_shared<V8Profiler>(isolate_, eager, naming, policy != Policy::kKeep);
  scripts_at_creation_ = eager ? scripts_.Now(isolate_) : 0;
}

// Releases what has been walked, and has the oldest walked until no more than `n_pending` are left.
void CpuProfiler::Settle(size_t n_pending) {
  std::vector<std::weak_ptr<Profile>> left;
  for (size_t i = 0; i < pending_.size(); ++i) {
    const std::shared_ptr<Profile> profile = pending_[i].lock();
    if (profile == nullptr)
      continue;
    if (pending_.size() - i > n_pending)
      profile->Walk();
    if (profile->walked())
      profile->Release();
    else
      left.push_back(profile);
  }
  pending_ = std::move(left);
}

} // namespace pyprof
