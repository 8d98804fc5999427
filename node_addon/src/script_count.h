/* SPDX-License-Identifier: Apache-2.0
 *
 * script_count.h: how many scripts an isolate has made.
 */
#ifndef PYPROF_SCRIPT_COUNT_H
#define PYPROF_SCRIPT_COUNT_H

#include <v8.h>

#include <chrono>

#include "v8_compat.h"

namespace pyprof {

// V8 numbers scripts as it makes them: the number of one that is made now is the only cheap and exact count of what
// eval, vm and new Function made as well. This one is no JavaScript, so that there is no code of it that an eager
// profiler would keep some bytes for: malloc puts those where V8's sampling buffer was (0.5 MB, allocated by each
// start), and the next does not fit there. With a script that was compiled, RSS grew by 0.5 MB per profile that malloc
// could not use.
class ScriptCounter {
public:
  // The count of at most a second ago.
  int Recent(v8::Isolate *isolate) { return Older(std::chrono::seconds(1)) ? Now(isolate) : count_; }

  // Whether the last count is longer ago.
  bool Older(std::chrono::seconds age) const { return !counted_ || Clock::now() - counted_at_ >= age; }

  int Now(v8::Isolate *isolate) {
    const v8::HandleScope scope(isolate);
    const v8::TryCatch error(isolate);
    v8::ScriptCompiler::Source source(
        v8::String::NewFromUtf8(isolate, ")", v8::NewStringType::kInternalized).ToLocalChecked());
    if (v8::ScriptCompiler::CompileUnboundScript(isolate, &source).IsEmpty() && !error.Message().IsEmpty())
      count_ = ScriptIdOf(error.Message());
    counted_ = true;
    counted_at_ = Clock::now();
    return count_;
  }

private:
  using Clock = std::chrono::steady_clock;

  int count_ = 0;
  bool counted_ = false;
  Clock::time_point counted_at_;
};

} // namespace pyprof

#endif
