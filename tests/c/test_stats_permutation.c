/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>

#include "close.h"
#include "pp.h"
#include "test.h"

static const double zeros[64];

static pp_permutation flip(const double *d, size_t n, pp_alternative alternative) {
  pp_permutation out = {0};
  CHECK(pp_stats_permutation_test(d, zeros, n, alternative, 9999, 1, &out, NULL) == PP_OK);
  return out;
}

static void by_hand(void) {
  const double d[] = {1, 2, 3, 4, 5};
  pp_permutation test = flip(d, 5, PP_TWO_SIDED); /* nothing is ever more extreme than all of one sign: 2/32 */
  CHECK(test.exact && test.n_resamples == 32 && test.pvalue == 0.0625 && test.statistic == 3);
  CHECK(flip(d, 5, PP_GREATER).pvalue == 1.0 / 32 && flip(d, 5, PP_LESS).pvalue == 1);
  const double mixed[] = {-1, 2, 3}; /* sums 6 4 2 0 0 -2 -4 -6; observed 4 */
  CHECK(flip(mixed, 3, PP_TWO_SIDED).pvalue == 0.5 && flip(mixed, 3, PP_GREATER).pvalue == 0.25);
  CHECK(flip(mixed, 3, PP_LESS).pvalue == 7.0 / 8);
  const double none[] = {0, 0, 0, 0}, even[] = {1, -1};
  CHECK(flip(none, 4, PP_TWO_SIDED).pvalue == 1 && flip(none, 4, PP_LESS).pvalue == 1);
  CHECK(flip(even, 2, PP_TWO_SIDED).pvalue == 1);
}

static void same_as_enumeration(void) {
  unsigned state = 1;
  for (size_t n = 2; n <= 13; n++) {
    double d[13], sum = 0;
    for (size_t i = 0; i < n; i++) {
      state = state * 1664525u + 1013904223u;
      d[i] = (double)(state >> 24) - 100; /* whole: sums are exact, some are equal */
      sum += d[i];
    }
    double extreme = 0;
    for (unsigned signs = 0; signs < 1u << n; signs++) {
      double flipped = 0;
      for (size_t i = 0; i < n; i++)
        flipped += signs >> i & 1 ? -d[i] : d[i];
      extreme += fabs(flipped) >= fabs(sum);
    }
    CHECK(flip(d, n, PP_TWO_SIDED).pvalue == ldexp(extreme, -(int)n));
  }
}

/* 0.3 - 0.2 and 0.2 - 0.1 differ by rounding: every sum of one and the other's opposite is still 0. */
static void rounding(void) {
  const double x[] = {0.3, 0.1, 0.7, 0.5}, y[] = {0.2, 0.2, 0.6, 0.6};
  pp_permutation test;
  CHECK(pp_stats_permutation_test(x, y, 4, PP_TWO_SIDED, 1, 0, &test, NULL) == PP_OK && test.pvalue == 1);
}

static void exact_and_random_agree(void) {
  double d[40];
  for (size_t i = 0; i < 40; i++)
    d[i] = sin((double)i) + 0.25;
  pp_permutation exact = flip(d, 32, PP_TWO_SIDED), random, again;
  CHECK(exact.exact && exact.n_resamples == 4294967296.0);
  /* an added pair without a difference changes nothing, but is one too many to count all patterns */
  d[32] = 0;
  CHECK(pp_stats_permutation_test(d, zeros, 33, PP_TWO_SIDED, 200000, 7, &random, NULL) == PP_OK);
  CHECK(!random.exact && random.n_resamples == 200000);
  CHECK(fabs(random.pvalue - exact.pvalue) < 4 * sqrt(exact.pvalue / 200000));
  CHECK(pp_stats_permutation_test(d, zeros, 33, PP_TWO_SIDED, 200000, 7, &again, NULL) == PP_OK);
  CHECK(again.pvalue == random.pvalue);
  CHECK(pp_stats_permutation_test(d, zeros, 33, PP_TWO_SIDED, 200000, 8, &again, NULL) == PP_OK);
  CHECK(again.pvalue != random.pvalue);
  for (size_t i = 0; i < 40; i++)
    d[i] = 1;
  CHECK(flip(d, 40, PP_GREATER).pvalue == 1.0 / 10000); /* never 0 */
}

static void bad_input(void) {
  const double d[] = {1, NAN}, wide[] = {DBL_MAX, -DBL_MAX}, opposite[] = {-DBL_MAX, DBL_MAX};
  pp_permutation test;
  CHECK(pp_stats_permutation_test(d, zeros, 1, PP_TWO_SIDED, 9, 0, &test, NULL) == PP_INVALID);
  CHECK(pp_stats_permutation_test(d, zeros, 2, PP_TWO_SIDED, 9, 0, &test, NULL) == PP_INVALID);
  CHECK(pp_stats_permutation_test(zeros, d, 2, PP_TWO_SIDED, 9, 0, &test, NULL) == PP_INVALID);
  CHECK(pp_stats_permutation_test(zeros, zeros, 2, PP_TWO_SIDED, 0, 0, &test, NULL) == PP_INVALID);
  CHECK(pp_stats_permutation_test(zeros, zeros, 2, PP_TWO_SIDED, PP_MAX_RESAMPLES + 1, 0, &test, NULL) == PP_INVALID);
  CHECK(pp_stats_permutation_test(wide, opposite, 2, PP_TWO_SIDED, 9, 0, &test, NULL) == PP_INVALID);
}

int main(void) {
  by_hand();
  same_as_enumeration();
  rounding();
  exact_and_random_agree();
  bad_input();
  return test_end();
}
