/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_theil_sen.c: the median of the slopes of all pairs of points, with Sen's confidence interval.
 *
 * H. Theil, "A rank-invariant method of linear and polynomial regression analysis", 1950; P. K. Sen, "Estimates of the
 * regression coefficient based on Kendall's tau", JASA 63, 1968. Variance of Kendall's S with ties in both variables:
 * M. G. Kendall, "Rank Correlation Methods", 4th ed., 1970, 4.3.
 * The order statistics are found exactly and without storing the n^2/2 slopes: a few passes over them, each settling
 * the next bits of every wanted slope by counting: 16 bits, or 8 where the slopes are fewer than the counters would be.
 * Limits: the interval is the normal approximation and takes the points as independent: a slow transient or
 * autocorrelated noise makes it too narrow. With few points (fewer than 5 at 95 %) no slope is far enough out for the
 * confidence asked: that limit is infinite.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats_common.h"
#include "status.h"

enum { FEW_POINTS = 200 };

typedef struct wanted_slope {
  uint64_t rank; /* among those slopes that begin with `key`; 0 is the smallest */
  uint64_t key;  /* the leading bits found so far, then the whole of it */
} wanted_slope;

/* counts[w << digit_bits | d]: slopes that begin with the key of wanted[w], with d as the next digit */
static void count_digits(const double *x, const double *y, size_t n, const wanted_slope *wanted, size_t n_wanted,
                         int shift, int digit_bits, uint64_t *counts) {
  uint64_t mask = (UINT64_C(1) << digit_bits) - 1;
  memset(counts, 0, (n_wanted << digit_bits) * sizeof *counts);
  for (size_t i = 1; i < n; i++)
    for (size_t j = 0; j < i; j++) {
      if (x[i] == x[j])
        continue;
      uint64_t head = pp_stats_key_of((y[i] - y[j]) / (x[i] - x[j])) >> shift;
      for (size_t w = 0; w < n_wanted; w++)
        if (head >> digit_bits == wanted[w].key)
          counts[w << digit_bits | (head & mask)]++;
    }
}

static pp_status select_slopes(const double *x, const double *y, size_t n, wanted_slope *wanted, size_t n_wanted,
                               pp_error *error) {
  int digit_bits = n > FEW_POINTS ? 16 : 8;
  uint64_t *counts = malloc((n_wanted << digit_bits) * sizeof *counts);
  if (!counts)
    return pp_fail_memory(error);
  for (int shift = 64 - digit_bits; shift >= 0; shift -= digit_bits) {
    count_digits(x, y, n, wanted, n_wanted, shift, digit_bits, counts);
    for (size_t w = 0; w < n_wanted; w++) {
      const uint64_t *of_digit = counts + (w << digit_bits);
      uint64_t digit = 0;
      for (; wanted[w].rank >= of_digit[digit]; digit++)
        wanted[w].rank -= of_digit[digit];
      wanted[w].key = wanted[w].key << digit_bits | digit;
    }
  }
  free(counts);
  return PP_OK;
}

typedef struct ties { /* sums over groups of t equal values */
  double pairs;       /* t (t - 1) */
  double triples;     /* t (t - 1) (t - 2) */
  double weighted;    /* t (t - 1) (2 t + 5) */
} ties;

static ties count_ties(const double *sorted, size_t n) {
  ties out = {0, 0, 0};
  for (size_t start = 0, end; start < n; start = end) {
    for (end = start + 1; end < n && sorted[end] == sorted[start];)
      end++;
    double t = (double)(end - start);
    out.pairs += t * (t - 1);
    out.triples += t * (t - 1) * (t - 2);
    out.weighted += t * (t - 1) * (2 * t + 5);
  }
  return out;
}

static double kendall_variance(double n, ties of_x, ties of_y) {
  double variance = (n * (n - 1) * (2 * n + 5) - of_x.weighted - of_y.weighted) / 18;
  variance += of_x.pairs * of_y.pairs / (2 * n * (n - 1));
  if (n > 2)
    variance += of_x.triples * of_y.triples / (9 * n * (n - 1) * (n - 2));
  return fmax(variance, 0);
}

static pp_status check_points(const double *x, const double *y, size_t n, double confidence, pp_error *error) {
  if (n > PP_THEIL_SEN_MAX_N)
    return pp_fail(error, PP_INVALID, 0, "%zu points are too many for all pairs: use at most %d, by taking every k-th",
                   n, PP_THEIL_SEN_MAX_N);
  pp_status status = pp_stats_check_values("x", x, n, 2, error);
  if (!status)
    status = pp_stats_check_values("y", y, n, 2, error);
  return status ? status : pp_stats_check_open_unit("confidence", confidence, error);
}

static pp_status fit_line(const double *x, const double *y, size_t n, const double *sorted_x, const double *sorted_y,
                          double confidence, pp_slope *out, pp_error *error) {
  if (sorted_x[0] == sorted_x[n - 1])
    return pp_fail(error, PP_INVALID, 0, "all x are %g: there is no slope", sorted_x[0]);
  if (!isfinite(sorted_x[n - 1] - sorted_x[0]) || !isfinite(sorted_y[n - 1] - sorted_y[0]))
    return pp_fail(error, PP_INVALID, 0, "the values are too large: a difference exceeds a double");

  ties of_x = count_ties(sorted_x, n), of_y = count_ties(sorted_y, n);
  double n_slopes = ((double)n * ((double)n - 1) - of_x.pairs) / 2;
  double reach = -pp_stats_t_quantile((1 - confidence) / 2, INFINITY) * sqrt(kendall_variance((double)n, of_x, of_y));
  double low = rint((n_slopes - reach) / 2) - 1, high = rint((n_slopes + reach) / 2); /* ranks from 0 */
  bool bounded = low >= 0; /* and high < n_slopes then, by symmetry, but for a tie in rounding */
  high = fmin(high, n_slopes - 1);

  uint64_t total = (uint64_t)n_slopes;
  wanted_slope wanted[4] = {{.rank = (total - 1) / 2}, {.rank = total / 2}};
  if (bounded) {
    wanted[2].rank = (uint64_t)low;
    wanted[3].rank = (uint64_t)high;
  }
  pp_status status = select_slopes(x, y, n, wanted, bounded ? 4 : 2, error);
  if (status)
    return status;
  double slope = 0.5 * pp_stats_value_of_key(wanted[0].key) + 0.5 * pp_stats_value_of_key(wanted[1].key);
  *out = (pp_slope){.slope = slope,
                    .intercept = pp_stats_sorted_median(sorted_y, n) - slope * pp_stats_sorted_median(sorted_x, n),
                    .ci_low = bounded ? pp_stats_value_of_key(wanted[2].key) : -INFINITY,
                    .ci_high = bounded ? pp_stats_value_of_key(wanted[3].key) : INFINITY};
  if (!isfinite(out->slope) || !isfinite(out->intercept))
    return pp_fail(error, PP_INVALID, 0, "the slope or the intercept exceeds a double");
  return PP_OK;
}

pp_status pp_stats_theil_sen(const double *x, const double *y, size_t n, double confidence, pp_slope *out,
                             pp_error *error) {
  pp_status status = check_points(x, y, n, confidence, error);
  if (status)
    return status;
  double *sorted_x = pp_stats_sorted(x, n, error), *sorted_y = sorted_x ? pp_stats_sorted(y, n, error) : NULL;
  status = sorted_y ? fit_line(x, y, n, sorted_x, sorted_y, confidence, out, error) : PP_NOMEM;
  free(sorted_x);
  free(sorted_y);
  return status;
}
