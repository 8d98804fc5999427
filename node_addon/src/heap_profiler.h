/* SPDX-License-Identifier: Apache-2.0
 *
 * heap_profiler.h: V8's sampling heap profiler, one per isolate: where what is alive was allocated.
 */
#ifndef PYPROF_HEAP_PROFILER_H
#define PYPROF_HEAP_PROFILER_H

#include <pp.h>
#include <v8.h>

#include <string>

namespace pyprof {

// Belongs to the isolate's thread. Others (the inspector, --heap-prof) use V8's too: what they have started is theirs.
class HeapSampler {
public:
  explicit HeapSampler(v8::Isolate *isolate) : isolate_(isolate) {}
  ~HeapSampler() { Stop(); }
  HeapSampler(const HeapSampler &) = delete;
  HeapSampler &operator=(const HeapSampler &) = delete;

  // False if V8 refused, as it does while anybody samples.
  bool Start(int interval_bytes, int stack_depth);
  void Stop(); // does nothing if it is off

  // A builder with the sample types objects/count and space/bytes that the caller owns, or nullptr: what is alive now,
  // as V8 scales it up from its samples. Without what was allocated in, or by callees of, files whose names contain
  // `ignored_path`, unless that is empty. Only while it is on.
  pp_builder *Take(const std::string &ignored_path, pp_error *error) const;

private:
  v8::Isolate *const isolate_;
  int interval_bytes_ = 0; // 0: it is off
};

} // namespace pyprof

#endif
