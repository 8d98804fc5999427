/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_hodges_lehmann.c: the shift between two samples, and the centre of one, by medians of pairs.
 *
 * J. L. Hodges, E. L. Lehmann, "Estimates of location based on rank tests", Annals of Mathematical Statistics 34, 1963.
 * Two samples: the median of the nx ny differences; the interval runs from the k-th smallest to the k-th largest, k
 * being the largest that leaves at most half of 1 - confidence of the Mann-Whitney distribution below it. One sample:
 * the same with the n (n + 1)/2 Walsh averages and the signed-rank distribution (M. Hollander, D. A. Wolfe,
 * "Nonparametric statistical methods", 1973). Exact distributions while they are small (stats_ranks.c), then normal.
 * The order statistics are found without storing the pairs: both samples are sorted, so the pairs up to a value are
 * counted in one walk, and the value is bisected over the doubles.
 * Limits: the two samples differ by a shift alone; the one sample is symmetric. With ties the interval holds more than
 * it says. With few values (3 against 3 at 95 %) no pair is far enough out: the limits are infinite.
 */
#include <math.h>
#include <stdlib.h>

#include "stats_common.h"
#include "stats_ranks.h"
#include "status.h"

enum { EXACT_PAIRS = 2500, EXACT_SIGNED = 100 };

typedef struct pairs { /* both sorted; `y` is NULL for the Walsh averages of x */
  const double *x, *y;
  size_t nx, ny;
  uint64_t n_pairs;
} pairs;

static uint64_t differences_up_to(const pairs *in, double value) {
  uint64_t count = 0;
  for (size_t i = 0, j = 0; i < in->nx; i++) {
    while (j < in->ny && in->x[i] - in->y[j] > value)
      j++;
    count += in->ny - j;
  }
  return count;
}

static uint64_t averages_up_to(const pairs *in, double value) {
  uint64_t count = 0;
  for (size_t i = 0, end = in->nx; i < end; i++) {
    while (end > i && 0.5 * in->x[i] + 0.5 * in->x[end - 1] > value)
      end--;
    count += end - i;
  }
  return count;
}

/* The value of that rank, which counts from 0. */
static double pair_of_rank(const pairs *in, uint64_t rank) {
  double least = in->y ? in->x[0] - in->y[in->ny - 1] : in->x[0];
  double most = in->y ? in->x[in->nx - 1] - in->y[0] : in->x[in->nx - 1];
  uint64_t low = pp_stats_key_of(least), high = pp_stats_key_of(most);
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    double value = pp_stats_value_of_key(middle);
    if ((in->y ? differences_up_to(in, value) : averages_up_to(in, value)) > rank)
      high = middle;
    else
      low = middle + 1;
  }
  return pp_stats_value_of_key(low);
}

typedef struct cut { /* the interval leaves out the `rank` smallest and largest but one: 0, nothing can be left out */
  uint64_t rank;
  double outside; /* the probability of each side */
} cut;

static cut cut_exact(const pp_distribution *sums, size_t first, double share) {
  double below = 0;
  cut out = {0, 0};
  for (size_t s = first; s <= sums->largest; s++) {
    below += sums->weight[s] / sums->total;
    if (below > share * (1 + 1e-12)) /* 1 - 0.9 is not 0.1, by rounding */
      break;
    out = (cut){s - first + 1, below};
  }
  return out;
}

static cut cut_normal(double mean, double variance, double share) {
  double sd = sqrt(variance), rank = floor(mean + 0.5 + pp_stats_t_quantile(share, INFINITY) * sd);
  if (!(rank >= 1))
    return (cut){0, 0};
  return (cut){(uint64_t)rank, exp(pp_stats_t_log_upper((mean + 0.5 - rank) / sd, INFINITY))};
}

static pp_status cut_of_two(size_t nx, size_t ny, double share, cut *out, pp_error *error) {
  double n_x = (double)nx, n_y = (double)ny;
  *out = cut_normal(n_x * n_y / 2, n_x * n_y * (n_x + n_y + 1) / 12, share);
  if (nx > EXACT_PAIRS / ny)
    return PP_OK;
  size_t n = nx + ny, k = nx < ny ? nx : ny;
  size_t *scores = malloc(n * sizeof *scores);
  if (!scores)
    return pp_fail_memory(error);
  for (size_t i = 0; i < n; i++)
    scores[i] = i;
  pp_distribution sums;
  pp_status status = pp_ranks_of_subsets(scores, n, k, &sums, error);
  free(scores);
  if (status)
    return status;
  *out = cut_exact(&sums, k * (k - 1) / 2, share);
  free(sums.weight);
  return PP_OK;
}

static pp_status cut_of_one(size_t n, double share, cut *out, pp_error *error) {
  double count = (double)n;
  *out = cut_normal(count * (count + 1) / 4, count * (count + 1) * (2 * count + 1) / 24, share);
  if (n > EXACT_SIGNED)
    return PP_OK;
  pp_distribution sums;
  pp_status status = pp_ranks_signed(n, &sums, error);
  if (status)
    return status;
  *out = cut_exact(&sums, 0, share);
  free(sums.weight);
  return PP_OK;
}

static void measure(const pairs *in, cut outside, pp_shift *out) {
  double lower = pair_of_rank(in, (in->n_pairs - 1) / 2), upper = pair_of_rank(in, in->n_pairs / 2);
  *out = (pp_shift){.estimate = 0.5 * lower + 0.5 * upper,
                    .ci_low = outside.rank ? pair_of_rank(in, outside.rank - 1) : -INFINITY,
                    .ci_high = outside.rank ? pair_of_rank(in, in->n_pairs - outside.rank) : INFINITY,
                    .confidence = 1 - 2 * outside.outside};
}

pp_status pp_stats_hodges_lehmann(const double *x, size_t nx, const double *y, size_t ny, double confidence,
                                  pp_shift *out, pp_error *error) {
  cut outside;
  pp_status status = pp_stats_check_values("x", x, nx, 1, error);
  if (!status)
    status = pp_stats_check_values("y", y, ny, 1, error);
  if (!status)
    status = pp_stats_check_open_unit("confidence", confidence, error);
  if (!status)
    status = cut_of_two(nx, ny, (1 - confidence) / 2, &outside, error);
  if (status)
    return status;
  double *sorted_x = pp_stats_sorted(x, nx, error), *sorted_y = sorted_x ? pp_stats_sorted(y, ny, error) : NULL;
  if (!sorted_y)
    status = PP_NOMEM;
  else if (!isfinite(sorted_x[nx - 1] - sorted_y[0]) || !isfinite(sorted_x[0] - sorted_y[ny - 1]))
    status = pp_fail(error, PP_INVALID, 0, "the values are too large: a difference exceeds a double");
  else
    measure(&(pairs){sorted_x, sorted_y, nx, ny, (uint64_t)nx * ny}, outside, out);
  free(sorted_x);
  free(sorted_y);
  return status;
}

pp_status pp_stats_pseudomedian(const double *x, size_t n, double confidence, pp_shift *out, pp_error *error) {
  cut outside;
  pp_status status = pp_stats_check_values("x", x, n, 1, error);
  if (!status)
    status = pp_stats_check_open_unit("confidence", confidence, error);
  if (!status)
    status = cut_of_one(n, (1 - confidence) / 2, &outside, error);
  if (status)
    return status;
  double *sorted = pp_stats_sorted(x, n, error);
  if (!sorted)
    return PP_NOMEM;
  measure(&(pairs){sorted, NULL, n, 0, (uint64_t)n * (n + 1) / 2}, outside, out);
  free(sorted);
  return PP_OK;
}
