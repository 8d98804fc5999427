/* SPDX-License-Identifier: Apache-2.0
 *
 * checked.h: sums of sample values, which must never wrap.
 */
#ifndef PP_CHECKED_H
#define PP_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

/* *sum += value; false, and nothing changed, when the result does not fit. */
static inline bool pp_add(int64_t *sum, int64_t value) {
  if (value > 0 ? *sum > INT64_MAX - value : *sum < INT64_MIN - value)
    return false;
  *sum += value;
  return true;
}

static inline uint64_t pp_magnitude(int64_t value) { return value < 0 ? 0 - (uint64_t)value : (uint64_t)value; }

#endif
