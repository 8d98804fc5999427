/* SPDX-License-Identifier: Apache-2.0 */
#include "close.h"
#include "pp.h"
#include "test.h"

static size_t blocks_within(double sd, double low, double high, double cost) {
  const pp_plan plan = {.sd = sd, .low = low, .high = high, .cost = cost, .alpha = 0.05};
  size_t out = 0;
  CHECK(pp_stats_required_blocks(&plan, 0.9, &out, NULL) == PP_OK);
  return out;
}

static size_t blocks(double sd, double margin, double cost) { return blocks_within(sd, -INFINITY, margin, cost); }

/* "costs at most 2 %" at power 0.9, for residuals of 1, 3 and 5 %: a difference of two has sqrt(2) times their spread
 */
static void the_table(void) {
  const double residual[] = {0.01, 0.03, 0.05};
  const size_t when_free[] = {6, 40, 109}, when_1_percent[] = {19, 156, 430};
  const size_t equivalent[] = {8, 51, 137};
  for (size_t i = 0; i < COUNT(residual); i++) {
    CHECK(blocks(sqrt(2) * residual[i], 0.02, 0) == when_free[i]);
    CHECK(blocks(sqrt(2) * residual[i], 0.02, 0.01) == when_1_percent[i]);
    CHECK(blocks_within(sqrt(2) * residual[i], -0.02, 0.02, 0) == equivalent[i]);
    CHECK(blocks_within(sqrt(2) * residual[i], log(0.98), log(1.02), 0) == equivalent[i]);
  }
}

static void the_inverse(void) {
  for (size_t n = 2; n < 3000; n = n * 3 / 2 + 1) {
    double margin = 0;
    CHECK(pp_stats_settleable_margin(0.05, n, 0.05, 0.9, &margin, NULL) == PP_OK);
    CHECK(blocks(0.05, margin * (1 + 1e-9), 0) == n);
    CHECK(blocks(0.05, margin * (1 - 1e-9), 0) == n + 1);
  }
}

static void ends(void) {
  CHECK(blocks(0, 0.02, 0) == 2 && blocks(1e-300, 1e300, -1e300) == 2);
  size_t n;
  double margin;
  pp_error error;
  const pp_plan hopeless = {.sd = 1, .low = -INFINITY, .high = 1e-4, .alpha = 0.05};
  CHECK(pp_stats_required_blocks(&hopeless, 0.9, &n, &error) == PP_INVALID);
  CHECK(strstr(error.message, "more than 1000000 blocks"));
  CHECK(pp_stats_settleable_margin(0, 5, 0.05, 0.9, &margin, NULL) == PP_OK && margin == 0);
  /* two blocks at a small alpha: t is 3e5, the power turns within a millionth of ln S */
  CHECK(pp_stats_settleable_margin(1, 2, 1e-6, 0.9, &margin, NULL) == PP_OK && agrees(margin * sqrt(2), 523572.86, 5));
}

static double power(double sd, double low, double high, double cost, size_t n) {
  const pp_plan plan = {.sd = sd, .low = low, .high = high, .cost = cost, .alpha = 0.05};
  double out = NAN;
  CHECK(pp_stats_power(&plan, n, &out, NULL) == PP_OK);
  return out;
}

static void powers(void) {
  for (size_t n = 2; n < 200; n = n * 3 / 2) {
    double one = power(0.05, -INFINITY, 0.02, 0, n), both = power(0.05, -0.02, 0.02, 0, n);
    CHECK(one > 0.05 && one < 1 && both < one);
    CHECK(agrees(power(0.05, -10, 0.02, 0, n), one, n < 4 ? 1 : 9)); /* a side that is far away costs nothing */
    CHECK(both >= 2 * one - 1 - 1e-9);                               /* Bonferroni */
    CHECK(agrees(power(0.05, -0.04, 0.02, -0.01, n), power(0.05, -0.03, 0.03, 0, n), 10));
    CHECK(agrees(power(0.05, -0.02, 0.05, 0, n), power(0.05, -0.05, 0.02, 0, n), 10)); /* mirrored */
  }
  CHECK(power(0, -INFINITY, 0.02, 0, 2) == 1);
  CHECK(power(1, -1e-6, 1e-6, 0, 1000) < 1e-6); /* the interval is wider than the region */
}

/* Standard deviation of 5 values, 90 %: chi^2_4 is 0.710723 and 9.487729 at 5 and 95 % */
static void limits_of_sd(void) {
  double low, high;
  CHECK(pp_stats_sd_limits(3, 5, 0.9, &low, &high, NULL) == PP_OK);
  CHECK(agrees(low, 3 * sqrt(4 / 9.487729036781154), 11) && agrees(high, 3 * sqrt(4 / 0.7107230213973241), 11));
  CHECK(pp_stats_sd_limits(1, 2, 0.95, &low, &high, NULL) == PP_OK && agrees(high, 31.9102, 6));
  CHECK(pp_stats_sd_limits(1, 1000000, 0.95, &low, &high, NULL) == PP_OK && low > 0.998 && high < 1.002);
  CHECK(pp_stats_sd_limits(1, 1, 0.95, &low, &high, NULL) == PP_INVALID);
  CHECK(pp_stats_sd_limits(-1, 5, 0.95, &low, &high, NULL) == PP_INVALID);
  CHECK(pp_stats_sd_limits(1, 5, 1, &low, &high, NULL) == PP_INVALID);
}

static void bad_input(void) {
  const struct {
    pp_plan plan;
    double power;
  } bad[] = {
      {{-1, -INFINITY, 0.02, 0, 0.05}, 0.9},
      {{NAN, -INFINITY, 0.02, 0, 0.05}, 0.9},
      {{INFINITY, -INFINITY, 0.02, 0, 0.05}, 0.9},
      {{1, -INFINITY, 0.02, 0.02, 0.05}, 0.9},
      {{1, -INFINITY, INFINITY, 0, 0.05}, 0.9},
      {{1, -INFINITY, 0.02, NAN, 0.05}, 0.9},
      {{1, -INFINITY, 0.02, 0, 0.5}, 0.9},
      {{1, 0, 0.02, 0, 0.05}, 0.9},
      {{1, NAN, 0.02, 0, 0.05}, 0.9},
      {{1, -INFINITY, 0.02, 0, 0.05}, 0.05},
      {{1, -INFINITY, 0.02, 0, 0.05}, 1},
  };
  size_t n;
  double margin;
  for (size_t i = 0; i < COUNT(bad); i++)
    CHECK(pp_stats_required_blocks(&bad[i].plan, bad[i].power, &n, NULL) == PP_INVALID);
  CHECK(pp_stats_power(&bad[0].plan, 5, &margin, NULL) == PP_INVALID);
  CHECK(pp_stats_power(&bad[10].plan, 1, &margin, NULL) == PP_INVALID);
  CHECK(pp_stats_settleable_margin(1, 1, 0.05, 0.9, &margin, NULL) == PP_INVALID);
  CHECK(pp_stats_settleable_margin(1, 5, 0, 0.9, &margin, NULL) == PP_INVALID);
  CHECK(pp_stats_settleable_margin(1, 5, 0.05, 0.05, &margin, NULL) == PP_INVALID);
  CHECK(pp_stats_settleable_margin(NAN, 5, 0.05, 0.9, &margin, NULL) == PP_INVALID);
}

int main(void) {
  the_table();
  the_inverse();
  ends();
  powers();
  limits_of_sd();
  bad_input();
  return test_end();
}
