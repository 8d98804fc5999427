/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>

#include "close.h"
#include "pp.h"
#include "test.h"

/* R's data set `sleep` */
static const double sleep_x[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2};
static const double sleep_y[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

static pp_status test(pp_design design, const double *x, size_t nx, const double *y, size_t ny, double confidence,
                      pp_test *out, pp_error *error) {
  const pp_ttest_options options = {.design = design, .confidence = confidence};
  return pp_stats_ttest(x, nx, y, ny, &options, out, error);
}

static pp_status student(const double *x, size_t nx, const double *y, size_t ny, double confidence, pp_test *out,
                         pp_error *error) {
  return test(PP_STUDENT, x, nx, y, ny, confidence, out, error);
}

static pp_status welch(const double *x, size_t nx, const double *y, size_t ny, double confidence, pp_test *out,
                       pp_error *error) {
  return test(PP_WELCH, x, nx, y, ny, confidence, out, error);
}

static pp_status paired(const double *x, const double *y, size_t n, double confidence, pp_test *out, pp_error *error) {
  return test(PP_PAIRED, x, n, y, n, confidence, out, error);
}

static void r_sleep(void) {
  pp_test t;
  CHECK(welch(sleep_x, 10, sleep_y, 10, 0.95, &t, NULL) == PP_OK);
  CHECK(agrees(t.statistic, -1.86081346748685, 14) && agrees(t.df, 17.7764735161785, 14));
  CHECK(agrees(t.pvalue, 0.0793941401873582, 14) && agrees(t.difference, -1.58, 14));
  CHECK(agrees(t.ci_low, -3.36548323071171, 14) && agrees(t.ci_high, 0.20548323071171, 13));
  CHECK(student(sleep_x, 10, sleep_y, 10, 0.95, &t, NULL) == PP_OK);
  CHECK(agrees(t.pvalue, 0.0791867142159382, 14) && t.df == 18 && agrees(t.statistic, -1.86081346748685, 14));
  CHECK(paired(sleep_x, sleep_y, 10, 0.95, &t, NULL) == PP_OK);
  CHECK(agrees(t.statistic, -4.06212768338204, 14) && agrees(t.pvalue, 0.00283289019738427, 13) && t.df == 9);
}

static void nist_atmwtag(void) { /* NIST StRD, analysis of variance: F = t^2 = 15.9467335677930 */
  const double one[] = {107.8681568, 107.8681465, 107.8681572, 107.8681785, 107.8681446, 107.8681903,
                        107.8681526, 107.8681494, 107.8681616, 107.8681587, 107.8681519, 107.8681486,
                        107.8681419, 107.8681569, 107.8681508, 107.8681672, 107.8681385, 107.8681518,
                        107.8681662, 107.8681424, 107.8681360, 107.8681333, 107.8681610, 107.8681477};
  const double two[] = {107.8681079, 107.8681344, 107.8681513, 107.8681197, 107.8681604, 107.8681385,
                        107.8681642, 107.8681365, 107.8681151, 107.8681082, 107.8681517, 107.8681448,
                        107.8681198, 107.8681482, 107.8681334, 107.8681609, 107.8681101, 107.8681512,
                        107.8681469, 107.8681360, 107.8681254, 107.8681261, 107.8681450, 107.8681368};
  pp_test t;
  CHECK(student(one, COUNT(one), two, COUNT(two), 0.95, &t, NULL) == PP_OK);
  /* the data have seven leading digits in common: rounding them to doubles leaves nine digits of t */
  CHECK(t.df == 46 && agrees(t.statistic, 3.9933361451, 9) && agrees(t.pvalue, 2.32684448e-4, 8));
}

static void unequal_sizes_and_tails(void) {
  const double x[] = {1, 2, 3}, y[] = {101, 102, 103, 104, 105};
  pp_test forth, back;
  CHECK(welch(x, 3, y, 5, 0.9, &forth, NULL) == PP_OK);
  CHECK(welch(y, 5, x, 3, 0.9, &back, NULL) == PP_OK);
  CHECK(forth.statistic == -back.statistic && forth.pvalue == back.pvalue && forth.ci_low == -back.ci_high);
  CHECK(agrees(exp(forth.log_pvalue), forth.pvalue, 12));

  double far_x[200], far_y[200]; /* p underflows a double, its logarithm does not */
  for (size_t i = 0; i < 200; i++) {
    far_x[i] = (double)(i % 2);
    far_y[i] = (double)(i % 2) + 1e4;
  }
  CHECK(student(far_x, 200, far_y, 200, 0.95, &forth, NULL) == PP_OK);
  CHECK(forth.pvalue == 0 && forth.log_pvalue < -2000 && isfinite(forth.log_pvalue));
}

/* R: t.test(x, y, paired = TRUE, alternative = "less") and "greater" */
static void one_sided(void) {
  pp_ttest_options options = {.design = PP_PAIRED, .alternative = PP_LESS, .confidence = 0.95};
  pp_test less, greater, two_sided;
  CHECK(paired(sleep_x, sleep_y, 10, 0.9, &two_sided, NULL) == PP_OK);
  CHECK(pp_stats_ttest(sleep_x, 10, sleep_y, 10, &options, &less, NULL) == PP_OK);
  CHECK(agrees(less.pvalue, 0.00283289019738427 / 2, 13) && agrees(exp(less.log_pvalue), less.pvalue, 14));
  CHECK(less.ci_low == -INFINITY && agrees(less.ci_high, two_sided.ci_high, 14));
  options.alternative = PP_GREATER;
  CHECK(pp_stats_ttest(sleep_x, 10, sleep_y, 10, &options, &greater, NULL) == PP_OK);
  CHECK(agrees(greater.pvalue, 1 - less.pvalue, 15) && greater.statistic == less.statistic);
  CHECK(agrees(greater.ci_low, two_sided.ci_low, 14) && greater.ci_high == INFINITY);

  options.alternative = PP_LESS; /* the limit is where the test turns */
  options.null = less.ci_high;
  CHECK(pp_stats_ttest(sleep_x, 10, sleep_y, 10, &options, &less, NULL) == PP_OK && agrees(less.pvalue, 0.05, 13));
  options.null = 1e9; /* far out: the logarithm goes on */
  CHECK(pp_stats_ttest(sleep_x, 10, sleep_y, 10, &options, &less, NULL) == PP_OK);
  CHECK(less.pvalue > 0 && agrees(less.log_pvalue, log(less.pvalue), 14));
}

static void logarithms(void) {
  const double x[] = {1.5, 2.5, 8}, y[] = {1, 3, 2}, zero[] = {1, 0, 2};
  double log_x[3], log_y[3];
  for (size_t i = 0; i < 3; i++) {
    log_x[i] = log(x[i]);
    log_y[i] = log(y[i]);
  }
  pp_test of_logs, of_values;
  pp_error error;
  const pp_design designs[] = {PP_WELCH, PP_STUDENT, PP_PAIRED};
  for (size_t i = 0; i < 3; i++) {
    pp_design design = designs[i];
    const pp_ttest_options options = {.design = design, .log = true, .confidence = 0.95};
    CHECK(pp_stats_ttest(x, 3, y, 3, &options, &of_logs, NULL) == PP_OK);
    CHECK(test(design, log_x, 3, log_y, 3, 0.95, &of_values, NULL) == PP_OK);
    CHECK(of_logs.ci_low == of_values.ci_low && of_logs.pvalue == of_values.pvalue);
    CHECK(pp_stats_ttest(x, 3, zero, 3, &options, &of_logs, &error) == PP_INVALID);
    CHECK(strcmp(error.message, "y[1] is 0, but only values above 0 have a logarithm") == 0);
    CHECK(pp_stats_ttest(zero, 3, x, 3, &options, &of_logs, &error) == PP_INVALID && error.message[0] == 'x');
  }
  double twice[20], once[20]; /* one ratio everywhere, but for rounding */
  for (size_t i = 0; i < 20; i++) {
    once[i] = 1 + 1e-3 * sqrt((double)i);
    twice[i] = 1.1 * once[i];
  }
  const pp_ttest_options options = {.design = PP_PAIRED, .log = true, .confidence = 0.95};
  CHECK(pp_stats_ttest(twice, 20, once, 20, &options, &of_logs, &error) == PP_INVALID);
  CHECK(strstr(error.message, "no spread"));
}

static void no_spread(void) {
  const double one[] = {0.3, 0.3, 0.3}, two[] = {0.4, 0.4}, rounded[] = {0.1 + 0.2, 0.3, 0.1 + 0.2};
  pp_test t;
  pp_error error;
  CHECK(student(one, 3, two, 2, 0.95, &t, &error) == PP_INVALID && strstr(error.message, "no spread"));
  CHECK(welch(one, 3, two, 2, 0.95, &t, NULL) == PP_INVALID);
  CHECK(paired(one, (double[]){0.1, 0.1, 0.1}, 3, 0.95, &t, NULL) == PP_INVALID);
  CHECK(welch(one, 3, rounded, 3, 0.95, &t, NULL) == PP_OK); /* 0.1 + 0.2 is 0.3, but for rounding */
  CHECK(t.difference == 0 && isnan(t.statistic) && isnan(t.pvalue) && isnan(t.log_pvalue));
  CHECK(t.ci_low == 0 && t.ci_high == 0);

  double x[20], y[20]; /* x - y is 0.1 everywhere, but for rounding */
  for (size_t i = 0; i < 20; i++) {
    y[i] = sqrt((double)i);
    x[i] = y[i] + 0.1;
  }
  CHECK(paired(x, y, 20, 0.95, &t, NULL) == PP_INVALID);
  CHECK(paired(x, x, 20, 0.95, &t, NULL) == PP_OK && isnan(t.pvalue) && t.difference == 0);
  CHECK(welch(one, 3, sleep_x, 10, 0.95, &t, NULL) == PP_OK && agrees(t.df, 9, 15)); /* one side spreads */
}

static void bad_input(void) {
  pp_test t;
  pp_error error;
  CHECK(welch(sleep_x, 1, sleep_y, 10, 0.95, &t, &error) == PP_INVALID);
  CHECK(strcmp(error.message, "x has 1 value, but at least 2 are needed") == 0);
  CHECK(student(sleep_x, 10, sleep_y, 1, 0.95, &t, &error) == PP_INVALID && error.message[0] == 'y');
  CHECK(paired(sleep_x, (double[]){1, NAN}, 2, 0.95, &t, &error) == PP_INVALID);
  CHECK(strcmp(error.message, "y[1] is NaN, but only finite values can be used") == 0);
  const double confidences[] = {0, 1, 95, -1, NAN};
  for (size_t i = 0; i < COUNT(confidences); i++) {
    CHECK(student(sleep_x, 10, sleep_y, 10, confidences[i], &t, &error) == PP_INVALID);
    CHECK(strstr(error.message, "confidence is "));
  }
  CHECK(test(PP_PAIRED, sleep_x, 9, sleep_y, 10, 0.95, &t, &error) == PP_INVALID);
  CHECK(strcmp(error.message, "x and y must have the same length, but have 9 and 10 values") == 0);
  const pp_ttest_options options = {.null = INFINITY, .confidence = 0.95};
  CHECK(pp_stats_ttest(sleep_x, 10, sleep_y, 10, &options, &t, NULL) == PP_INVALID);
  const double low[] = {-DBL_MAX, -1e308}, high[] = {DBL_MAX, 1e308};
  CHECK(welch(low, 2, high, 2, 0.95, &t, NULL) == PP_INVALID);
  CHECK(student(low, 2, high, 2, 0.95, &t, NULL) == PP_INVALID);
  CHECK(paired(low, high, 2, 0.95, &t, NULL) == PP_INVALID);
}

int main(void) {
  r_sleep();
  nist_atmwtag();
  unequal_sizes_and_tails();
  one_sided();
  logarithms();
  no_spread();
  bad_input();
  return test_end();
}
