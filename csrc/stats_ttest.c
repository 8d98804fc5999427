/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_ttest.c: Student's two-sample test, Welch's, and the paired one.
 *
 * Student, "The probable error of a mean", Biometrika 6, 1908; Welch, "The generalization of 'Student's' problem when
 * several different population variances are involved", Biometrika 34, 1947; degrees of freedom: Satterthwaite,
 * Biometrics Bulletin 2, 1946. Tails and limits by stats_student_t.c.
 * Limits: independent values (for correlated ones p is far too small: stats_ess.c), means that are close to normal.
 * A standard deviation that does not exceed the rounding of the inputs is zero: otherwise x and x + 0.1 would differ
 * "significantly", with a p that only says how 0.1 is rounded.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "stats_common.h"
#include "status.h"

typedef struct mean_test { /* what the three tests differ in */
  double difference, se, df;
} mean_test;

static pp_status finish_test(mean_test test, double confidence, pp_test *out, pp_error *error) {
  if (!isfinite(test.difference) || !isfinite(test.se))
    return pp_fail(error, PP_INVALID, 0, "the values are too large: their difference or its error exceeds a double");
  if (test.se == 0 && test.difference != 0)
    return pp_fail(error, PP_INVALID, 0,
                   "no spread: every difference from the means is zero, so the data cannot tell whether %g is chance",
                   test.difference);
  double t = test.se > 0 ? test.difference / test.se : NAN;
  double log_pvalue = pp_stats_t_log_two_sided(t, test.df);
  double margin = test.se > 0 ? -pp_stats_t_quantile((1 - confidence) / 2, test.df) * test.se : 0;
  *out = (pp_test){.statistic = t,
                   .df = test.df,
                   .pvalue = exp(log_pvalue),
                   .log_pvalue = log_pvalue,
                   .difference = test.difference,
                   .ci_low = test.difference - margin,
                   .ci_high = test.difference + margin};
  return PP_OK;
}

static double without_noise(double value, double magnitude) {
  return fabs(value) > DBL_EPSILON * magnitude ? value : 0;
}

static pp_status check_two(const double *x, size_t nx, const double *y, size_t ny, double confidence, pp_error *error) {
  pp_status status = pp_stats_check_values("x", x, nx, 2, error);
  if (!status)
    status = pp_stats_check_values("y", y, ny, 2, error);
  return status ? status : pp_stats_check_open_unit("confidence", confidence, error);
}

typedef struct two_samples {
  double difference, sd_x, sd_y;
} two_samples;

static two_samples moments_of_two(const double *x, size_t nx, const double *y, size_t ny) {
  pp_moments of_x = pp_stats_moments(x, nx), of_y = pp_stats_moments(y, ny);
  two_samples out = {.difference = of_x.mean - of_y.mean,
                     .sd_x = without_noise(of_x.sd, of_x.magnitude),
                     .sd_y = without_noise(of_y.sd, of_y.magnitude)};
  if (out.sd_x == 0 && out.sd_y == 0)
    out.difference = without_noise(out.difference, fmax(of_x.magnitude, of_y.magnitude));
  return out;
}

pp_status pp_stats_student(const double *x, size_t nx, const double *y, size_t ny, double confidence, pp_test *out,
                           pp_error *error) {
  pp_status status = check_two(x, nx, y, ny, confidence, error);
  if (status)
    return status;
  two_samples both = moments_of_two(x, nx, y, ny);
  double n_x = (double)nx, n_y = (double)ny, df = n_x + n_y - 2;
  double pooled = hypot(both.sd_x * sqrt((n_x - 1) / df), both.sd_y * sqrt((n_y - 1) / df));
  mean_test test = {.difference = both.difference, .se = pooled * sqrt(1 / n_x + 1 / n_y), .df = df};
  return finish_test(test, confidence, out, error);
}

pp_status pp_stats_welch(const double *x, size_t nx, const double *y, size_t ny, double confidence, pp_test *out,
                         pp_error *error) {
  pp_status status = check_two(x, nx, y, ny, confidence, error);
  if (status)
    return status;
  two_samples both = moments_of_two(x, nx, y, ny);
  double se_x = both.sd_x / sqrt((double)nx), se_y = both.sd_y / sqrt((double)ny), se = hypot(se_x, se_y);
  /* Satterthwaite's formula by the share that each sample has in the variance: squares of variances could underflow */
  double share_x = se > 0 ? (se_x / se) * (se_x / se) : 0.5, share_y = se > 0 ? (se_y / se) * (se_y / se) : 0.5;
  double df = 1 / (share_x * share_x / (double)(nx - 1) + share_y * share_y / (double)(ny - 1));
  return finish_test((mean_test){.difference = both.difference, .se = se, .df = df}, confidence, out, error);
}

pp_status pp_stats_paired(const double *x, const double *y, size_t n, double confidence, pp_test *out,
                          pp_error *error) {
  pp_status status = check_two(x, n, y, n, confidence, error);
  if (status)
    return status;
  double *differences = n <= SIZE_MAX / sizeof *x ? malloc(n * sizeof *x) : NULL;
  if (!differences)
    return pp_fail_memory(error);
  double magnitude = 0;
  bool overflow = false;
  for (size_t i = 0; i < n; i++) {
    differences[i] = x[i] - y[i];
    overflow |= !isfinite(differences[i]);
    magnitude = fmax(magnitude, fmax(fabs(x[i]), fabs(y[i])));
  }
  pp_moments moments = overflow ? (pp_moments){.mean = INFINITY} : pp_stats_moments(differences, n);
  free(differences);
  double sd = without_noise(moments.sd, magnitude);
  double mean = sd > 0 ? moments.mean : without_noise(moments.mean, magnitude);
  return finish_test((mean_test){.difference = mean, .se = sd / sqrt((double)n), .df = (double)n - 1}, confidence, out,
                     error);
}
