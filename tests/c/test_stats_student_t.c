/* SPDX-License-Identifier: Apache-2.0
 *
 * Tails from the regularised incomplete beta function with 60 digits, by mpmath.
 */
#include <float.h>

#include "close.h"
#include "pp.h"
#include "test.h"

static void logarithms_of_tails(void) {
  const double wanted[][3] = {
      {1e-09, 5, -7.5921337993319139e-10},
      {0.1, 0.5, -0.055162220482956306},
      {1.7, 3, -1.6729601951653632},
      {1.7320508, 46, -2.408322291710253},
      {1.74, 46, -2.4242299749573014},
      {3.9933361451, 46, -8.3658273212527358},
      {6, 2, -3.6241607036402188},
      {12, 1000000.0, -74.7122705606364},
      {1.5, 100000.0, -2.0127735929621033},
      {40, 9, -24.687477355806928},
      {40, 1000, -481.19351038303335},
      {1000.0, 100, -463.05284573569255},
      {100000000.0, 3, -54.471171612252551},
      {1e+150, 2.5, -863.10568423676202},
      {5000, 398, -2201.7617467620347},
      {100000.0, 12.25, -127.18593058462532},
      {0.5, INFINITY, -0.4827645810336733},
      {1.96, INFINITY, -2.9958164711696933},
      {8, INFINITY, -34.320289979354605},
      {40, INFINITY, -803.91529483319384},
      {10000.0, INFINITY, -50000009.436131735},
  };
  for (size_t i = 0; i < COUNT(wanted); i++) {
    double t = wanted[i][0], df = wanted[i][1];
    CHECK(agrees(pp_stats_t_log_two_sided(t, df), wanted[i][2], 12));
    CHECK(pp_stats_t_log_two_sided(-t, df) == pp_stats_t_log_two_sided(t, df));
  }
}

static void closed_forms(void) {
  for (double t = 1e-300; t < 1e300; t *= 97) { /* df 1: 2/pi atan(1/t); df 2: 1 - t/sqrt(2 + t^2) */
    double one = t < 1 ? log1p(-2 / acos(-1) * atan(t)) : log(2 / acos(-1) * atan(1 / t));
    CHECK(agrees(pp_stats_t_log_two_sided(t, 1), one, 13));
    double root = t < 1e150 ? sqrt(2 + t * t) : t;
    double two = t < 1e-3 ? log1p(-t / root) : log(2) - log(root) - log(root + t);
    CHECK(agrees(pp_stats_t_log_two_sided(t, 2), two, 13));
  }
}

static void ends(void) {
  CHECK(pp_stats_t_log_two_sided(0, 5) == 0);
  CHECK(pp_stats_t_log_two_sided(-INFINITY, 5) == -INFINITY);
  CHECK(isnan(pp_stats_t_log_two_sided(NAN, 5)) && isnan(pp_stats_t_log_two_sided(1, 0)));
  CHECK(isnan(pp_stats_t_log_two_sided(1, -1)) && isnan(pp_stats_t_log_two_sided(1, NAN)));
  CHECK(pp_stats_t_quantile(0, 5) == -INFINITY && pp_stats_t_quantile(1, 5) == INFINITY);
  CHECK(pp_stats_t_quantile(0.5, 5) == 0);
  CHECK(pp_stats_t_quantile(1e-300, 0.5) == -INFINITY); /* it would be -1e600 */
  CHECK(isnan(pp_stats_t_quantile(-0.1, 5)) && isnan(pp_stats_t_quantile(1.1, 5)));
  CHECK(isnan(pp_stats_t_quantile(NAN, 5)) && isnan(pp_stats_t_quantile(0.1, 0)));
}

static void quantiles(void) {
  CHECK(agrees(pp_stats_t_quantile(0.975, INFINITY), 1.959963984540054, 15));
  CHECK(agrees(pp_stats_t_quantile(0.975, 10), 2.2281388519862744, 15));
  for (double p = 1e-300; p < 0.5; p *= 3) {
    CHECK(agrees(pp_stats_t_quantile(p, 1), -1 / tan(acos(-1) * p), 12));
    CHECK(agrees(pp_stats_t_quantile(p, 2), -(1 - 2 * p) / sqrt(2 * p * (1 - p)), 12));
    const double dfs[] = {0.99, 3, 17.5, 400, 1e6, INFINITY};
    for (size_t i = 0; i < COUNT(dfs); i++)
      CHECK(agrees(pp_stats_t_log_two_sided(pp_stats_t_quantile(p, dfs[i]), dfs[i]), log(2 * p), 12));
  }
  for (double e = 1e-15; e < 0.1; e *= 10) /* around the middle t is proportional to p - 1/2 */
    CHECK(agrees(pp_stats_t_log_two_sided(pp_stats_t_quantile(0.5 + e, 7), 7), log1p(-2 * (0.5 + e - 0.5)), 12));
}

int main(void) {
  logarithms_of_tails();
  closed_forms();
  ends();
  quantiles();
  return test_end();
}
