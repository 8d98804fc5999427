/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>

#include "close.h"
#include "pp.h"
#include "test.h"

enum { N_PROCESSES = 6, N_SAMPLES = 37 };

typedef struct data {
  double samples[N_PROCESSES * N_SAMPLES];
  size_t n_samples[N_PROCESSES];
} data;

static pp_processes fill(data *out, double shift) {
  for (size_t i = 0; i < N_PROCESSES; i++) {
    out->n_samples[i] = N_SAMPLES;
    for (size_t k = 0; k < N_SAMPLES; k++)
      out->samples[i * N_SAMPLES + k] = 100 + shift + sin((double)(i * 7)) + 3 * sin((double)(i * 11 + k * 5));
  }
  return (pp_processes){out->samples, out->n_samples, N_PROCESSES};
}

/* Given the data, the variance of a resampled mean is known: that of the process means over n, and the mean of the
 * variances within over n times their samples (both with n, not n - 1). */
static double known_variance(const data *in) {
  double between = 0, within = 0, means[N_PROCESSES], mean = 0;
  for (size_t i = 0; i < N_PROCESSES; i++) {
    pp_description d;
    CHECK(pp_stats_describe(in->samples + i * N_SAMPLES, N_SAMPLES, &d, NULL) == PP_OK);
    means[i] = d.mean;
    mean += d.mean / N_PROCESSES;
    within += d.sd * d.sd * (N_SAMPLES - 1) / N_SAMPLES / N_PROCESSES;
  }
  for (size_t i = 0; i < N_PROCESSES; i++)
    between += (means[i] - mean) * (means[i] - mean) / N_PROCESSES;
  return between / N_PROCESSES + within / N_SAMPLES / N_PROCESSES;
}

static void both_levels(void) {
  data of_x, of_y;
  pp_processes x = fill(&of_x, 0), y = fill(&of_y, 5);
  pp_bootstrap b;
  double se = sqrt(known_variance(&of_x)); /* known to 1/sqrt(2 * 40,000) = 0.35 % from the resamples */
  CHECK(pp_stats_bootstrap(&x, NULL, PP_DIFFERENCE, 40000, 0.95, 1, &b, NULL) == PP_OK);
  CHECK(fabs(b.standard_error / se - 1) < 0.015);
  CHECK(fabs(b.ci_low - (b.estimate - 1.96 * se)) < 0.2 * se && fabs(b.ci_high - (b.estimate + 1.96 * se)) < 0.2 * se);
  CHECK(pp_stats_bootstrap(&x, &y, PP_DIFFERENCE, 40000, 0.95, 1, &b, NULL) == PP_OK);
  CHECK(agrees(b.estimate, -5, 12) && fabs(b.standard_error / (se * sqrt(2)) - 1) < 0.015);
  double mean_x = 0, mean_y = 0;
  for (size_t i = 0; i < COUNT(of_x.samples); i++) {
    mean_x += of_x.samples[i];
    mean_y += of_y.samples[i];
  }
  CHECK(pp_stats_bootstrap(&x, &y, PP_RATIO, 40000, 0.95, 1, &b, NULL) == PP_OK);
  CHECK(agrees(b.estimate, mean_x / mean_y, 13) && b.ci_low < b.estimate && b.estimate < b.ci_high);
}

static void streams(void) {
  data of_x;
  pp_processes x = fill(&of_x, 0);
  pp_bootstrap one, two;
  CHECK(pp_stats_bootstrap(&x, NULL, PP_DIFFERENCE, 1000, 0.95, 1, &one, NULL) == PP_OK);
  CHECK(pp_stats_bootstrap(&x, NULL, PP_DIFFERENCE, 1000, 0.95, 1, &two, NULL) == PP_OK);
  CHECK(memcmp(&one, &two, sizeof one) == 0);
  CHECK(pp_stats_bootstrap(&x, NULL, PP_DIFFERENCE, 1000, 0.95, 2, &two, NULL) == PP_OK);
  CHECK(one.ci_low != two.ci_low);
}

