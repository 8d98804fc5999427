/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_linregress.c: a straight line by least squares, with standard errors.
 *
 * C. F. Gauss' method, on deviations from the means (stats_common.c), so that no digits are lost to large offsets.
 * Limits: errors that are independent and of one variance. For RSS they are neither: a trend test on this slope calls
 * three of four trend-free series a leak. Use theil_sen over blocks.
 */
#include <math.h>

#include "stats_common.h"
#include "status.h"

pp_status pp_stats_linregress(const double *x, const double *y, size_t n, pp_line *out, pp_error *error) {
  pp_status status = pp_stats_check_values("x", x, n, 3, error);
  if (!status)
    status = pp_stats_check_values("y", y, n, 3, error);
  if (status)
    return status;
  pp_moments of_x = pp_stats_moments(x, n), of_y = pp_stats_moments(y, n);
  if (of_x.sd == 0)
    return pp_fail(error, PP_INVALID, 0, "all x are %g: there is no slope", x[0]);
  if (isinf(of_x.sd) || isinf(of_y.sd))
    return pp_fail(error, PP_INVALID, 0, "the values are too large: their standard deviation exceeds a double");
  double count = (double)n, products = 0, residuals = 0; /* deviations in units of their sd: no overflow */
  double unit_y = of_y.sd > 0 ? of_y.sd : 1;
  for (size_t i = 0; i < n; i++)
    products += (x[i] - of_x.mean) / of_x.sd * ((y[i] - of_y.mean) / unit_y);
  double r = products / (count - 1);
  for (size_t i = 0; i < n; i++) {
    double residual = (y[i] - of_y.mean) / unit_y - r * ((x[i] - of_x.mean) / of_x.sd);
    residuals += residual * residual;
  }
  double error_of_r = sqrt(residuals / (count - 2) / (count - 1)), scale = unit_y / of_x.sd;
  double spread_of_means = sqrt((count - 1) / count);
  *out = (pp_line){.slope = r * scale,
                   .intercept = of_y.mean - r * scale * of_x.mean,
                   .stderr_slope = error_of_r * scale,
                   .stderr_intercept = error_of_r * unit_y * hypot(spread_of_means, of_x.mean / of_x.sd)};
  if (!isfinite(out->slope) || !isfinite(out->intercept))
    return pp_fail(error, PP_INVALID, 0, "the slope or the intercept exceeds a double");
  return PP_OK;
}
