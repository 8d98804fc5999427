/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>

#include "close.h"
#include "pp.h"
#include "test.h"

static void sen_1968(void) {
  const double x[] = {1, 2, 3, 4, 10, 12, 18}, y[] = {9, 15, 19, 20, 45, 55, 78};
  pp_slope line;
  CHECK(pp_stats_theil_sen(x, y, 7, 0.93, &line, NULL) == PP_OK);
  CHECK(line.slope == 4 && line.intercept == 20 - 4 * 4);
  CHECK(agrees(line.ci_low, 3.71, 3) && agrees(line.ci_high, 4.38, 3));
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* The selection by digits, short and long ones, against a plain sort of all slopes. */
static void same_as_sorting(size_t n_points, int rounds) {
  enum { N = 211 };
  static double x[N], y[N], slopes[N * N];
  unsigned state = 1;
  for (int round = 0; round < rounds; round++) {
    for (size_t i = 0; i < n_points; i++) {
      state = state * 1664525u + 1013904223u;
      x[i] = (double)(state >> 28) * 0.1;
      state = state * 1664525u + 1013904223u;
      y[i] = ldexp((double)(int)state, (round - rounds / 2) * 20);
    }
    size_t n = 0;
    for (size_t i = 0; i < n_points; i++)
      for (size_t j = 0; j < i; j++)
        if (x[i] != x[j])
          slopes[n++] = (y[i] - y[j]) / (x[i] - x[j]);
    qsort(slopes, n, sizeof *slopes, compare);
    pp_slope line;
    CHECK(pp_stats_theil_sen(x, y, n_points, 0.95, &line, NULL) == PP_OK);
    CHECK(line.slope == (n % 2 ? slopes[n / 2] : 0.5 * slopes[n / 2 - 1] + 0.5 * slopes[n / 2]));
    CHECK(bsearch(&line.ci_low, slopes, n, sizeof *slopes, compare));
    CHECK(bsearch(&line.ci_high, slopes, n, sizeof *slopes, compare));
    CHECK(line.ci_low < line.slope && line.slope < line.ci_high);
  }
}

static void exact_lines(void) {
  double x[100], up[100], flat[100];
  for (size_t i = 0; i < 100; i++) {
    x[i] = (double)i;
    up[i] = 3 - 2 * (double)i;
    flat[i] = 5;
  }
  pp_slope line;
  CHECK(pp_stats_theil_sen(x, up, 100, 0.95, &line, NULL) == PP_OK);
  CHECK(line.slope == -2 && line.intercept == 3 && line.ci_low == -2 && line.ci_high == -2);
  CHECK(pp_stats_theil_sen(x, flat, 100, 0.95, &line, NULL) == PP_OK);
  CHECK(line.slope == 0 && line.intercept == 5 && line.ci_low == 0 && line.ci_high == 0);
}

/* With 4 points no ordering is rarer than 2/24: there is no 95 % interval. */
static void few_points_bound_nothing(void) {
  const double x[] = {1, 2, 3, 4, 5}, y[] = {1, 3, 2, 5, 4};
  pp_slope line;
  for (size_t n = 2; n <= 4; n++) {
    CHECK(pp_stats_theil_sen(x, y, n, 0.95, &line, NULL) == PP_OK);
    CHECK(isfinite(line.slope) && line.ci_low == -INFINITY && line.ci_high == INFINITY);
  }
  CHECK(pp_stats_theil_sen(x, y, 5, 0.95, &line, NULL) == PP_OK);
  CHECK(isfinite(line.ci_low) && isfinite(line.ci_high));
}

static void bad_input(void) {
  const double x[] = {1, 2, NAN}, y[] = {1, 2, 3}, same[] = {4, 4, 4}, wide[] = {-DBL_MAX, 0, DBL_MAX};
  pp_slope line;
  pp_error error;
  CHECK(pp_stats_theil_sen(x, y, 1, 0.95, &line, &error) == PP_INVALID);
  CHECK(pp_stats_theil_sen(x, y, 3, 0.95, &line, &error) == PP_INVALID);
  CHECK(pp_stats_theil_sen(y, x, 3, 0.95, &line, &error) == PP_INVALID && error.message[0] == 'y');
  CHECK(pp_stats_theil_sen(y, y, 3, 1, &line, &error) == PP_INVALID);
  CHECK(pp_stats_theil_sen(same, y, 3, 0.95, &line, &error) == PP_INVALID);
  CHECK(strcmp(error.message, "all x are 4: there is no slope") == 0);
  CHECK(pp_stats_theil_sen(wide, y, 3, 0.95, &line, &error) == PP_INVALID);
  CHECK(pp_stats_theil_sen(y, wide, 3, 0.95, &line, &error) == PP_INVALID);
  const double near[] = {0, DBL_MIN}, far[] = {0, 1e10};
  CHECK(pp_stats_theil_sen(near, far, 2, 0.95, &line, &error) == PP_INVALID);
  CHECK(pp_stats_theil_sen(x, y, PP_THEIL_SEN_MAX_N + 1, 0.95, &line, &error) == PP_INVALID);
}

int main(void) {
  sen_1968();
  same_as_sorting(61, 50);
  same_as_sorting(211, 10);
  exact_lines();
  few_points_bound_nothing();
  bad_input();
  return test_end();
}
