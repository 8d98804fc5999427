/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_ttest.c: Student's two-sample test, Welch's, and the paired one; of values or of their logarithms, two-sided or
 * one-sided, against any difference.
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

/* ln of the p-value of t, for what `alternative` says */
static double log_pvalue_of(double t, double df, pp_alternative alternative) {
  if (alternative == PP_TWO_SIDED)
    return pp_stats_t_log_two_sided(t, df);
  return pp_stats_t_log_upper(alternative == PP_GREATER ? t : -t, df);
}

static pp_status finish_test(mean_test test, const pp_ttest_options *options, pp_test *out, pp_error *error) {
  if (!isfinite(test.difference) || !isfinite(test.se))
    return pp_fail(error, PP_INVALID, 0, "the values are too large: their difference or its error exceeds a double");
  if (test.se == 0 && test.difference != options->null)
    return pp_fail(error, PP_INVALID, 0,
                   "no spread: every difference from the means is zero, so the data cannot tell whether %g is chance",
                   test.difference);
  pp_alternative alternative = options->alternative;
  double t = test.se > 0 ? (test.difference - options->null) / test.se : NAN;
  double log_pvalue = log_pvalue_of(t, test.df, alternative);
  double outside = (1 - options->confidence) / (alternative == PP_TWO_SIDED ? 2 : 1);
  double reach = test.se > 0 ? -pp_stats_t_quantile(outside, test.df) * test.se : 0;
  *out = (pp_test){.statistic = t,
                   .df = test.df,
                   .pvalue = exp(log_pvalue),
                   .log_pvalue = log_pvalue,
                   .difference = test.difference,
                   .ci_low = alternative == PP_LESS ? -INFINITY : test.difference - reach,
                   .ci_high = alternative == PP_GREATER ? INFINITY : test.difference + reach};
  return PP_OK;
}

static double without_noise(double value, double magnitude) {
  return fabs(value) > DBL_EPSILON * magnitude ? value : 0;
}

/* `least_magnitude`: rounding of a value is that of one at least so large (1 for logarithms: what was rounded is the
 * value before) */
static mean_test independent_test(const double *x, size_t nx, const double *y, size_t ny, double least_magnitude,
                                  bool equal_variances) {
  pp_moments of_x = pp_stats_moments(x, nx), of_y = pp_stats_moments(y, ny);
  double magnitude_x = fmax(of_x.magnitude, least_magnitude), magnitude_y = fmax(of_y.magnitude, least_magnitude);
  double sd_x = without_noise(of_x.sd, magnitude_x), sd_y = without_noise(of_y.sd, magnitude_y);
  double difference = of_x.mean - of_y.mean, n_x = (double)nx, n_y = (double)ny;
  if (sd_x == 0 && sd_y == 0)
    difference = without_noise(difference, fmax(magnitude_x, magnitude_y));
  if (equal_variances) {
    double df = n_x + n_y - 2, pooled = hypot(sd_x * sqrt((n_x - 1) / df), sd_y * sqrt((n_y - 1) / df));
    return (mean_test){.difference = difference, .se = pooled * sqrt(1 / n_x + 1 / n_y), .df = df};
  }
  double se_x = sd_x / sqrt(n_x), se_y = sd_y / sqrt(n_y), se = hypot(se_x, se_y);
  /* Satterthwaite's formula by the share that each sample has in the variance: squares of variances could underflow */
  double share_x = se > 0 ? (se_x / se) * (se_x / se) : 0.5, share_y = se > 0 ? (se_y / se) * (se_y / se) : 0.5;
  double df = 1 / (share_x * share_x / (n_x - 1) + share_y * share_y / (n_y - 1));
  return (mean_test){.difference = difference, .se = se, .df = df};
}

static pp_status paired_test(const double *x, const double *y, size_t n, double least_magnitude, mean_test *out,
                             pp_error *error) {
  double *differences = malloc(n * sizeof *x);
  if (!differences)
    return pp_fail_memory(error);
  double magnitude = least_magnitude;
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
  *out = (mean_test){.difference = mean, .se = sd / sqrt((double)n), .df = (double)n - 1};
  return PP_OK;
}

static pp_status check_samples(const double *x, size_t nx, const double *y, size_t ny, const pp_ttest_options *options,
                               pp_error *error) {
  pp_status status = pp_stats_check_values("x", x, nx, 2, error);
  if (!status)
    status = pp_stats_check_values("y", y, ny, 2, error);
  if (!status)
    status = pp_stats_check_open_unit("confidence", options->confidence, error);
  if (status)
    return status;
  if (options->design == PP_PAIRED && nx != ny)
    return pp_fail(error, PP_INVALID, 0, "x and y must have the same length, but have %zu and %zu values", nx, ny);
  if (!isfinite(options->null))
    return pp_fail(error, PP_INVALID, 0, "the difference to test against is %g, but must be finite", options->null);
  return PP_OK;
}

static pp_status take_logs(const char *name, const double *x, size_t n, double *logs, pp_error *error) {
  for (size_t i = 0; i < n; i++) {
    if (!(x[i] > 0))
      return pp_fail(error, PP_INVALID, 0, "%s[%zu] is %g, but only values above 0 have a logarithm", name, i, x[i]);
    logs[i] = log(x[i]);
  }
  return PP_OK;
}

static pp_status run_test(const double *x, size_t nx, const double *y, size_t ny, const pp_ttest_options *options,
                          pp_test *out, pp_error *error) {
  double least_magnitude = options->log ? 1 : 0;
  mean_test test = {0, 0, 0};
  if (options->design == PP_PAIRED) {
    pp_status status = paired_test(x, y, nx, least_magnitude, &test, error);
    if (status)
      return status;
  } else {
    test = independent_test(x, nx, y, ny, least_magnitude, options->design == PP_STUDENT);
  }
  return finish_test(test, options, out, error);
}

pp_status pp_stats_ttest(const double *x, size_t nx, const double *y, size_t ny, const pp_ttest_options *options,
                         pp_test *out, pp_error *error) {
  pp_status status = check_samples(x, nx, y, ny, options, error);
  if (status || !options->log)
    return status ? status : run_test(x, nx, y, ny, options, out, error);
  double *logs = malloc((nx + ny) * sizeof *logs);
  if (!logs)
    return pp_fail_memory(error);
  status = take_logs("x", x, nx, logs, error);
  if (!status)
    status = take_logs("y", y, ny, logs + nx, error);
  if (!status)
    status = run_test(logs, nx, logs + nx, ny, options, out, error);
  free(logs);
  return status;
}
