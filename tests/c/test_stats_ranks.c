/* SPDX-License-Identifier: Apache-2.0
 *
 * Mann-Whitney, Hodges-Lehmann, and the distributions under them.
 */
#include <float.h>

#include "close.h"
#include "pp.h"
#include "stats_ranks.h"
#include "test.h"

static const double sleep_x[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2};
static const double sleep_y[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

static void smallest_pvalues(void) {
  const double x[] = {1, 2, 3, 4, 5}, y[] = {6, 7, 8, 9, 10}, wanted[] = {0.1, 0.0285714, 0.0079365};
  for (size_t n = 3; n <= 5; n++) {
    pp_mannwhitney test;
    CHECK(pp_stats_mannwhitneyu(x, n, y, n, PP_TWO_SIDED, PP_AUTO, &test, NULL) == PP_OK);
    CHECK(test.exact && test.statistic == 0 && fabs(test.pvalue - wanted[n - 3]) < 5e-8);
    CHECK(pp_stats_mannwhitneyu(x, n, y, n, PP_LESS, PP_AUTO, &test, NULL) == PP_OK);
    CHECK(fabs(test.pvalue - wanted[n - 3] / 2) < 5e-8);
    CHECK(pp_stats_mannwhitneyu(x, n, y, n, PP_GREATER, PP_AUTO, &test, NULL) == PP_OK && test.pvalue == 1);
  }
}

/* Every way to deal the values, one by one. */
static void same_as_enumeration(void) {
  const double values[] = {1, 1, 2, 2, 2, 3, 4, 4, 5, 6}; /* ties of 2, 3, 2 */
  enum { N = 10 };
  for (size_t nx = 1; nx < N; nx++) {
    double x[N], y[N], u_of[1 << N];
    size_t n_deals = 0;
    pp_mannwhitney test = {0};
    for (unsigned deal = 0; deal < 1 << N; deal++) {
      size_t ix = 0, iy = 0;
      for (size_t i = 0; i < N; i++)
        if (deal >> i & 1)
          x[ix++] = values[i];
        else
          y[iy++] = values[i];
      if (ix != nx)
        continue;
      u_of[n_deals] = 0;
      for (size_t i = 0; i < ix; i++)
        for (size_t j = 0; j < iy; j++)
          u_of[n_deals] += x[i] > y[j] ? 1 : x[i] == y[j] ? 0.5 : 0;
      n_deals++;
      CHECK(pp_stats_mannwhitneyu(x, nx, y, N - nx, PP_LESS, PP_EXACT, &test, NULL) == PP_OK);
      CHECK(test.statistic == u_of[n_deals - 1]);
    }
    double below = 0; /* of the last deal */
    for (size_t i = 0; i < n_deals; i++)
      below += u_of[i] <= test.statistic;
    CHECK(agrees(test.pvalue, below / (double)n_deals, 13));
  }
}

static void approximation(void) {
  double x[60], y[70];
  for (size_t i = 0; i < 60; i++)
    x[i] = (double)(i * 7 % 31);
  for (size_t i = 0; i < 70; i++)
    y[i] = (double)(i * 5 % 37);
  pp_mannwhitney exact, normal, automatic;
  CHECK(pp_stats_mannwhitneyu(x, 60, y, 70, PP_TWO_SIDED, PP_EXACT, &exact, NULL) == PP_OK && exact.exact);
  CHECK(pp_stats_mannwhitneyu(x, 60, y, 70, PP_TWO_SIDED, PP_AUTO, &automatic, NULL) == PP_OK);
  CHECK(pp_stats_mannwhitneyu(x, 60, y, 70, PP_TWO_SIDED, PP_ASYMPTOTIC, &normal, NULL) == PP_OK);
  CHECK(!normal.exact && automatic.pvalue == normal.pvalue && agrees(normal.pvalue, exact.pvalue, 3));

  static double low[40000], high[40000]; /* p underflows, its logarithm does not */
  for (size_t i = 0; i < COUNT(low); i++) {
    low[i] = (double)i;
    high[i] = (double)i + 1e6;
  }
  CHECK(pp_stats_mannwhitneyu(low, COUNT(low), high, COUNT(high), PP_TWO_SIDED, PP_AUTO, &normal, NULL) == PP_OK);
  CHECK(normal.pvalue == 0 && normal.log_pvalue < -10000 && isfinite(normal.log_pvalue));
}

static void all_equal(void) {
  const double x[] = {5, 5, 5};
  static double many[200];
  pp_mannwhitney test;
  CHECK(pp_stats_mannwhitneyu(x, 3, x, 2, PP_TWO_SIDED, PP_AUTO, &test, NULL) == PP_OK);
  CHECK(test.pvalue == 1 && test.log_pvalue == 0 && test.statistic == 3);
  CHECK(pp_stats_mannwhitneyu(many, 200, many, 200, PP_LESS, PP_AUTO, &test, NULL) == PP_OK && test.pvalue == 1);
}

static void hodges_lehmann_of_sleep(void) {
  pp_shift shift;
  CHECK(pp_stats_hodges_lehmann(sleep_x, 10, sleep_y, 10, 0.95, &shift, NULL) == PP_OK);
  CHECK(agrees(shift.estimate, -1.35, 15));
  CHECK(shift.ci_low < -1.35 && shift.ci_high > -1.35 && shift.confidence >= 0.95 && shift.confidence < 0.97);
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static double middle(const double *sorted, size_t n) { return 0.5 * sorted[(n - 1) / 2] + 0.5 * sorted[n / 2]; }

/* The walks against a sort of all pairs. */
static void same_as_sorting(void) {
  enum { N = 40 };
  unsigned state = 1;
  for (size_t nx = 1; nx < N; nx += 3)
    for (size_t ny = 1; ny < N; ny += 4) {
      double x[N], y[N], pairs[N * N];
      for (size_t i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        x[i] = ldexp((double)(int)state, (int)nx - 20);
        state = state * 1664525u + 1013904223u;
        y[i] = nx % 2 ? (double)(state >> 28) : ldexp((double)(int)state, (int)nx - 20);
      }
      size_t n = 0;
      for (size_t i = 0; i < nx; i++)
        for (size_t j = 0; j < ny; j++)
          pairs[n++] = x[i] - y[j];
      qsort(pairs, n, sizeof *pairs, compare);
      pp_shift shift;
      CHECK(pp_stats_hodges_lehmann(x, nx, y, ny, 0.9, &shift, NULL) == PP_OK);
      CHECK(shift.estimate == middle(pairs, n));
      CHECK(!isfinite(shift.ci_low) == !isfinite(shift.ci_high) && shift.confidence >= 0.9 - 1e-12);
      if (isfinite(shift.ci_low))
        CHECK(bsearch(&shift.ci_low, pairs, n, sizeof *pairs, compare));

      n = 0;
      for (size_t i = 0; i < nx; i++)
        for (size_t j = i; j < nx; j++)
          pairs[n++] = 0.5 * x[i] + 0.5 * x[j];
      qsort(pairs, n, sizeof *pairs, compare);
      CHECK(pp_stats_pseudomedian(x, nx, 0.9, &shift, NULL) == PP_OK && shift.estimate == middle(pairs, n));
      if (isfinite(shift.ci_high))
        CHECK(bsearch(&shift.ci_high, pairs, n, sizeof *pairs, compare));
    }
}

static void few_values_bound_nothing(void) {
  const double x[] = {1, 2, 4, 7, 9, 12}, y[] = {3, 5, 20, 21};
  pp_shift shift;
  CHECK(pp_stats_hodges_lehmann(x, 3, y, 3, 0.95, &shift, NULL) == PP_OK);
  CHECK(shift.ci_low == -INFINITY && shift.ci_high == INFINITY && shift.confidence == 1);
  CHECK(pp_stats_hodges_lehmann(x, 3, y, 3, 0.9, &shift, NULL) == PP_OK); /* 2/C(6, 3) = 0.1 */
  CHECK(shift.ci_low == 1 - 20 && shift.ci_high == 4 - 3 && agrees(shift.confidence, 0.9, 12));
  CHECK(pp_stats_hodges_lehmann(x, 4, y, 4, 0.95, &shift, NULL) == PP_OK && isfinite(shift.ci_low));
  CHECK(pp_stats_pseudomedian(x, 5, 0.95, &shift, NULL) == PP_OK && shift.ci_high == INFINITY);
  CHECK(pp_stats_pseudomedian(x, 6, 0.95, &shift, NULL) == PP_OK); /* 2/2^6 = 0.03125 */
  CHECK(shift.ci_low == 1 && shift.ci_high == 12 && agrees(shift.confidence, 1 - 0.03125, 14));
}

/* Beyond the exact distributions the ranks go on where they were. */
static void large_samples(void) {
  static double x[101], y[101];
  for (size_t i = 0; i < COUNT(x); i++) {
    x[i] = (double)(i * 37 % 101);
    y[i] = x[i] + 3;
  }
  pp_shift exact, normal;
  CHECK(pp_stats_pseudomedian(x, 100, 0.95, &exact, NULL) == PP_OK);
  CHECK(pp_stats_pseudomedian(x, 101, 0.95, &normal, NULL) == PP_OK);
  CHECK(fabs(exact.ci_low - normal.ci_low) <= 2 && fabs(exact.confidence - normal.confidence) < 1e-3);
  CHECK(pp_stats_hodges_lehmann(x, 50, y, 50, 0.95, &exact, NULL) == PP_OK && exact.estimate == -3);
  CHECK(pp_stats_hodges_lehmann(x, 51, y, 50, 0.95, &normal, NULL) == PP_OK);
  CHECK(fabs(exact.ci_low - normal.ci_low) <= 2 && fabs(exact.confidence - normal.confidence) < 1e-3);
}

static void distributions(void) {
  const size_t tied[] = {0, 2, 2, 5};
  pp_distribution sums;
  CHECK(pp_ranks_of_subsets(tied, 4, 2, &sums, NULL) == PP_OK); /* 2 2 5 4 7 7 */
  CHECK(sums.largest == 7 && sums.total == 6 && sums.weight[2] == 2 && sums.weight[7] == 2 && sums.weight[3] == 0);
  CHECK(pp_ranks_below(&sums, 4) == 0.5 && agrees(pp_ranks_above(&sums, 5), 0.5, 15));
  free(sums.weight);
  CHECK(pp_ranks_signed(3, &sums, NULL) == PP_OK); /* 0 1 2 3 3 4 5 6 */
  CHECK(sums.largest == 6 && sums.total == 8 && sums.weight[3] == 2 && pp_ranks_above(&sums, 6) == 0.125);
  free(sums.weight);
}

static void bad_input(void) {
  const double x[] = {1, NAN}, y[] = {1, 2}, wide[] = {-DBL_MAX, DBL_MAX};
  static double many[10001];
  pp_mannwhitney test;
  pp_shift shift;
  pp_error error;
  CHECK(pp_stats_mannwhitneyu(y, 0, y, 2, PP_TWO_SIDED, PP_AUTO, &test, NULL) == PP_INVALID);
  CHECK(pp_stats_mannwhitneyu(y, 2, x, 2, PP_TWO_SIDED, PP_AUTO, &test, &error) == PP_INVALID);
  CHECK(strcmp(error.message, "y[1] is NaN, but only finite values can be used") == 0);
  CHECK(pp_stats_mannwhitneyu(many, 10001, y, 1, PP_TWO_SIDED, PP_EXACT, &test, &error) == PP_INVALID);
  CHECK(strcmp(error.message, "10001 and 1 values are too many for an exact p: their product may be 10000") == 0);
  CHECK(pp_stats_hodges_lehmann(x, 2, y, 2, 0.95, &shift, NULL) == PP_INVALID);
  CHECK(pp_stats_hodges_lehmann(y, 2, y, 0, 0.95, &shift, NULL) == PP_INVALID);
  CHECK(pp_stats_hodges_lehmann(y, 2, y, 2, 1, &shift, NULL) == PP_INVALID);
  CHECK(pp_stats_hodges_lehmann(wide, 2, wide, 2, 0.95, &shift, NULL) == PP_INVALID);
  CHECK(pp_stats_pseudomedian(x, 2, 0.95, &shift, NULL) == PP_INVALID);
  CHECK(pp_stats_pseudomedian(y, 0, 0.95, &shift, NULL) == PP_INVALID);
  CHECK(pp_stats_pseudomedian(y, 2, 0, &shift, NULL) == PP_INVALID);
  CHECK(pp_stats_pseudomedian(wide, 2, 0.95, &shift, NULL) == PP_OK && shift.estimate == 0);
}

int main(void) {
  smallest_pvalues();
  same_as_enumeration();
  approximation();
  all_equal();
  hodges_lehmann_of_sleep();
  same_as_sorting();
  few_values_bound_nothing();
  large_samples();
  distributions();
  bad_input();
  return test_end();
}
