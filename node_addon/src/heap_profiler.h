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

bool StartHeapSampling(v8::Isolate *isolate, int interval_bytes, int stack_depth); // false if V8 refused
void StopHeapSampling(v8::Isolate *isolate);

// A builder with the sample types objects/count and space/bytes that the caller owns, or nullptr: what is alive now, as
// V8 scales it up from its samples. Without what was allocated in, or by callees of, files whose names contain
// `ignored_path`, unless that is empty. Only while sampling.
pp_builder *TakeHeapProfile(v8::Isolate *isolate, int interval_bytes, const std::string &ignored_path, pp_error *error);

} // namespace pyprof

#endif
