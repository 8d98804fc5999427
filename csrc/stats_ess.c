/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_ess.c: the autocorrelation of a series, and its effective sample size.
 *
 * n / (1 + 2 (r_1 + r_2 + ...)), where r_k is the autocorrelation at lag k (the biased estimator, divided by n). The
 * sum stops before the first pair r_2m + r_2m+1 that is not positive: the initial positive sequence of C. J. Geyer,
 * "Practical Markov chain Monte Carlo", Statistical Science 7, 1992.
 * Limits: a stationary series. A trend counts as correlation, which is the safe side. A series that alternates would be
 * worth more than n by this formula: it is given n.
 */
#include <math.h>
#include <stdlib.h>

#include "stats_common.h"
#include "status.h"

static double lagged_product(const double *deviations, size_t n, size_t lag) {
  double sum = 0;
  for (size_t i = lag; i < n; i++)
    sum += deviations[i] * deviations[i - lag];
  return sum;
}

/* Deviations from the mean in units of their standard deviation, or NULL in *out for a constant series; the caller
 * frees. */
static pp_status deviations_of(const double *x, size_t n, double **out, pp_error *error) {
  pp_moments moments = pp_stats_moments(x, n);
  *out = NULL;
  if (isinf(moments.sd))
    return pp_fail(error, PP_INVALID, 0, "x spreads too far: its standard deviation exceeds a double");
  if (moments.sd == 0)
    return PP_OK;
  double *deviations = malloc(n * sizeof *deviations);
  if (!deviations)
    return pp_fail_memory(error);
  for (size_t i = 0; i < n; i++) /* halved, so that the difference of large values stays finite */
    deviations[i] = (0.5 * x[i] - 0.5 * moments.mean) / moments.sd;
  *out = deviations;
  return PP_OK;
}

pp_status pp_stats_autocorrelation(const double *x, size_t n, size_t lag, double *out, pp_error *error) {
  pp_status status = pp_stats_check_values("x", x, n, 2, error);
  if (status)
    return status;
  if (lag < 1 || lag >= n)
    return pp_fail(error, PP_INVALID, 0, "lag is %zu, but must lie between 1 and %zu", lag, n - 1);
  double *deviations;
  status = deviations_of(x, n, &deviations, error);
  if (status)
    return status;
  *out = deviations ? lagged_product(deviations, n, lag) / lagged_product(deviations, n, 0) : NAN;
  free(deviations);
  return PP_OK;
}

pp_status pp_stats_effective_sample_size(const double *x, size_t n, double *out, pp_error *error) {
  if (n > PP_EFFECTIVE_SAMPLE_SIZE_MAX_N)
    return pp_fail(error, PP_INVALID, 0, "%zu values are too many for all lags: use at most %d", n,
                   PP_EFFECTIVE_SAMPLE_SIZE_MAX_N);
  pp_status status = pp_stats_check_values("x", x, n, 2, error);
  if (status)
    return status;
  double *deviations;
  status = deviations_of(x, n, &deviations, error);
  *out = 1;
  if (status || !deviations)
    return status;
  double variance = lagged_product(deviations, n, 0), time = -1; /* r_0 = 1 is in the first pair, but counts once */
  for (size_t lag = 0; lag + 1 < n; lag += 2) {
    double pair = (lagged_product(deviations, n, lag) + lagged_product(deviations, n, lag + 1)) / variance;
    if (!(pair > 0))
      break;
    time += 2 * pair;
  }
  free(deviations);
  *out = fmax(1, (double)n / fmax(time, 1));
  return PP_OK;
}
