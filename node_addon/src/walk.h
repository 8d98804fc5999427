/* SPDX-License-Identifier: Apache-2.0
 *
 * walk.h: from V8's call tree to the core's builder.
 */
#ifndef PYPROF_WALK_H
#define PYPROF_WALK_H

#include <pp.h>

#include "v8_profiler.h"

namespace pyprof {

struct WalkOptions {
  int64_t time_nanos;                    // when the profile began, nanoseconds since 1970
  int64_t monotonic_nanos;               // the same by CLOCK_MONOTONIC
  int64_t duration_nanos;                // for how long V8 sampled
  int64_t period_nanos;                  // the interval that V8 was asked for
  bool line_numbers;                     // whether samples carry their executing lines
  bool omit_program, omit_idle, omit_gc; // V8's entries for time outside of JavaScript
};

// Hits that V8 noted one by one become samples with the label `timestamp`, in nanoseconds since 1970, and no line.
// A builder with the sample types samples/count and wall/nanoseconds that the caller owns, or nullptr. What goes wrong
// while frames are added is
// reported by pp_builder_encode.
pp_builder *Walk(const V8Trees &trees, const WalkOptions &options, pp_error *error);

} // namespace pyprof

#endif
