/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_tost.c: equivalence by two one-sided t tests.
 *
 * D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the power approach for assessing the
 * equivalence of average bioavailability", Journal of Pharmacokinetics and Biopharmaceutics 15, 1987. Both sides must
 * hold, each at alpha, so the p-value is the larger of the two; no adjustment is needed.
 * Limits: as stats_ttest.c. A region that was chosen after seeing the data proves nothing.
 */
#include <math.h>

#include "stats_common.h"
#include "status.h"

static pp_status check_region(double low, double high, double alpha, bool log, pp_error *error) {
  if (!(low < high) || isinf(low) || isinf(high))
    return pp_fail(error, PP_INVALID, 0, "low is %g and high %g, but low must lie below high", low, high);
  if (log && !(low < 0 && high > 0))
    return pp_fail(error, PP_INVALID, 0,
                   "low is %g and high %g, but with log they are logarithms of ratios, below and above 0", low, high);
  return pp_stats_check_alpha(alpha, error);
}

pp_status pp_stats_tost(const double *x, size_t nx, const double *y, size_t ny, pp_design design, bool log, double low,
                        double high, double alpha, pp_tost *out, pp_error *error) {
  pp_status status = check_region(low, high, alpha, log, error);
  if (status)
    return status;
  pp_ttest_options options = {.design = design, .log = log, .confidence = 1 - 2 * alpha};
  pp_test both, above_low, below_high;
  status = pp_stats_ttest(x, nx, y, ny, &options, &both, error);
  if (status)
    return status;
  *out = (pp_tost){.pvalue = NAN,
                   .log_pvalue = NAN,
                   .pvalue_low = NAN,
                   .pvalue_high = NAN,
                   .df = both.df,
                   .difference = both.difference,
                   .ci_low = both.ci_low,
                   .ci_high = both.ci_high};
  if (isnan(both.statistic)) /* no difference and no spread: nothing to test with */
    return PP_OK;
  options.alternative = PP_GREATER;
  options.null = low;
  status = pp_stats_ttest(x, nx, y, ny, &options, &above_low, error);
  if (status)
    return status;
  options.alternative = PP_LESS;
  options.null = high;
  status = pp_stats_ttest(x, nx, y, ny, &options, &below_high, error);
  if (status)
    return status;
  out->pvalue_low = above_low.pvalue;
  out->pvalue_high = below_high.pvalue;
  out->pvalue = fmax(above_low.pvalue, below_high.pvalue);
  out->log_pvalue = fmax(above_low.log_pvalue, below_high.log_pvalue);
  return PP_OK;
}
