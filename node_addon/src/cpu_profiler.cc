/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu_profiler.h"

#include "walk.h"

namespace pyprof {
namespace {

template <typename Duration>
int64_t Nanoseconds(Duration duration) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count();
}

} // namespace

CpuProfiler::~CpuProfiler() {
  if (running_)
    StopV8();
}

bool CpuProfiler::Start(const StartOptions &options) {
  isolate_ = v8::Isolate::GetCurrent();
  const v8::HandleScope scope(isolate_);
  if (options.policy == Policy::kRecreate)
    profiler_.reset(); // the one that an earlier kKeep left
  if (profiler_ == nullptr)
    profiler_.reset(v8::CpuProfiler::New(isolate_, v8::kDebugNaming));
  profiler_->SetSamplingInterval(options.interval_micros);
  if (!StartProfiling(profiler_.get(), Title())) {
    if (options.policy == Policy::kRecreate)
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

std::shared_ptr<Profile> CpuProfiler::Stop(pp_error *error) {
  WalkOptions walk = {};
  walk.time_nanos = Nanoseconds(started_at_.time_since_epoch());
  walk.duration_nanos = Nanoseconds(std::chrono::steady_clock::now() - started_);
  walk.period_nanos = int64_t{1000} * options_.interval_micros;
  walk.line_numbers = options_.line_numbers;

  V8Profile profile = StopV8();
  pp_builder *builder = nullptr;
  if (profile != nullptr)
    builder = Walk(profile.get(), walk, error);
  else
    *error = {PP_INVALID, 0, "V8 returned no profile"};
  profile.reset(); // before the profiler that it belongs to
  if (options_.policy == Policy::kRecreate)
    profiler_.reset();
  return builder != nullptr ? std::make_shared<Profile>(builder) : nullptr;
}

CpuProfiler::V8Profile CpuProfiler::StopV8() {
  const v8::HandleScope scope(isolate_);
  running_ = false;
  return V8Profile(profiler_->StopProfiling(Title()));
}

// Always the same one: V8 keeps every title for as long as the CpuProfiler lives.
v8::Local<v8::String> CpuProfiler::Title() const {
  return v8::String::NewFromUtf8(isolate_, "pyprof", v8::NewStringType::kInternalized).ToLocalChecked();
}

} // namespace pyprof
