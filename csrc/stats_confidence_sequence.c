/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_confidence_sequence.c: limits for a mean that hold however often one looks.
 *
 * The t statistic's likelihood ratio, mixed over a normal distribution of the standardised mean with variance 1/c, is a
 * martingale whatever the variance is, and so exceeds 1/(2 alpha) at any time with a probability of at most 2 alpha (T.
 * L. Lai, "On confidence sequences", Annals of Statistics 4, 1976; H. Wang, A. Ramdas, "Anytime-valid t-tests and
 * confidence sequences for Gaussian means with unknown variance", Sequential Analysis 44, 2025). Solved for the mean:
 *   mean +- k s / sqrt(n),  k^2 = (n - 1)(q - 1)/(1 - q r),  r = c/(n + c),  q = exp(2/n (ln(1/(2 alpha)) - ln(r)/2))
 * and no limit while q r >= 1. By symmetry each side has half of 2 alpha.
 * Limits: independent differences that are close to normal. The estimate at a stop that the data chose is biased: the
 * interval is the result. Differences without spread (one that does not exceed the rounding of their size) say nothing:
 * no limits.
 */
#include <float.h>
#include <math.h>

#include "stats_common.h"
#include "status.h"

static double width_factor(double n, double alpha, double c) {
  double r = c / (n + c), q_minus_1 = expm1(2 / n * (-log(2 * alpha) - 0.5 * log(r)));
  double room = 1 - (q_minus_1 + 1) * r;
  return room > 0 ? sqrt((n - 1) * q_minus_1 / room) : INFINITY;
}

pp_status pp_stats_confidence_sequence(const double *d, size_t n, double alpha, double c, double *low, double *high,
                                       pp_error *error) {
  pp_status status = pp_stats_check_values("d", d, n, 1, error);
  if (!status)
    status = pp_stats_check_alpha(alpha, error);
  if (status)
    return status;
  if (!(c > 0) || isinf(c))
    return pp_fail(error, PP_INVALID, 0, "c is %g, but must be above 0", c);
  double mean = 0, squares = 0, magnitude = 0; /* Welford's updates */
  for (size_t i = 0; i < n; i++) {
    double count = (double)i + 1, deviation = d[i] - mean;
    mean += deviation / count;
    squares += deviation * (d[i] - mean);
    magnitude = fmax(magnitude, fabs(d[i]));
    double sd = sqrt(squares / fmax(count - 1, 1));
    if (!isfinite(sd))
      return pp_fail(error, PP_INVALID, 0, "the values are too large: their variance exceeds a double");
    bool spreads = sd > DBL_EPSILON * magnitude;
    double reach = spreads ? width_factor(count, alpha, c) * sd / sqrt(count) : INFINITY;
    low[i] = mean - reach;
    high[i] = mean + reach;
  }
  return PP_OK;
}
