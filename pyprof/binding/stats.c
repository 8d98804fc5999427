/* SPDX-License-Identifier: Apache-2.0
 *
 * stats.c: the statistics of csrc/stats_*.c as functions. A new one is one row of STATISTICS and the few lines that
 * hand its arguments on.
 */
#include <math.h>
#include <string.h>

#include "statistic.h"

/* ---- one adaptor each: `out` takes the result's fields in order ------------------------------------------------- */

#define SERIES(i) in->series[i].data, in->series[i].n
#define PUT(...)                                                                                                       \
  do {                                                                                                                 \
    const double fields[] = {__VA_ARGS__};                                                                             \
    memcpy(out->value, fields, sizeof fields);                                                                         \
  } while (0)

static pp_status invalid(pp_error *error, const char *format, ...) {
  va_list values;
  va_start(values, format);
  error->status = PP_INVALID;
  PyOS_vsnprintf(error->message, sizeof error->message, format, values);
  va_end(values);
  return PP_INVALID;
}

static pp_status check_equal_length(const core_arguments *in, pp_error *error) {
  if (in->series[0].n == in->series[1].n)
    return PP_OK;
  return invalid(error, "x and y must have the same length, but have %zu and %zu values", in->series[0].n,
                 in->series[1].n);
}

static pp_status check_blocks(double n, pp_error *error) {
  if (n >= 2 && n <= 1e9 && n == floor(n))
    return PP_OK;
  return invalid(error, "n is %g, but must be a whole number of blocks, 2 or more", n);
}

static pp_status describe(const core_arguments *in, core_results *out, pp_error *error) {
  pp_description d = {0};
  pp_status status = pp_stats_describe(SERIES(0), &d, error);
  PUT((double)d.n, d.mean, d.sd, d.se, d.min, d.max, d.median);
  return status;
}

static pp_status ttest(const core_arguments *in, const pp_ttest_options *options, core_results *out, pp_error *error) {
  pp_test test = {0};
  pp_status status = pp_stats_ttest(SERIES(0), SERIES(1), options, &test, error);
  PUT(test.statistic, test.pvalue, test.log_pvalue, test.df, test.difference, test.ci_low, test.ci_high);
  return status;
}

static pp_status ttest_of(pp_design design, const core_arguments *in, core_results *out, pp_error *error) {
  const pp_ttest_options options = {.design = design,
                                    .confidence = in->number[2],
                                    .alternative = (pp_alternative)in->number[3],
                                    .log = in->number[4] != 0};
  return ttest(in, &options, out, error);
}

static pp_status student(const core_arguments *in, core_results *out, pp_error *error) {
  return ttest_of(PP_STUDENT, in, out, error);
}

static pp_status welch(const core_arguments *in, core_results *out, pp_error *error) {
  return ttest_of(PP_WELCH, in, out, error);
}

static pp_status paired(const core_arguments *in, core_results *out, pp_error *error) {
  return ttest_of(PP_PAIRED, in, out, error);
}

static pp_status noninferiority(const core_arguments *in, core_results *out, pp_error *error) {
  const pp_ttest_options options = {.design = (pp_design)in->number[3],
                                    .alternative = PP_LESS,
                                    .log = in->number[4] != 0,
                                    .null = in->number[2],
                                    .confidence = 1 - in->number[5]};
  if (!(in->number[5] > 0 && in->number[5] < 0.5))
    return invalid(error, "alpha is %g, but must lie between 0 and 0.5", in->number[5]);
  return ttest(in, &options, out, error);
}

static pp_status tost(const core_arguments *in, core_results *out, pp_error *error) {
  pp_tost t = {0};
  pp_status status = pp_stats_tost(SERIES(0), SERIES(1), (pp_design)in->number[4], in->number[5] != 0, in->number[2],
                                   in->number[3], in->number[6], &t, error);
  PUT(t.pvalue, t.log_pvalue, t.df, t.difference, t.ci_low, t.ci_high, t.pvalue_low, t.pvalue_high);
  return status;
}

static pp_status mannwhitneyu(const core_arguments *in, core_results *out, pp_error *error) {
  pp_mannwhitney test = {0};
  pp_status status = pp_stats_mannwhitneyu(SERIES(0), SERIES(1), (pp_alternative)in->number[2],
                                           (pp_method)in->number[3], &test, error);
  PUT(test.statistic, test.pvalue, test.log_pvalue, test.exact);
  return status;
}

static void put_shift(const pp_shift *shift, core_results *out) {
  PUT(shift->estimate, shift->ci_low, shift->ci_high, shift->confidence);
}

static pp_status hodges_lehmann(const core_arguments *in, core_results *out, pp_error *error) {
  pp_shift shift = {0};
  pp_status status = pp_stats_hodges_lehmann(SERIES(0), SERIES(1), in->number[2], &shift, error);
  put_shift(&shift, out);
  return status;
}

