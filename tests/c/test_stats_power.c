/* SPDX-License-Identifier: Apache-2.0 */
#include "close.h"
#include "pp.h"
#include "test.h"

static size_t blocks(double sd, double margin, double cost) {
  size_t out = 0;
  CHECK(pp_stats_required_blocks(sd, margin, cost, 0.05, 0.9, &out, NULL) == PP_OK);
  return out;
}

/* "costs at most 2 %" at power 0.9, for residuals of 1, 3 and 5 %: a difference of two has sqrt(2) times their spread
 */
static void the_table(void) {
  const double residual[] = {0.01, 0.03, 0.05};
  const size_t when_free[] = {6, 40, 109}, when_1_percent[] = {19, 156, 430};
  for (size_t i = 0; i < COUNT(residual); i++) {
    CHECK(blocks(sqrt(2) * residual[i], 0.02, 0) == when_free[i]);
    CHECK(blocks(sqrt(2) * residual[i], 0.02, 0.01) == when_1_percent[i]);
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
  CHECK(pp_stats_required_blocks(1, 1e-4, 0, 0.05, 0.9, &n, &error) == PP_INVALID);
  CHECK(strstr(error.message, "more than 1000000 blocks"));
  CHECK(pp_stats_settleable_margin(0, 5, 0.05, 0.9, &margin, NULL) == PP_OK && margin == 0);
  /* two blocks at a small alpha: t is 3e5, the power turns within a millionth of ln S */
  CHECK(pp_stats_settleable_margin(1, 2, 1e-6, 0.9, &margin, NULL) == PP_OK && agrees(margin * sqrt(2), 523572.86, 5));
}

static void bad_input(void) {
  size_t n;
  double margin;
  CHECK(pp_stats_required_blocks(-1, 0.02, 0, 0.05, 0.9, &n, NULL) == PP_INVALID);
  CHECK(pp_stats_required_blocks(NAN, 0.02, 0, 0.05, 0.9, &n, NULL) == PP_INVALID);
  CHECK(pp_stats_required_blocks(INFINITY, 0.02, 0, 0.05, 0.9, &n, NULL) == PP_INVALID);
  CHECK(pp_stats_required_blocks(1, 0.02, 0.02, 0.05, 0.9, &n, NULL) == PP_INVALID);
  CHECK(pp_stats_required_blocks(1, INFINITY, 0, 0.05, 0.9, &n, NULL) == PP_INVALID);
  CHECK(pp_stats_required_blocks(1, 0.02, NAN, 0.05, 0.9, &n, NULL) == PP_INVALID);
  CHECK(pp_stats_required_blocks(1, 0.02, 0, 0.5, 0.9, &n, NULL) == PP_INVALID);
  CHECK(pp_stats_required_blocks(1, 0.02, 0, 0.05, 0.05, &n, NULL) == PP_INVALID);
  CHECK(pp_stats_required_blocks(1, 0.02, 0, 0.05, 1, &n, NULL) == PP_INVALID);
  CHECK(pp_stats_settleable_margin(1, 1, 0.05, 0.9, &margin, NULL) == PP_INVALID);
  CHECK(pp_stats_settleable_margin(1, 5, 0, 0.9, &margin, NULL) == PP_INVALID);
}

int main(void) {
  the_table();
  the_inverse();
  ends();
  bad_input();
  return test_end();
}
