/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>

#include "close.h"
#include "pp.h"
#include "test.h"

static void by_hand(void) { /* r = 1, 0.25, -0.3, -0.45: the first pair gives 1 + 2 * 0.25 */
  const double x[] = {1, 2, 3, 4};
  double ess;
  CHECK(pp_stats_effective_sample_size(x, 4, &ess, NULL) == PP_OK && agrees(ess, 4 / 1.5, 15));
}

/* A first-order autoregressive series with coefficient r is worth n (1 - r) / (1 + r). */
static void autoregressive(void) {
  enum { N = 50000 };
  static double x[N];
  const double coefficients[] = {0, 0.5, 0.9};
  unsigned long long state = 1;
  for (size_t k = 0; k < COUNT(coefficients); k++) {
    double r = coefficients[k], value = 0, ess;
    for (size_t i = 0; i < N; i++) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      value = r * value + (double)(state >> 11) * 0x1p-53 - 0.5;
      x[i] = 1e6 + value;
    }
    CHECK(pp_stats_effective_sample_size(x, N, &ess, NULL) == PP_OK);
    CHECK(fabs(ess / (N * (1 - r) / (1 + r)) - 1) < 0.15);
  }
}

static void autocorrelation(void) {
  const double x[] = {1, 2, 3, 4}, flat[] = {0.1, 0.1};
  double r;
  CHECK(pp_stats_autocorrelation(x, 4, 1, &r, NULL) == PP_OK && agrees(r, 0.25, 15));
  CHECK(pp_stats_autocorrelation(x, 4, 3, &r, NULL) == PP_OK && agrees(r, -0.45, 15));
  CHECK(pp_stats_autocorrelation(flat, 2, 1, &r, NULL) == PP_OK && isnan(r));
  double numacc4[1001] = {10000000.2}; /* NIST StRD */
  for (size_t i = 1; i < COUNT(numacc4); i++)
    numacc4[i] = i % 2 ? 10000000.1 : 10000000.3;
  CHECK(pp_stats_autocorrelation(numacc4, COUNT(numacc4), 1, &r, NULL) == PP_OK && agrees(r, -0.999, 9));
}

static void bounds(void) {
  double ess, x[1000];
  for (size_t i = 0; i < 1000; i++)
    x[i] = i % 2 ? 1 : -1;
  CHECK(pp_stats_effective_sample_size(x, 1000, &ess, NULL) == PP_OK && ess == 1000); /* alternating: n, not more */
  for (size_t i = 0; i < 1000; i++)
    x[i] = 0.1;
  CHECK(pp_stats_effective_sample_size(x, 1000, &ess, NULL) == PP_OK && ess == 1);
  for (size_t i = 0; i < 1000; i++)
    x[i] = (double)i;
  CHECK(pp_stats_effective_sample_size(x, 1000, &ess, NULL) == PP_OK && ess >= 1 && ess < 5);
  const double large[] = {1.7e308, 1.6e308, 1.7e308, 1.6e308, 1.5e308};
  CHECK(pp_stats_effective_sample_size(large, 5, &ess, NULL) == PP_OK && ess >= 1 && ess <= 5);
}

static void bad_input(void) {
  const double x[] = {1, INFINITY}, wide[] = {-DBL_MAX, DBL_MAX};
  double ess;
  CHECK(pp_stats_effective_sample_size(x, 1, &ess, NULL) == PP_INVALID);
  CHECK(pp_stats_effective_sample_size(x, 2, &ess, NULL) == PP_INVALID);
  CHECK(pp_stats_effective_sample_size(wide, 2, &ess, NULL) == PP_INVALID);
  CHECK(pp_stats_autocorrelation(x, 1, 1, &ess, NULL) == PP_INVALID);
  CHECK(pp_stats_autocorrelation(x, 2, 1, &ess, NULL) == PP_INVALID);
  CHECK(pp_stats_autocorrelation(wide, 2, 1, &ess, NULL) == PP_INVALID);
  CHECK(pp_stats_autocorrelation(wide, 2, 0, &ess, NULL) == PP_INVALID);
  CHECK(pp_stats_autocorrelation(wide, 2, 2, &ess, NULL) == PP_INVALID);
  CHECK(pp_stats_effective_sample_size(x, PP_EFFECTIVE_SAMPLE_SIZE_MAX_N + 1, &ess, NULL) == PP_INVALID);
}

int main(void) {
  by_hand();
  autoregressive();
  autocorrelation();
  bounds();
  bad_input();
  return test_end();
}