static pp_status pseudomedian(const core_arguments *in, core_results *out, pp_error *error) {
  pp_shift shift = {0};
  pp_status status = pp_stats_pseudomedian(SERIES(0), in->number[1], &shift, error);
  put_shift(&shift, out);
  return status;
}

static pp_status permutation_test(const core_arguments *in, core_results *out, pp_error *error) {
  pp_permutation test = {0};
  pp_status status = check_equal_length(in, error);
  if (!status)
    status = pp_stats_permutation_test(in->series[0].data, SERIES(1), (pp_alternative)in->number[4],
                                       (size_t)in->whole[3], in->whole[2], &test, error);
  PUT(test.statistic, test.pvalue, test.n_resamples, test.exact);
  return status;
}

static pp_status confidence_sequence(const core_arguments *in, core_results *out, pp_error *error) {
  double *low = out->list[0].data, *high = out->list[1].data;
  pp_status status = pp_stats_confidence_sequence(SERIES(0), in->number[1], in->number[2], low, high, error);
  pp_description d = {0};
  if (!status)
    status = pp_stats_describe(SERIES(0), &d, error);
  if (!status)
    PUT((double)d.n, d.mean, low[d.n - 1], high[d.n - 1]);
  return status;
}

static pp_status bootstrap(const core_arguments *in, core_results *out, pp_error *error) {
  const core_groups *x = &in->groups[0], *y = &in->groups[1];
  const pp_processes of_x = {x->data, x->sizes, x->n}, of_y = {y->data, y->sizes, y->n};
  pp_bootstrap b = {0};
  pp_status status = pp_stats_bootstrap(&of_x, y->data ? &of_y : NULL, (pp_contrast)in->number[3], (size_t)in->whole[4],
                                        in->number[5], in->whole[2], &b, error);
  PUT(b.estimate, b.standard_error, b.ci_low, b.ci_high);
  return status;
}

static pp_status theil_sen(const core_arguments *in, core_results *out, pp_error *error) {
  pp_slope slope = {0};
  pp_status status = check_equal_length(in, error);
  if (!status)
    status = pp_stats_theil_sen(in->series[0].data, SERIES(1), in->number[2], &slope, error);
  PUT(slope.slope, slope.intercept, slope.ci_low, slope.ci_high);
  return status;
}

static pp_status linregress(const core_arguments *in, core_results *out, pp_error *error) {
  pp_line line = {0};
  pp_status status = check_equal_length(in, error);
  if (!status)
    status = pp_stats_linregress(in->series[0].data, SERIES(1), &line, error);
  PUT(line.slope, line.intercept, line.stderr_slope, line.stderr_intercept);
  return status;
}

static pp_status effective_sample_size(const core_arguments *in, core_results *out, pp_error *error) {
  return pp_stats_effective_sample_size(SERIES(0), out->value, error);
}

static pp_status autocorrelation(const core_arguments *in, core_results *out, pp_error *error) {
  return pp_stats_autocorrelation(SERIES(0), (size_t)in->whole[1], out->value, error);
}

static pp_status holm(const core_arguments *in, core_results *out, pp_error *error) {
  return pp_stats_holm(SERIES(0), out->list[0].data, error);
}

static pp_status benjamini_hochberg(const core_arguments *in, core_results *out, pp_error *error) {
  return pp_stats_benjamini_hochberg(SERIES(0), out->list[0].data, error);
}

static pp_status power(const core_arguments *in, core_results *out, pp_error *error) {
  const pp_plan plan = {
      .sd = in->number[0], .high = in->number[2], .low = in->number[3], .cost = in->number[4], .alpha = in->number[5]};
  pp_status status = check_blocks(in->number[1], error);
  return status ? status : pp_stats_power(&plan, (size_t)in->number[1], out->value, error);
}

static pp_status required_blocks(const core_arguments *in, core_results *out, pp_error *error) {
  const pp_plan plan = {
      .sd = in->number[0], .high = in->number[1], .low = in->number[2], .cost = in->number[3], .alpha = in->number[4]};
  size_t blocks = 0;
  pp_status status = pp_stats_required_blocks(&plan, in->number[5], &blocks, error);
  PUT((double)blocks);
  return status;
}

static pp_status settleable_margin(const core_arguments *in, core_results *out, pp_error *error) {
  double n = in->number[1];
  pp_status status = check_blocks(n, error);
  if (!status)
    status = pp_stats_settleable_margin(in->number[0], (size_t)n, in->number[2], in->number[3], out->value, error);
  return status;
}

static pp_status sd_limits(const core_arguments *in, core_results *out, pp_error *error) {
  return pp_stats_sd_limits(in->number[0], (size_t)in->whole[1], in->number[2], &out->value[0], &out->value[1], error);
}

