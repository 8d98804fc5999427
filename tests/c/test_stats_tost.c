/* SPDX-License-Identifier: Apache-2.0 */
#include "close.h"
#include "pp.h"
#include "test.h"

/* `clinic` of R's package equivalence, var1 and var2 of the two groups; R's numbers as in statsmodels' tests */
static const double var1_a[] = {2.84, 2.51, 2.41, 2.95, 3.14, 3.79, 4.14, 3.85,
                                3.02, 3.45, 5.37, 3.81, 4.19, 3.16, 3.84};
static const double var1_b[] = {2.60, 2.82, 2.18, 3.46, 4.01, 3.04, 3.47, 4.06,
                                2.91, 3.59, 4.51, 3.16, 3.86, 3.31, 3.02};
static const double var2_a[] = {4.00, 3.26, 4.14, 3.42, 3.25, 4.34, 4.97, 4.31,
                                3.11, 3.41, 5.02, 4.21, 4.59, 5.30, 4.32};
static const double var2_b[] = {3.76, 3.66, 3.65, 3.60, 3.48, 2.87, 3.24, 3.92,
                                3.99, 4.21, 4.21, 3.31, 3.61, 2.97, 2.73};

static pp_tost tost(const double *x, const double *y, pp_design design) {
  pp_tost out = {0};
  CHECK(pp_stats_tost(x, 15, y, 15, design, false, -0.6, 0.6, 0.05, &out, NULL) == PP_OK);
  return out;
}

static void clinic(void) {
  pp_tost t = tost(var1_a, var1_b, PP_WELCH);
  CHECK(agrees(t.df, 26.7484787582315, 14) && agrees(t.pvalue, 0.04853083976236974, 12));
  CHECK(agrees(t.ci_low, -0.2666862980722534, 12) && agrees(t.ci_high, 0.596019631405587, 13));
  CHECK(t.pvalue == t.pvalue_high && t.pvalue_low < t.pvalue && agrees(exp(t.log_pvalue), t.pvalue, 14));
  t = tost(var1_a, var1_b, PP_STUDENT);
  CHECK(agrees(t.pvalue, 0.04827315100761467, 12) && t.df == 28);
  t = tost(var2_a, var2_b, PP_WELCH);
  CHECK(agrees(t.df, 24.11000151062728, 13) && agrees(t.pvalue, 0.4317936812594803, 12));
  t = tost(var1_a, var1_b, PP_PAIRED);
  CHECK(agrees(t.pvalue, 0.003166881489265175, 12) && agrees(t.difference, 0.1646666666666667, 14) && t.df == 14);
  CHECK(agrees(t.ci_low, -0.0744336620516462, 12) && agrees(t.ci_high, 0.4037669953849797, 13));
}

static void asymmetric_regions_and_logs(void) {
  pp_tost t, back;
  CHECK(pp_stats_tost(var1_a, 15, var1_b, 14, PP_WELCH, true, log(0.8), log(1.25), 0.05, &t, NULL) == PP_OK);
  CHECK(pp_stats_tost(var1_b, 14, var1_a, 15, PP_WELCH, true, log(0.8), log(1.25), 0.05, &back, NULL) == PP_OK);
  CHECK(agrees(t.pvalue, back.pvalue, 12) && agrees(t.pvalue_low, back.pvalue_high, 12));
  CHECK(t.difference == -back.difference && agrees(t.ci_low, -back.ci_high, 13));
  CHECK((t.pvalue < 0.05) == (t.ci_low > log(0.8) && t.ci_high < log(1.25)));
  CHECK(pp_stats_tost(var1_a, 15, var1_b, 14, PP_WELCH, false, 1, 2, 0.05, &t, NULL) == PP_OK);
  CHECK(t.pvalue > 0.5 && t.pvalue == t.pvalue_low);
}

static void no_spread(void) {
  const double x[] = {1, 1, 1}, y[] = {2, 2, 2};
  pp_tost t;
  pp_error error;
  CHECK(pp_stats_tost(x, 3, x, 3, PP_PAIRED, false, -1, 1, 0.05, &t, NULL) == PP_OK);
  CHECK(isnan(t.pvalue) && isnan(t.log_pvalue) && t.ci_low == 0 && t.ci_high == 0);
  CHECK(pp_stats_tost(x, 3, y, 3, PP_WELCH, false, -2, 2, 0.05, &t, &error) == PP_INVALID);
  CHECK(strstr(error.message, "no spread"));
}

static void bad_input(void) {
  const struct {
    double low, high, alpha;
    bool log;
    const char *message;
  } bad[] = {
      {1, -1, 0.05, false, "low is 1 and high -1, but low must lie below high"},
      {NAN, 1, 0.05, false, "low is nan and high 1, but low must lie below high"},
      {-INFINITY, 1, 0.05, false, "low is -inf and high 1, but low must lie below high"},
      {0.98, 1.02, 0.05, true,
       "low is 0.98 and high 1.02, but with log they are logarithms of ratios, below and above 0"},
      {-1, 1, 0.5, false, "alpha is 0.5, but must lie between 0 and 0.5"},
  };
  pp_tost t;
  pp_error error;
  for (size_t i = 0; i < COUNT(bad); i++) {
    CHECK(pp_stats_tost(var1_a, 15, var1_b, 15, PP_WELCH, bad[i].log, bad[i].low, bad[i].high, bad[i].alpha, &t,
                        &error) == PP_INVALID);
    CHECK(strcmp(error.message, bad[i].message) == 0);
  }
  CHECK(pp_stats_tost(var1_a, 15, var1_b, 14, PP_PAIRED, false, -1, 1, 0.05, &t, NULL) == PP_INVALID);
}

int main(void) {
  clinic();
  asymmetric_regions_and_logs();
  no_spread();
  bad_input();
  return test_end();
}
