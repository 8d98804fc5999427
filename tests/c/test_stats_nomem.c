/* SPDX-License-Identifier: Apache-2.0
 *
 * Every allocation of the statistics fails once: the answer must be PP_NOMEM, and nothing may be lost.
 */
#include "nomem.h"

static const double x[] = {3, 1, 4, 1.5, 9, 2.6}, y[] = {5, 3, 5, 8, 9.5, 7}, shares[] = {0.1, 0.5, 0.2};
enum { N = 6 };

static pp_status describe(pp_error *error) {
  pp_description out;
  return pp_stats_describe(x, N, &out, error);
}

static pp_status ttest(pp_error *error) {
  const pp_ttest_options options = {.design = PP_PAIRED, .log = true, .confidence = 0.95};
  pp_test out;
  return pp_stats_ttest(x, N, y, N, &options, &out, error);
}

static pp_status tost(pp_error *error) {
  pp_tost out;
  return pp_stats_tost(x, N, y, N, PP_PAIRED, false, -1, 1, 0.05, &out, error);
}

static pp_status mannwhitneyu(pp_error *error) {
  pp_mannwhitney out;
  return pp_stats_mannwhitneyu(x, N, y, N, PP_LESS, PP_EXACT, &out, error);
}

static pp_status hodges_lehmann(pp_error *error) {
  pp_shift out;
  return pp_stats_hodges_lehmann(x, N, y, N, 0.95, &out, error);
}

static pp_status pseudomedian(pp_error *error) {
  pp_shift out;
  return pp_stats_pseudomedian(x, N, 0.95, &out, error);
}

static pp_status permutation_test(pp_error *error) {
  pp_permutation out;
  return pp_stats_permutation_test(x, y, N, PP_TWO_SIDED, 9, 1, &out, error);
}

static pp_status bootstrap(pp_error *error) {
  const size_t n_samples[] = {2, 4};
  const pp_processes of_x = {x, n_samples, 2}, of_y = {y, n_samples, 2};
  pp_bootstrap out;
  return pp_stats_bootstrap(&of_x, &of_y, PP_RATIO, 100, 0.95, 1, &out, error);
}

static pp_status theil_sen(pp_error *error) {
  pp_slope out;
  return pp_stats_theil_sen(x, y, N, 0.95, &out, error);
}

static pp_status effective_sample_size(pp_error *error) {
  double out;
  return pp_stats_effective_sample_size(x, N, &out, error);
}

static pp_status autocorrelation(pp_error *error) {
  double out;
  return pp_stats_autocorrelation(x, N, 1, &out, error);
}

static pp_status holm(pp_error *error) {
  double out[3];
  return pp_stats_holm(shares, 3, out, error);
}

static pp_status benjamini_hochberg(pp_error *error) {
  double out[3];
  return pp_stats_benjamini_hochberg(shares, 3, out, error);
}

int main(void) {
  walk("describe", describe, 1);
  walk("ttest", ttest, 2);
  walk("tost", tost, 3);
  walk("mannwhitneyu", mannwhitneyu, 4);
  walk("hodges_lehmann", hodges_lehmann, 5);
  walk("pseudomedian", pseudomedian, 2);
  walk("permutation_test", permutation_test, 3);
  walk("bootstrap", bootstrap, 4);
  walk("theil_sen", theil_sen, 3);
  walk("effective_sample_size", effective_sample_size, 1);
  walk("autocorrelation", autocorrelation, 1);
  walk("holm", holm, 1);
  walk("benjamini_hochberg", benjamini_hochberg, 1);
  CHECK(alive == 0);
  return test_end();
}