static pp_status log_two_sided_t(const core_arguments *in, core_results *out, pp_error *error) {
  double t = in->number[0], df = in->number[1], found = pp_stats_t_log_two_sided(t, df);
  PUT(found);
  return isnan(found) ? invalid(error, "t is %g and df %g, but t must be a number, and df above 0", t, df) : PP_OK;
}

static pp_status t_quantile(const core_arguments *in, core_results *out, pp_error *error) {
  double p = in->number[0], df = in->number[1], found = pp_stats_t_quantile(p, df);
  PUT(found);
  return isnan(found) ? invalid(error, "p is %g and df %g, but p must lie between 0 and 1, and df above 0", p, df)
                      : PP_OK;
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

#define NAMES(...)                                                                                                     \
  { __VA_ARGS__, NULL }
#define DEFAULTS(...)                                                                                                  \
  { __VA_ARGS__ }
#define NONE NAN /* of what must be given, or is not a number */

#define T_TEST(name, text)                                                                                             \
  X(name, "ssnab", "OO|$OOO", NAMES("x", "y", "confidence", "alternative", "log"),                                     \
    DEFAULTS(NONE, NONE, 0.95, PP_TWO_SIDED, 0), RESULT_T_TEST,                                                        \
    "x, y, *, confidence=0.95, alternative='two-sided', log=False", text)

/* adaptor and name, kinds of parameters, parse format, parameters, their defaults, result, signature, text */
#define STATISTICS                                                                                                     \
  X(describe, "s", "O", NAMES("x"), DEFAULTS(NONE), RESULT_DESCRIPTION, "x",                                           \
    "Number, mean, standard deviation and error (n - 1; NaN for one value), extremes and median of x.")                \
  T_TEST(student, "Student's test of two independent samples with one variance: mean(x) - mean(y).")                   \
  T_TEST(welch, "Welch's test of two independent samples: mean(x) - mean(y).")                                         \
  T_TEST(paired, "Student's test of pairs: the mean of x - y.")                                                        \
  X(noninferiority, "ssndbn", "OOO|$OOO", NAMES("x", "y", "margin", "design", "log", "alpha"),                         \
    DEFAULTS(NONE, NONE, NONE, PP_WELCH, 0, 0.05), RESULT_T_TEST,                                                      \
    "x, y, margin, *, design='welch', log=False, alpha=0.05",                                                          \
    "One-sided t test that mean(x) - mean(y) is below margin; ci_high is the upper limit at 1 - alpha.")               \
  X(tost, "ssnndbn", "OOOO|$OOO", NAMES("x", "y", "low", "high", "design", "log", "alpha"),                            \
    DEFAULTS(NONE, NONE, NONE, NONE, PP_WELCH, 0, 0.05), RESULT_TOST,                                                  \
    "x, y, low, high, *, design='welch', log=False, alpha=0.05",                                                       \
    "Two one-sided t tests that mean(x) - mean(y) lies between low and high.")                                         \
  X(mannwhitneyu, "ssam", "OO|$OO", NAMES("x", "y", "alternative", "method"),                                          \
    DEFAULTS(NONE, NONE, PP_TWO_SIDED, PP_AUTO), RESULT_MANN_WHITNEY,                                                  \
    "x, y, *, alternative='two-sided', method='auto'",                                                                 \
    "Mann-Whitney U test; 'auto' is exact, ties included, up to 2,500 pairs.")                                         \
  X(hodges_lehmann, "ssn", "OO|$O", NAMES("x", "y", "confidence"), DEFAULTS(NONE, NONE, 0.95), RESULT_SHIFT,           \
    "x, y, *, confidence=0.95", "Median of all x[i] - y[j]; infinite limits for few values.")                          \
  X(pseudomedian, "sn", "O|$O", NAMES("x", "confidence"), DEFAULTS(NONE, 0.95), RESULT_SHIFT, "x, *, confidence=0.95", \
    "Hodges-Lehmann for one sample, or differences of pairs: the median of all (x[i] + x[j])/2, i <= j.")              \
  X(permutation_test, "sswwa", "OO|$OOO", NAMES("x", "y", "seed", "n_resamples", "alternative"),                       \
    DEFAULTS(NONE, NONE, NONE, 99999, PP_TWO_SIDED), RESULT_PERMUTATION,                                               \
    "x, y, *, seed, n_resamples=99999, alternative='two-sided'",                                                       \
    "Sign-flip test of pairs; all patterns up to 32 pairs, else n_resamples random ones.")                             \
  X(confidence_sequence, "snn", "O|$OO", NAMES("d", "alpha", "c"), DEFAULTS(NONE, 0.05, 4), RESULT_SEQUENCE,           \
    "d, *, alpha=0.05, c=4", "Limits for the mean of d that hold at every look, each side at alpha.")                  \
  X(bootstrap, "gGwcwn", "O|O$OOOO", NAMES("x", "y", "seed", "contrast", "n_resamples", "confidence"),                 \
    DEFAULTS(NONE, NONE, NONE, PP_DIFFERENCE, 10000, 0.95), RESULT_BOOTSTRAP,                                          \
    "x, y=None, *, seed, contrast='difference', n_resamples=10000, confidence=0.95",                                   \
    "Two-level bootstrap of means over processes, each a sequence of samples: of x, or of x against y.")               \
  X(theil_sen, "ssn", "OO|$O", NAMES("x", "y", "confidence"), DEFAULTS(NONE, NONE, 0.95), RESULT_SLOPE,                \
    "x, y, *, confidence=0.95",                                                                                        \
    "Median of the pairwise slopes of y over x, with Sen's interval; infinite limits for few points.")                 \
  X(linregress, "ss", "OO", NAMES("x", "y"), DEFAULTS(NONE, NONE), RESULT_LINE, "x, y",                                \
    "Line through y over x by least squares, with standard errors.")                                                   \
  X(effective_sample_size, "s", "O", NAMES("x"), DEFAULTS(NONE), RESULT_FLOAT, "x",                                    \
    "How many independent values the correlated series x is worth: from 1 to len(x).")                                 \
  X(autocorrelation, "sw", "O|$O", NAMES("x", "lag"), DEFAULTS(NONE, 1), RESULT_FLOAT, "x, *, lag=1",                  \
    "Correlation of the series x with itself, lag values later; NaN for a constant series.")                           \
  X(holm, "s", "O", NAMES("p"), DEFAULTS(NONE), RESULT_LIST, "p",                                                      \
    "Holm's adjusted p-values, in the order of p: any one below alpha is wrong with at most that chance.")             \
  X(benjamini_hochberg, "s", "O", NAMES("p"), DEFAULTS(NONE), RESULT_LIST, "p",                                        \
    "Benjamini and Hochberg's adjusted p-values: of those below alpha at most that share is wrong.")                   \
  X(power, "nnnnnn", "OOO|$OOO", NAMES("sd", "n", "margin", "low", "cost", "alpha"),                                   \
    DEFAULTS(NONE, NONE, NONE, -INFINITY, 0, 0.05), RESULT_FLOAT, "sd, n, margin, *, low=-inf, cost=0.0, alpha=0.05",  \
    "Chance that n blocks settle \"costs at most margin\", or with low \"between low and margin\".")                   \
  X(required_blocks, "nnnnnn", "OO|$OOOO", NAMES("sd", "margin", "low", "cost", "alpha", "power"),                     \
    DEFAULTS(NONE, NONE, -INFINITY, 0.0, 0.05, 0.9), RESULT_INT,                                                       \
    "sd, margin, *, low=-inf, cost=0.0, alpha=0.05, power=0.9",                                                        \
    "Blocks for that verdict, where block differences have standard deviation sd.")                                    \
  X(settleable_margin, "nnnn", "OO|$OO", NAMES("sd", "n", "alpha", "power"), DEFAULTS(NONE, NONE, 0.05, 0.9),          \
    RESULT_FLOAT, "sd, n, *, alpha=0.05, power=0.9", "The smallest margin that n blocks settle when the cost is 0.")   \
  X(sd_limits, "nwn", "OO|$O", NAMES("sd", "n", "confidence"), DEFAULTS(NONE, NONE, 0.9), RESULT_SD_LIMITS,            \
    "sd, n, *, confidence=0.9", "Confidence limits of the standard deviation of which n normal values showed sd.")     \
  X(log_two_sided_t, "nn", "OO", NAMES("t", "df"), DEFAULTS(NONE, NONE), RESULT_FLOAT, "t, df",                        \
    "Natural logarithm of P(|T| >= |t|) for Student's t; df may be infinite (normal).")                                \
  X(t_quantile, "nn", "OO", NAMES("p", "df"), DEFAULTS(NONE, NONE), RESULT_FLOAT, "p, df",                             \
    "The t with P(T <= t) = p for Student's t; df may be infinite (normal).")

#define X(name, kinds, format, names, defaults, result, signature, text)                                               \
  static PyObject *bound_##name(PyObject *module, PyObject *args, PyObject *keywords) {                                \
    static const core_statistic row = {name, kinds, format ":" #name, names, defaults, result};                        \
    return core_call(module, args, keywords, &row);                                                                    \
  }
STATISTICS
#undef X

#define X(name, kinds, format, names, defaults, result, signature, text)                                               \
  {#name, (PyCFunction)(void (*)(void))bound_##name, METH_VARARGS | METH_KEYWORDS,                                     \
   #name "($module, " signature ")\n--\n\n" text},
PyMethodDef core_stats_functions[] = {STATISTICS{NULL, NULL, 0, NULL}};
#undef X
