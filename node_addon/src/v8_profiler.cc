/* SPDX-License-Identifier: Apache-2.0 */
#include "v8_profiler.h"

namespace pyprof {
namespace {

// V8 keeps every title for as long as the CpuProfiler lives: these serve all profiles.
const char kTitle[] = "pyprof";
const char kCallsTitle[] = "pyprof calls";
const char kKeepAliveTitle[] = "pyprof keep-alive";

const int kKeepAliveMicros = 1000000;

} // namespace

V8Profiler::V8Profiler(v8::Isolate *isolate, bool eager, v8::CpuProfilingNamingMode naming, bool keep_gaps)
    : isolate_(isolate), naming_(naming), gaps_(keep_gaps) {
  const v8::HandleScope scope(isolate_);
  if (eager)
    profiler_ = NewEagerProfiler(isolate_, naming);
  if (profiler_ != nullptr) {
    logging_ = Logging::kEager;
    return;
  }
  profiler_ = v8::CpuProfiler::New(isolate_, naming);
  if (eager && StartSlowProfile(profiler_, Title(kKeepAliveTitle), kKeepAliveMicros))
    logging_ = Logging::kKeepAlive;
}

V8Profiler::~V8Profiler() {
  const v8::HandleScope scope(isolate_);
  if (logging_ == Logging::kKeepAlive)
    V8Profile(profiler_->StopProfiling(Title(kKeepAliveTitle))).reset();
  profiler_->Dispose();
}

bool V8Profiler::Start(const Sampling &sampling) {
  gaps_.BeforeStart();
  const bool started = StartBoth(sampling);
  gaps_.AfterStart();
  if (!started)
    gaps_.BeforeStop();
  return started;
}

bool V8Profiler::StartBoth(const Sampling &sampling) {
  const v8::HandleScope scope(isolate_);
  // V8 asks not to do this while a profile runs, as the one that keeps alive does. 7.7 only stores the number, reads it
  // when the next profile starts, and rounds the slow profile's interval up to a multiple of it.
  profiler_->SetSamplingInterval(sampling.interval_micros);
  call_lines_ = sampling.call_lines;
  const unsigned n = sampling.max_timed;
  if (!StartProfiling(profiler_, Title(kTitle), v8::kLeafNodeLineNumbers, call_lines_ ? 0 : n))
    return false;
  if (!call_lines_ || StartProfiling(profiler_, Title(kCallsTitle), v8::kCallerLineNumbers, n))
    return true;
  V8Profile(profiler_->StopProfiling(Title(kTitle))).reset();
  return false;
}

V8Trees V8Profiler::Stop() {
  const v8::HandleScope scope(isolate_);
  gaps_.BeforeStop();
  V8Trees trees;
  if (call_lines_)
    trees.calls.reset(profiler_->StopProfiling(Title(kCallsTitle)));
  trees.definitions.reset(profiler_->StopProfiling(Title(kTitle)));
  gaps_.AfterStop();
  return trees;
}

v8::Local<v8::String> V8Profiler::Title(const char *text) const {
  return v8::String::NewFromUtf8(isolate_, text, v8::NewStringType::kInternalized).ToLocalChecked();
}

} // namespace pyprof
