/* SPDX-License-Identifier: Apache-2.0 */
#include "close.h"
#include "pp.h"
#include "test.h"

/* n = 8, c = 4, alpha 0.05: r = 1/3, q = exp((ln 10 + ln(3)/2)/4), k^2 = 7 (q - 1)/(1 - q/3) */
static void by_hand(void) {
  const double d[] = {1, 2, 3, 4, 5, 6, 7, 8};
  double low[8], high[8];
  CHECK(pp_stats_confidence_sequence(d, 8, 0.05, 4, low, high, NULL) == PP_OK);
  for (size_t i = 0; i < 6; i++)
    CHECK(low[i] == -INFINITY && high[i] == INFINITY);
  double q = exp((log(10) + 0.5 * log(3)) / 4), k = sqrt(7 * (q - 1) / (1 - q / 3)), reach = k * sqrt(6.0 / 8);
  CHECK(isfinite(low[6]) && isfinite(high[6])); /* the first decision can fall at block 7 */
  CHECK(agrees(low[7], 4.5 - reach, 13) && agrees(high[7], 4.5 + reach, 13));
}

/* After many, the limits are as near as a t interval at the level of one look among a few. */
static void narrows(void) {
  enum { N = 2000 };
  static double d[N], low[N], high[N];
  for (size_t i = 0; i < N; i++)
    d[i] = sin((double)i * 1.7) + 1e6;
  CHECK(pp_stats_confidence_sequence(d, N, 0.05, 4, low, high, NULL) == PP_OK);
  pp_description all;
  CHECK(pp_stats_describe(d, N, &all, NULL) == PP_OK);
  double k = (high[N - 1] - low[N - 1]) / 2 / all.se;
  CHECK(k > 3 && k < 4 && agrees((high[N - 1] + low[N - 1]) / 2, all.mean, 14));
}

static void no_spread_says_nothing(void) {
  double d[20], low[20], high[20];
  for (size_t i = 0; i < 20; i++)
    d[i] = 0.3;
  CHECK(pp_stats_confidence_sequence(d, 20, 0.05, 4, low, high, NULL) == PP_OK);
  CHECK(low[19] == -INFINITY && high[19] == INFINITY);
  CHECK(pp_stats_confidence_sequence(d, 1, 0.05, 4, low, high, NULL) == PP_OK && low[0] == -INFINITY);
}

static void bad_input(void) {
  const double d[] = {1, NAN}, wide[] = {1e300, -1e300};
  double low[2], high[2];
  CHECK(pp_stats_confidence_sequence(d, 0, 0.05, 4, low, high, NULL) == PP_INVALID);
  CHECK(pp_stats_confidence_sequence(d, 2, 0.05, 4, low, high, NULL) == PP_INVALID);
  CHECK(pp_stats_confidence_sequence(d, 1, 0.5, 4, low, high, NULL) == PP_INVALID);
  CHECK(pp_stats_confidence_sequence(d, 1, 0, 4, low, high, NULL) == PP_INVALID);
  CHECK(pp_stats_confidence_sequence(d, 1, 0.05, 0, low, high, NULL) == PP_INVALID);
  CHECK(pp_stats_confidence_sequence(d, 1, 0.05, NAN, low, high, NULL) == PP_INVALID);
  CHECK(pp_stats_confidence_sequence(wide, 2, 0.05, 4, low, high, NULL) == PP_INVALID);
}

int main(void) {
  by_hand();
  narrows();
  no_spread_says_nothing();
  bad_input();
  return test_end();
}
