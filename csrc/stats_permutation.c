/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_permutation.c: the sign-flip test of pairs.
 *
 * R. A. Fisher, "The design of experiments", 1935, section 21: where x and y do not differ, the sign of every x - y
 * could as well be the other one. p is the share of the 2^n sign patterns whose sum is at least as extreme as the
 * observed one. Up to 32 pairs all patterns are counted: the sums of the patterns of each half of the pairs are sorted,
 * and one walk through both counts those that reach a sum together. Beyond, random patterns, and (b + 1)/(m + 1), which
 * is never too small (B. Phipson, G. K. Smyth, "Permutation p-values should never be zero", Statistical Applications in
 * Genetics and Molecular Biology 9, 2010).
 * Limits: differences that are symmetric where x and y do not differ. The least two-sided p is 2/2^n: with 5 pairs
 * nothing is ever below 0.0625. Sums that rounding alone keeps apart count as equal.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "rng.h"
#include "stats_common.h"
#include "status.h"

static int compare_sums(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* The sorted sums of all 2^n sign patterns; the caller frees. */
static double *all_sums(const double *d, size_t n) {
  double *sums = malloc(sizeof *sums << n);
  if (!sums)
    return NULL;
  sums[0] = 0;
  for (size_t i = 0, count = 1; i < n; i++, count *= 2)
    for (size_t k = 0; k < count; k++) {
      sums[count + k] = sums[k] - d[i];
      sums[k] += d[i];
    }
  qsort(sums, (size_t)1 << n, sizeof *sums, compare_sums);
  return sums;
}

/* The share of sign patterns with a sum of at least `least`. */
static pp_status exact_share(const double *d, size_t n, double least, double *out, pp_error *error) {
  size_t half = n / 2, n_left = (size_t)1 << half, n_right = (size_t)1 << (n - half);
  double *left = all_sums(d, half), *right = left ? all_sums(d + half, n - half) : NULL;
  uint64_t count = 0;
  for (size_t i = 0, j = n_right; right && i < n_left; i++) {
    while (j > 0 && left[i] + right[j - 1] >= least)
      j--;
    count += n_right - j;
  }
  free(left);
  free(right);
  *out = ldexp((double)count, -(int)n);
  return right ? PP_OK : pp_fail_memory(error);
}

static double random_sum(const double *d, size_t n, pp_rng *rng) {
  double sum = 0;
  uint64_t signs = 0;
  for (size_t i = 0; i < n; i++, signs >>= 1) {
    if (i % 64 == 0)
      signs = pp_rng_next(rng);
    sum += signs & 1 ? d[i] : -d[i];
  }
  return sum;
}

static double random_share(const double *d, size_t n, double least, bool two_sided, size_t n_resamples, uint64_t seed) {
  pp_rng rng = pp_rng_seeded(seed);
  size_t count = 0;
  for (size_t i = 0; i < n_resamples; i++) {
    double sum = random_sum(d, n, &rng);
    count += (two_sided ? fabs(sum) : sum) >= least;
  }
  return ((double)count + 1) / ((double)n_resamples + 1);
}

/* `d`: differences, the sum of which is `sum`, and which rounding changes that by at most `rounding` */
static pp_status flip(const double *d, size_t n, double sum, double rounding, pp_alternative alternative,
                      size_t n_resamples, uint64_t seed, pp_permutation *out, pp_error *error) {
  bool two_sided = alternative == PP_TWO_SIDED;
  /* every pattern has its opposite: sums of at most -s are as many as those of at least s */
  double least = (two_sided ? fabs(sum) : alternative == PP_GREATER ? sum : -sum) - rounding;
  if (n > PP_PERMUTATION_EXACT_N) {
    out->n_resamples = (double)n_resamples;
    out->pvalue = random_share(d, n, least, two_sided, n_resamples, seed);
    return PP_OK;
  }
  out->exact = true;
  out->n_resamples = ldexp(1, (int)n);
  pp_status status = exact_share(d, n, least, &out->pvalue, error);
  if (two_sided)
    out->pvalue = least > 0 ? 2 * out->pvalue : 1;
  return status;
}

pp_status pp_stats_permutation_test(const double *x, const double *y, size_t n, pp_alternative alternative,
                                    size_t n_resamples, uint64_t seed, pp_permutation *out, pp_error *error) {
  pp_status status = pp_stats_check_values("x", x, n, 2, error);
  if (!status)
    status = pp_stats_check_values("y", y, n, 2, error);
  if (status)
    return status;
  if (n_resamples < 1 || n_resamples > PP_MAX_RESAMPLES)
    return pp_fail(error, PP_INVALID, 0, "n_resamples is %zu, but must lie between 1 and %d", n_resamples,
                   PP_MAX_RESAMPLES);
  double *d = malloc(n * sizeof *d);
  if (!d)
    return pp_fail_memory(error);
  double magnitude = 0, sum = 0;
  for (size_t i = 0; i < n; i++) {
    d[i] = (x[i] - y[i]) / (double)n; /* so that sums are means, and as finite as the differences */
    magnitude = fmax(magnitude, fmax(fabs(x[i]), fabs(y[i])));
    sum += d[i];
  }
  *out = (pp_permutation){.statistic = sum};
  if (isfinite(sum))
    status = flip(d, n, sum, 4 * DBL_EPSILON * magnitude, alternative, n_resamples, seed, out, error);
  else
    status = pp_fail(error, PP_INVALID, 0, "the values are too large: a difference exceeds a double");
  free(d);
  return status;
}
