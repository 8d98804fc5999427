/* SPDX-License-Identifier: Apache-2.0 */
#include "close.h"
#include "pp.h"
#include "test.h"

static void published(void) {
  const double p[] = {0.01, 0.04, 0.03, 0.005}, holm[] = {0.03, 0.06, 0.06, 0.02}, bh[] = {0.02, 0.04, 0.04, 0.02};
  double adjusted[4];
  CHECK(pp_stats_holm(p, 4, adjusted, NULL) == PP_OK);
  for (size_t i = 0; i < 4; i++)
    CHECK(agrees(adjusted[i], holm[i], 15));
  CHECK(pp_stats_benjamini_hochberg(p, 4, adjusted, NULL) == PP_OK);
  for (size_t i = 0; i < 4; i++)
    CHECK(agrees(adjusted[i], bh[i], 15));
}

static void ends(void) {
  const double p[] = {1, 0, 0.6, 1e-310};
  double adjusted[4];
  CHECK(pp_stats_holm(p, 4, adjusted, NULL) == PP_OK);
  CHECK(adjusted[0] == 1 && adjusted[1] == 0 && adjusted[2] == 1 && agrees(adjusted[3], 3e-310, 10));
  CHECK(pp_stats_benjamini_hochberg(p, 4, adjusted, NULL) == PP_OK);
  CHECK(adjusted[0] == 1 && adjusted[1] == 0 && agrees(adjusted[2], 0.8, 15) && agrees(adjusted[3], 2e-310, 10));
  CHECK(pp_stats_holm(p + 2, 1, adjusted, NULL) == PP_OK && adjusted[0] == 0.6);
}

static void bad_input(void) {
  const double bad[][2] = {{0.5, NAN}, {0.5, -0.1}, {0.5, 1.5}};
  double adjusted[2];
  pp_error error;
  for (size_t i = 0; i < COUNT(bad); i++) {
    CHECK(pp_stats_holm(bad[i], 2, adjusted, NULL) == PP_INVALID);
    CHECK(pp_stats_benjamini_hochberg(bad[i], 2, adjusted, &error) == PP_INVALID);
  }
  CHECK(strcmp(error.message, "p[1] is 1.5, but must lie between 0 and 1") == 0);
  CHECK(pp_stats_holm(bad[0], 0, adjusted, NULL) == PP_INVALID);
}

int main(void) {
  published();
  ends();
  bad_input();
  return test_end();
}
