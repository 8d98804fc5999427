/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>

#include "close.h"
#include "pp.h"
#include "test.h"

static void numacc4(void) { /* NIST StRD: 10000000.2, then 10000000.1 and 10000000.3 in turn, 500 times */
  double x[1001] = {10000000.2};
  for (size_t i = 1; i < COUNT(x); i++)
    x[i] = i % 2 ? 10000000.1 : 10000000.3;
  pp_description out;
  CHECK(pp_stats_describe(x, COUNT(x), &out, NULL) == PP_OK);
  CHECK(out.n == 1001 && out.min == 10000000.1 && out.max == 10000000.3 && out.median == 10000000.2);
  CHECK(agrees(out.mean, 10000000.2, 15));
  CHECK(agrees(out.sd, 0.1, 8)); /* what is left of 0.1 after rounding of the inputs to a double */
  CHECK(agrees(out.se, out.sd / sqrt(1001), 15));
}

static void integers_are_exact(void) {
  const double odd[] = {5, 1, 4, 2, 3}, even[] = {4, 1, 3, 2};
  pp_description out;
  CHECK(pp_stats_describe(odd, COUNT(odd), &out, NULL) == PP_OK);
  CHECK(out.mean == 3 && out.median == 3 && out.min == 1 && out.max == 5 && agrees(out.sd, sqrt(2.5), 16));
  CHECK(pp_stats_describe(even, COUNT(even), &out, NULL) == PP_OK);
  CHECK(out.mean == 2.5 && out.median == 2.5);
}

static void one_value_has_no_spread_to_know(void) {
  pp_description out;
  CHECK(pp_stats_describe(&(double){7}, 1, &out, NULL) == PP_OK);
  CHECK(out.n == 1 && out.mean == 7 && out.median == 7 && isnan(out.sd) && isnan(out.se));
}

static void equal_values_have_no_spread(void) {
  double x[1000];
  for (size_t i = 0; i < COUNT(x); i++)
    x[i] = 0.1;
  pp_description out;
  CHECK(pp_stats_describe(x, COUNT(x), &out, NULL) == PP_OK);
  CHECK(out.mean == 0.1 && out.sd == 0);
}

static void extremes_of_a_double(void) {
  const double large[] = {1.5e308, 1.6e308, 1.7e308}, small[] = {4e-320, 6e-320, 8e-320};
  pp_description out;
  CHECK(pp_stats_describe(large, 3, &out, NULL) == PP_OK);
  CHECK(agrees(out.mean, 1.6e308, 15) && agrees(out.sd, 1e307, 14) && out.median == 1.6e308);
  CHECK(pp_stats_describe(small, 3, &out, NULL) == PP_OK);
  CHECK(agrees(out.mean, 6e-320, 4) && agrees(out.sd, 2e-320, 3));
  const double opposite[] = {-DBL_MAX, DBL_MAX};
  CHECK(pp_stats_describe(opposite, 2, &out, NULL) == PP_INVALID);
}

static void bad_input(void) {
  const double x[] = {1, NAN, -INFINITY};
  pp_description out;
  pp_error error;
  CHECK(pp_stats_describe(x, 0, &out, &error) == PP_INVALID);
  CHECK(strcmp(error.message, "x has 0 values, but at least 1 is needed") == 0);
  CHECK(pp_stats_describe(x, 2, &out, &error) == PP_INVALID);
  CHECK(strcmp(error.message, "x[1] is NaN, but only finite values can be used") == 0);
  CHECK(pp_stats_describe(x + 2, 1, &out, &error) == PP_INVALID);
  CHECK(strcmp(error.message, "x[0] is infinite, but only finite values can be used") == 0);
}

int main(void) {
  numacc4();
  integers_are_exact();
  one_value_has_no_spread_to_know();
  equal_values_have_no_spread();
  extremes_of_a_double();
  bad_input();
  return test_end();
}
