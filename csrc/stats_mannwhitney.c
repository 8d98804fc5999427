/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_mannwhitney.c: the Mann-Whitney U test (Wilcoxon's rank-sum test).
 *
 * H. B. Mann, D. R. Whitney, "On a test of whether one of two random variables is stochastically larger than the
 * other", Annals of Mathematical Statistics 18, 1947. Exact: the distribution of the rank sum over all ways to deal the
 * observed ranks, equal values sharing their mean rank (stats_ranks.c). Asymptotic: normal, with the variance reduced
 * for ties (E. L. Lehmann, "Nonparametrics", 1975, 1.2) and a continuity correction of 1/2. Two-sided: twice the
 * smaller tail, at most 1.
 * Limits: independent values. It asks which sample tends to be larger, not whether means or medians differ. The least
 * two-sided p is 2/C(nx + ny, nx): with 3 against 3 nothing is ever below 0.1.
 */
#include <math.h>
#include <stdlib.h>

#include "stats_common.h"
#include "stats_ranks.h"
#include "status.h"

typedef struct pooled_value {
  double value;
  bool of_x;
} pooled_value;

typedef struct pooled_ranks { /* owned: free(.scores) */
  size_t *scores;             /* ascending: twice the rank, which counts from 0 */
  size_t sum_x;               /* of the scores of x */
  double ties;                /* sum of t^3 - t over groups of t equal values */
} pooled_ranks;

static int compare_pooled(const void *left, const void *right) {
  double a = ((const pooled_value *)left)->value, b = ((const pooled_value *)right)->value;
  return (a > b) - (a < b);
}

static pp_status rank_values(const double *x, size_t nx, const double *y, size_t ny, pooled_ranks *out,
                             pp_error *error) {
  size_t n = nx + ny;
  pooled_value *pooled = malloc(n * sizeof *pooled);
  out->scores = pooled ? malloc(n * sizeof *out->scores) : NULL;
  if (!out->scores) {
    free(pooled);
    return pp_fail_memory(error);
  }
  for (size_t i = 0; i < nx; i++)
    pooled[i] = (pooled_value){x[i], true};
  for (size_t i = 0; i < ny; i++)
    pooled[nx + i] = (pooled_value){y[i], false};
  qsort(pooled, n, sizeof *pooled, compare_pooled);
  out->sum_x = 0;
  out->ties = 0;
  for (size_t start = 0, end; start < n; start = end) {
    for (end = start + 1; end < n && pooled[end].value == pooled[start].value;)
      end++;
    for (size_t i = start; i < end; i++) {
      out->scores[i] = start + end - 1;
      out->sum_x += pooled[i].of_x ? out->scores[i] : 0;
    }
    double t = (double)(end - start);
    out->ties += t * t * t - t;
  }
  free(pooled);
  return PP_OK;
}

static pp_status exact_tails(const pooled_ranks *ranks, size_t nx, size_t ny, double *less, double *greater,
                             pp_error *error) {
  size_t n = nx + ny, sum_y = n * (n - 1) - ranks->sum_x;
  bool of_x = nx <= ny; /* the smaller sample's sum says the same with less work */
  pp_distribution sums;
  pp_status status = pp_ranks_of_subsets(ranks->scores, n, of_x ? nx : ny, &sums, error);
  if (status)
    return status;
  size_t sum = of_x ? ranks->sum_x : sum_y;
  double below = pp_ranks_below(&sums, sum), above = pp_ranks_above(&sums, sum);
  free(sums.weight);
  *less = log(of_x ? below : above);
  *greater = log(of_x ? above : below);
  return PP_OK;
}

static double normal_tail(double u, double nx, double ny, double ties) {
  double n = nx + ny, variance = nx * ny / 12 * (n + 1 - ties / (n * (n - 1)));
  return variance > 0 ? pp_stats_t_log_upper((u - nx * ny / 2 - 0.5) / sqrt(variance), INFINITY) : 0;
}

static bool choose_exact(pp_method method, size_t nx, size_t ny) {
  return method == PP_EXACT || (method == PP_AUTO && nx <= PP_MANNWHITNEY_AUTO_MAX / ny);
}

pp_status pp_stats_mannwhitneyu(const double *x, size_t nx, const double *y, size_t ny, pp_alternative alternative,
                                pp_method method, pp_mannwhitney *out, pp_error *error) {
  pp_status status = pp_stats_check_values("x", x, nx, 1, error);
  if (!status)
    status = pp_stats_check_values("y", y, ny, 1, error);
  if (status)
    return status;
  if (method == PP_EXACT && nx > PP_MANNWHITNEY_EXACT_MAX / ny)
    return pp_fail(error, PP_INVALID, 0, "%zu and %zu values are too many for an exact p: their product may be %d", nx,
                   ny, PP_MANNWHITNEY_EXACT_MAX);
  pooled_ranks ranks = {NULL, 0, 0};
  status = rank_values(x, nx, y, ny, &ranks, error);
  if (status)
    return status;
  double n_x = (double)nx, n_y = (double)ny, u = 0.5 * (double)ranks.sum_x - 0.5 * n_x * (n_x - 1);
  double less = normal_tail(n_x * n_y - u, n_x, n_y, ranks.ties), greater = normal_tail(u, n_x, n_y, ranks.ties);
  bool exact = choose_exact(method, nx, ny);
  if (exact)
    status = exact_tails(&ranks, nx, ny, &less, &greater, error);
  free(ranks.scores);
  if (status)
    return status;
  double log_pvalue = alternative == PP_LESS      ? less
                      : alternative == PP_GREATER ? greater
                                                  : fmin(fmin(less, greater) + log(2), 0);
  *out = (pp_mannwhitney){.statistic = u, .pvalue = exp(log_pvalue), .log_pvalue = log_pvalue, .exact = exact};
  return PP_OK;
}
