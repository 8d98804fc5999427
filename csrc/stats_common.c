/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_common.c: checks of inputs, order and moments.
 *
 * Moments: the data are scaled by a power of two (exact), summed with Neumaier's compensation (A. Neumaier,
 * "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", ZAMM 54, 1974), and the squares are those
 * of the deviations, less the square of their own sum, which repairs the rounding of the mean (the corrected two-pass
 * algorithm: Chan, Golub, LeVeque, "Algorithms for computing the sample variance", The American Statistician 37, 1983).
 * Limit: data whose spread is below the rounding of their magnitude have no digits to find.
 */
#include "stats_common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"

pp_status pp_stats_check_values(const char *name, const double *x, size_t n, size_t minimum, pp_error *error) {
  if (n < minimum)
    return pp_fail(error, PP_INVALID, 0, "%s has %zu value%s, but at least %zu %s needed", name, n, n == 1 ? "" : "s",
                   minimum, minimum == 1 ? "is" : "are");
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i]))
      return pp_fail(error, PP_INVALID, 0, "%s[%zu] is %s, but only finite values can be used", name, i,
                     isnan(x[i]) ? "NaN" : "infinite");
  return PP_OK;
}

pp_status pp_stats_check_open_unit(const char *name, double value, pp_error *error) {
  if (value > 0 && value < 1)
    return PP_OK;
  return pp_fail(error, PP_INVALID, 0, "%s is %g, but must lie between 0 and 1", name, value);
}

pp_status pp_stats_check_alpha(double alpha, pp_error *error) {
  if (alpha > 0 && alpha < 0.5)
    return PP_OK;
  return pp_fail(error, PP_INVALID, 0, "alpha is %g, but must lie between 0 and 0.5", alpha);
}

static int compare_doubles(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

double *pp_stats_sorted(const double *x, size_t n, pp_error *error) {
  double *sorted = n && n <= SIZE_MAX / sizeof *x ? malloc(n * sizeof *x) : NULL;
  if (!sorted) {
    pp_fail_memory(error);
    return NULL;
  }
  memcpy(sorted, x, n * sizeof *x);
  qsort(sorted, n, sizeof *sorted, compare_doubles);
  return sorted;
}

double pp_stats_sorted_median(const double *sorted, size_t n) {
  size_t half = n / 2;
  return n % 2 ? sorted[half] : 0.5 * sorted[half - 1] + 0.5 * sorted[half];
}

typedef struct compensated_sum {
  double sum, lost;
} compensated_sum;

static void sum_add(compensated_sum *total, double value) {
  double sum = total->sum + value;
  total->lost += fabs(total->sum) >= fabs(value) ? (total->sum - sum) + value : (value - sum) + total->sum;
  total->sum = sum;
}

static double sum_value(compensated_sum total) { return total.sum + total.lost; }

/* The power of two by which values of up to `magnitude` become values of up to 1. */
static int exponent_of(double magnitude) {
  int exponent = 0;
  frexp(magnitude, &exponent);
  return exponent;
}

pp_moments pp_stats_moments(const double *x, size_t n) {
  double low = x[0], high = x[0];
  for (size_t i = 1; i < n; i++) {
    low = fmin(low, x[i]);
    high = fmax(high, x[i]);
  }
  pp_moments out = {.mean = x[0], .sd = n > 1 ? 0 : NAN, .magnitude = fmax(fabs(low), fabs(high))};
  if (low == high) /* said without arithmetic, so that rounding gives equal values no spread */
    return out;

  int scale = exponent_of(out.magnitude);
  compensated_sum total = {0, 0};
  for (size_t i = 0; i < n; i++)
    sum_add(&total, ldexp(x[i], -scale));
  double mean = sum_value(total) / (double)n;
  out.mean = ldexp(mean, scale);

  double farthest = fmax(ldexp(high, -scale) - mean, mean - ldexp(low, -scale));
  int spread = exponent_of(farthest);
  compensated_sum squares = {0, 0}, deviations = {0, 0};
  for (size_t i = 0; i < n; i++) {
    double deviation = ldexp(ldexp(x[i], -scale) - mean, -spread);
    sum_add(&deviations, deviation);
    sum_add(&squares, deviation * deviation);
  }
  double residue = sum_value(deviations);
  double sum_of_squares = sum_value(squares) - residue * residue / (double)n;
  out.sd = ldexp(sqrt(fmax(sum_of_squares, 0) / (double)(n - 1)), scale + spread);
  return out;
}

uint64_t pp_stats_key_of(double value) {
  uint64_t bits;
  value += 0.0; /* -0 becomes 0 */
  memcpy(&bits, &value, sizeof bits);
  return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

double pp_stats_value_of_key(uint64_t key) {
  double value;
  uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
  memcpy(&value, &bits, sizeof value);
  return value;
}
