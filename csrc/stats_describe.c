/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_describe.c: number, mean, standard deviation, standard error, extremes and median of one series.
 *
 * Method and source of the moments: stats_common.c. The standard error is that of independent values, sd / sqrt(n):
 * for correlated ones it is too small (stats_ess.c says by how much).
 */
#include <math.h>
#include <stdlib.h>

#include "stats_common.h"
#include "status.h"

pp_status pp_stats_describe(const double *x, size_t n, pp_description *out, pp_error *error) {
  pp_status status = pp_stats_check_values("x", x, n, 1, error);
  if (status)
    return status;
  double *sorted = pp_stats_sorted(x, n, error);
  if (!sorted)
    return PP_NOMEM;
  pp_moments moments = pp_stats_moments(x, n);
  *out = (pp_description){.n = n,
                          .mean = moments.mean,
                          .sd = moments.sd,
                          .se = moments.sd / sqrt((double)n),
                          .min = sorted[0],
                          .max = sorted[n - 1],
                          .median = pp_stats_sorted_median(sorted, n)};
  free(sorted);
  if (isinf(out->sd))
    return pp_fail(error, PP_INVALID, 0, "x spreads too far: its standard deviation exceeds a double");
  return PP_OK;
}
