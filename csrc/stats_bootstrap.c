/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_bootstrap.c: the two-level bootstrap of a mean, a difference or a ratio of means.
 *
 * B. Efron, "Bootstrap methods: another look at the jackknife", Annals of Statistics 7, 1979; for nested data: A. C.
 * Davison, D. V. Hinkley, "Bootstrap methods and their application", 1997, 3.8. Each resample draws as many processes
 * as there are, with replacement, and for each of them as many of its samples as it has. Percentile intervals, with
 * linear interpolation between order statistics.
 * Fast because a draw is one multiplication, one load and one addition: five indices come out of one random word
 * (rng.c), exactly uniform, and are added up into five sums.
 * Limits: descriptive. With few processes the interval is too narrow, for it cannot invent processes that were not
 * seen: under 30 processes an arm no verdict may rest on it. Samples of one process are drawn as if independent; that
 * is harmless only because the spread between processes dominates.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "rng.h"
#include "stats_common.h"
#include "status.h"

enum {
  LEAST_RESAMPLES = 100,
  FIVE_FROM_ONE = 3000 /* the fifth power is below 2^58: one word in 64 at most is looked at twice */
};

typedef struct process {
  const double *samples;
  uint64_t n, unfair; /* unfair: 2^64 mod n^5 */
} process;

typedef struct arm { /* owned: free(.processes) */
  process *processes;
  size_t n;
} arm;

static double sum_of_draws(const process *from, pp_rng *rng) {
  const double *samples = from->samples;
  uint64_t n = from->n, i = 0;
  double a = 0, b = 0, c = 0, d = 0, e = 0;
  if (n <= FIVE_FROM_ONE) {
    pp_rng local = *rng; /* in registers */
    while (i + 5 <= n) {
      uint64_t word = pp_rng_next(&local);
      uint64_t one = pp_rng_digit(&word, n), two = pp_rng_digit(&word, n), three = pp_rng_digit(&word, n);
      uint64_t four = pp_rng_digit(&word, n), five = pp_rng_digit(&word, n);
      if (word < from->unfair)
        continue;
      a += samples[one];
      b += samples[two];
      c += samples[three];
      d += samples[four];
      e += samples[five];
      i += 5;
    }
    *rng = local;
  }
  for (; i < n; i++)
    a += samples[pp_rng_below(rng, n)];
  return a + b + c + d + e;
}

static double resampled_mean(const arm *from, pp_rng *rng) {
  double sum = 0;
  for (size_t i = 0; i < from->n; i++) {
    const process *drawn = &from->processes[pp_rng_below(rng, from->n)];
    sum += sum_of_draws(drawn, rng) / (double)drawn->n;
  }
  return sum / (double)from->n;
}

static double observed_mean(const arm *of) {
  double sum = 0;
  for (size_t i = 0; i < of->n; i++)
    sum += pp_stats_moments(of->processes[i].samples, of->processes[i].n).mean;
  return sum / (double)of->n;
}

static double contrast_of(double x, double y, pp_contrast contrast) { return contrast == PP_RATIO ? x / y : x - y; }

static pp_status read_arm(const char *name, const pp_processes *in, bool above_0, arm *out, pp_error *error) {
  if (in->n < 2)
    return pp_fail(error, PP_INVALID, 0, "%s has %zu process%s, but at least 2 are needed", name, in->n,
                   in->n == 1 ? "" : "es");
  out->n = in->n;
  out->processes = malloc(in->n * sizeof *out->processes);
  if (!out->processes)
    return pp_fail_memory(error);
  const double *samples = in->samples;
  for (size_t i = 0; i < in->n; i++) {
    size_t n = in->n_samples[i];
    char process_name[40];
    snprintf(process_name, sizeof process_name, "%s[%zu]", name, i);
    pp_status status = pp_stats_check_values(process_name, samples, n, 1, error);
    if (status)
      return status;
    for (size_t k = 0; above_0 && k < n; k++)
      if (!(samples[k] > 0))
        return pp_fail(error, PP_INVALID, 0, "%s[%zu] is %g, but a ratio needs values above 0", process_name, k,
                       samples[k]);
    out->processes[i] = (process){samples, n, n <= FIVE_FROM_ONE ? pp_rng_unfair((uint64_t)n * n * n * n * n) : 0};
    samples += n;
  }
  return PP_OK;
}

/* Linear between order statistics: the smallest is at 0, the largest at 1. */
static double quantile_of_sorted(const double *sorted, size_t n, double share) {
  double place = share * (double)(n - 1), below = floor(place);
  size_t i = (size_t)below;
  return i + 1 < n ? sorted[i] + (place - below) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

static pp_status resample(const arm *x, const arm *y, pp_contrast contrast, size_t n_resamples, double confidence,
                          uint64_t seed, pp_bootstrap *out, pp_error *error) {
  double *estimates = malloc(n_resamples * sizeof *estimates);
  if (!estimates)
    return pp_fail_memory(error);
  pp_rng rng = pp_rng_seeded(seed);
  bool finite = true;
  for (size_t i = 0; i < n_resamples; i++) {
    double of_x = resampled_mean(x, &rng);
    estimates[i] = y ? contrast_of(of_x, resampled_mean(y, &rng), contrast) : of_x;
    finite &= isfinite(estimates[i]) != 0;
  }
  double *sorted = finite ? pp_stats_sorted(estimates, n_resamples, error) : NULL;
  if (sorted) {
    double mean = observed_mean(x), outside = (1 - confidence) / 2;
    *out = (pp_bootstrap){.estimate = y ? contrast_of(mean, observed_mean(y), contrast) : mean,
                          .standard_error = pp_stats_moments(estimates, n_resamples).sd,
                          .ci_low = quantile_of_sorted(sorted, n_resamples, outside),
                          .ci_high = quantile_of_sorted(sorted, n_resamples, 1 - outside)};
  }
  free(estimates);
  free(sorted);
  if (!finite)
    return pp_fail(error, PP_INVALID, 0, "the values are too large: a mean exceeds a double");
  return sorted ? PP_OK : PP_NOMEM;
}

pp_status pp_stats_bootstrap(const pp_processes *x, const pp_processes *y, pp_contrast contrast, size_t n_resamples,
                             double confidence, uint64_t seed, pp_bootstrap *out, pp_error *error) {
  pp_status status = pp_stats_check_open_unit("confidence", confidence, error);
  if (status)
    return status;
  if (n_resamples < LEAST_RESAMPLES || n_resamples > PP_MAX_RESAMPLES)
    return pp_fail(error, PP_INVALID, 0, "n_resamples is %zu, but must lie between %d and %d", n_resamples,
                   LEAST_RESAMPLES, PP_MAX_RESAMPLES);
  arm of_x = {NULL, 0}, of_y = {NULL, 0};
  status = read_arm("x", x, false, &of_x, error);
  if (!status && y)
    status = read_arm("y", y, contrast == PP_RATIO, &of_y, error);
  if (!status)
    status = resample(&of_x, y ? &of_y : NULL, contrast, n_resamples, confidence, seed, out, error);
  free(of_x.processes);
  free(of_y.processes);
  return status;
}