/* Processes weigh the same whatever their samples; of one value, of 4,000 (indices drawn one by one), of 5. */
static void unequal_processes(void) {
  static double samples[4006];
  const size_t n_samples[] = {1, 4000, 5};
  samples[0] = 10;
  for (size_t i = 0; i < 4000; i++)
    samples[1 + i] = 20 + (double)(i % 2);
  for (size_t i = 4001; i < 4006; i++)
    samples[i] = 30;
  const pp_processes x = {samples, n_samples, 3};
  pp_bootstrap b;
  CHECK(pp_stats_bootstrap(&x, NULL, PP_DIFFERENCE, 20000, 0.9, 3, &b, NULL) == PP_OK);
  CHECK(agrees(b.estimate, (10 + 20.5 + 30) / 3, 14));
  double between = (10 * 10 + 20.5 * 20.5 + 30 * 30) / 3 - b.estimate * b.estimate, within = 0.25 / 4000 / 3;
  CHECK(fabs(b.standard_error / sqrt((between + within) / 3) - 1) < 0.02);
  CHECK(b.ci_low >= 10 && b.ci_high <= 30.01);
}

static void no_spread(void) {
  const double samples[] = {2, 2, 2, 2};
  const size_t n_samples[] = {2, 2};
  const pp_processes x = {samples, n_samples, 2};
  pp_bootstrap b;
  CHECK(pp_stats_bootstrap(&x, &x, PP_RATIO, 100, 0.95, 0, &b, NULL) == PP_OK);
  CHECK(b.estimate == 1 && b.ci_low == 1 && b.ci_high == 1 && b.standard_error == 0);
}

static void bad_input(void) {
  const double samples[] = {1, 2, 0, NAN, DBL_MAX, DBL_MAX};
  const size_t n_samples[] = {2, 2}, empty[] = {2, 0};
  const pp_processes one = {samples, n_samples, 1}, x = {samples, empty, 2}, infinite = {samples, n_samples, 2},
                     large = {samples + 4, (const size_t[]){1, 1}, 2}, zero = {samples + 1, (const size_t[]){1, 1}, 2},
                     ok = {samples, (const size_t[]){1, 1}, 2};
  pp_bootstrap b;
  pp_error error;
  CHECK(pp_stats_bootstrap(&one, NULL, PP_DIFFERENCE, 100, 0.95, 0, &b, &error) == PP_INVALID);
  CHECK(strcmp(error.message, "x has 1 process, but at least 2 are needed") == 0);
  CHECK(pp_stats_bootstrap(&x, NULL, PP_DIFFERENCE, 100, 0.95, 0, &b, &error) == PP_INVALID);
  CHECK(strcmp(error.message, "x[1] has 0 values, but at least 1 is needed") == 0);
  CHECK(pp_stats_bootstrap(&ok, &infinite, PP_DIFFERENCE, 100, 0.95, 0, &b, &error) == PP_INVALID);
  CHECK(strcmp(error.message, "y[1][1] is NaN, but only finite values can be used") == 0);
  CHECK(pp_stats_bootstrap(&ok, &zero, PP_RATIO, 100, 0.95, 0, &b, &error) == PP_INVALID);
  CHECK(strcmp(error.message, "y[1][0] is 0, but a ratio needs values above 0") == 0);
  CHECK(pp_stats_bootstrap(&large, NULL, PP_DIFFERENCE, 100, 0.95, 0, &b, &error) == PP_INVALID);
  CHECK(pp_stats_bootstrap(&ok, NULL, PP_DIFFERENCE, 99, 0.95, 0, &b, NULL) == PP_INVALID);
  CHECK(pp_stats_bootstrap(&ok, NULL, PP_DIFFERENCE, PP_MAX_RESAMPLES + 1, 0.95, 0, &b, NULL) == PP_INVALID);
  CHECK(pp_stats_bootstrap(&ok, NULL, PP_DIFFERENCE, 100, 1, 0, &b, NULL) == PP_INVALID);
}

int main(void) {
  both_levels();
  streams();
  unequal_processes();
  no_spread();
  bad_input();
  return test_end();
}
