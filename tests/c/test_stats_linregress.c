/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>

#include "close.h"
#include "pp.h"
#include "test.h"

static void nist_norris(void) { /* NIST StRD, linear regression: calibration of ozone monitors */
  const double points[][2] = {
      {0.1, 0.2},     {338.8, 337.4}, {118.1, 118.2}, {888.0, 884.6}, {9.2, 10.1},    {228.1, 226.5},
      {668.5, 666.3}, {998.5, 996.3}, {449.1, 448.6}, {778.9, 777.0}, {559.2, 558.2}, {0.3, 0.4},
      {0.1, 0.6},     {778.1, 775.5}, {668.8, 666.9}, {339.3, 338.0}, {448.9, 447.5}, {10.8, 11.6},
      {557.7, 556.0}, {228.3, 228.1}, {998.0, 995.8}, {888.8, 887.6}, {119.6, 120.2}, {0.3, 0.3},
      {0.6, 0.3},     {557.6, 556.8}, {339.3, 339.1}, {888.0, 887.2}, {998.5, 999.0}, {778.9, 779.0},
      {10.2, 11.1},   {117.6, 118.3}, {228.9, 229.2}, {668.4, 669.1}, {449.2, 448.9}, {0.2, 0.5}};
  double x[COUNT(points)], y[COUNT(points)];
  for (size_t i = 0; i < COUNT(points); i++) {
    y[i] = points[i][0];
    x[i] = points[i][1];
  }
  pp_line line;
  CHECK(pp_stats_linregress(x, y, COUNT(points), &line, NULL) == PP_OK);
  CHECK(agrees(line.slope, 1.00211681802045, 15) && agrees(line.stderr_slope, 4.29796848199937e-4, 13));
  CHECK(agrees(line.intercept, -0.262323073774029, 13) && agrees(line.stderr_intercept, 0.232818234301152, 13));
}

static void exact_lines(void) {
  const double x[] = {1, 2, 3, 4}, y[] = {5, 3, 1, -1}, flat[] = {7, 7, 7, 7};
  pp_line line;
  CHECK(pp_stats_linregress(x, y, 4, &line, NULL) == PP_OK);
  CHECK(agrees(line.slope, -2, 15) && agrees(line.intercept, 7, 15) && line.stderr_slope < 1e-15);
  CHECK(pp_stats_linregress(x, flat, 4, &line, NULL) == PP_OK);
  CHECK(line.slope == 0 && line.intercept == 7 && line.stderr_slope == 0);
  const double far_x[] = {1e300, 2e300, 4e300}, far_y[] = {1e-300, 2e-300, 5e-300};
  CHECK(pp_stats_linregress(far_x, far_x, 3, &line, NULL) == PP_OK && agrees(line.slope, 1, 14));
  CHECK(pp_stats_linregress(far_y, far_y, 3, &line, NULL) == PP_OK && agrees(line.slope, 1, 14));
  CHECK(pp_stats_linregress(far_y, far_x, 3, &line, NULL) == PP_INVALID);
}

static void bad_input(void) {
  const double x[] = {1, 2, NAN}, y[] = {1, 2, 3}, same[] = {4, 4, 4}, wide[] = {-DBL_MAX, DBL_MAX, DBL_MAX};
  pp_line line;
  pp_error error;
  CHECK(pp_stats_linregress(y, y, 2, &line, NULL) == PP_INVALID);
  CHECK(pp_stats_linregress(x, y, 3, &line, NULL) == PP_INVALID);
  CHECK(pp_stats_linregress(y, x, 3, &line, NULL) == PP_INVALID);
  CHECK(pp_stats_linregress(wide, y, 3, &line, NULL) == PP_INVALID);
  CHECK(pp_stats_linregress(same, y, 3, &line, &error) == PP_INVALID);
  CHECK(strcmp(error.message, "all x are 4: there is no slope") == 0);
}

int main(void) {
  nist_norris();
  exact_lines();
  bad_input();
  return test_end();
}
