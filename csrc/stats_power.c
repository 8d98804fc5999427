/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_power.c: how many blocks a verdict "costs at most m" needs, and what margin a number of blocks can settle.
 *
 * The verdict passes where the upper one-sided confidence limit of the mean difference lies below the margin, that is
 * where T = (margin - mean) / (sd / sqrt(n)) exceeds the t quantile. With the true cost c, T has the noncentral t
 * distribution with n - 1 degrees of freedom and noncentrality d = (margin - c) sqrt(n) / sd (N. L. Johnson, B. L.
 * Welch, "Applications of the non-central t-distribution", Biometrika 31, 1940). From its definition, with
 * S = sqrt(chi^2_f / f),
 *   P(T > t) = E[Phi(d - t S)]
 * The expectation is integrated over w = ln S, whose density is proportional to exp(-f/2 (e^2w - 1 - 2w)), by Gauss and
 * Legendre's rule on panels that fit the density, and where Phi turns from 1 to 0, that turn.
 * Limits: absolute error of the power below 1e-10. The forecast is as good as sd: from 5 blocks, the blocks needed are
 * known to a factor of 0.2 to 2.4 only.
 */
#include <math.h>

#include "stats_common.h"
#include "status.h"

/* Abscissae and weights of the 8-point rule on (-1, 1), the positive half. */
static const double NODES[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
static const double WEIGHTS[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};

typedef struct noncentral_t {
  double t, d, df;
  double mass, above; /* integrals so far: of the density, and of the density times Phi */
} noncentral_t;

static double log_density_of_w(double w, double df) { return -0.5 * df * (expm1(2 * w) - 2 * w); }

static void add_point(noncentral_t *self, double w, double weight) {
  double density = weight * exp(log_density_of_w(w, self->df));
  self->mass += density;
  self->above += density * 0.5 * erfc((self->t * exp(w) - self->d) / sqrt(2));
}

static void add_interval(noncentral_t *self, double from, double to, double widest) {
  size_t n_panels = (size_t)ceil((to - from) / widest);
  for (size_t i = 0; i < n_panels; i++) {
    double half = 0.5 * (to - from) / (double)n_panels, middle = from + (2 * (double)i + 1) * half;
    for (size_t k = 0; k < sizeof NODES / sizeof *NODES; k++) {
      add_point(self, middle - half * NODES[k], half * WEIGHTS[k]);
      add_point(self, middle + half * NODES[k], half * WEIGHTS[k]);
    }
  }
}

/* The power: P(T > t) with noncentrality d, both positive. */
static double power_of(double t, double d, double df) {
  const double negligible = -45, edge = 9; /* exp(-45), Phi(-9): both below 1e-18 */
  double sigma = 1 / sqrt(2 * df), low = -sigma, high = sigma;
  while (log_density_of_w(low, df) > negligible)
    low -= sigma;
  while (log_density_of_w(high, df) > negligible)
    high += sigma;
  double turn_begin = d > edge ? fmin(fmax(log((d - edge) / t), low), high) : low;
  double turn_end = fmin(fmax(log((d + edge) / t), low), high);
  noncentral_t self = {.t = t, .d = d, .df = df};
  add_interval(&self, low, turn_begin, sigma);
  add_interval(&self, turn_begin, turn_end, fmin(sigma, 1 / (d + edge)));
  add_interval(&self, turn_end, high, sigma);
  return self.above / self.mass;
}

static pp_status check_plan(double sd, double alpha, double power, pp_error *error) {
  if (!(sd >= 0) || isinf(sd))
    return pp_fail(error, PP_INVALID, 0, "sd is %g, but must be finite and not negative", sd);
  if (!(alpha > 0 && alpha < 0.5))
    return pp_fail(error, PP_INVALID, 0, "alpha is %g, but must lie between 0 and 0.5", alpha);
  if (!(power > alpha && power < 1))
    return pp_fail(error, PP_INVALID, 0, "power is %g, but must lie between alpha (%g) and 1", power, alpha);
  return PP_OK;
}

/* `effect`: (margin - cost) / sd */
static bool settles(size_t n, double effect, double alpha, double power) {
  double df = (double)n - 1, d = fmin(effect * sqrt((double)n), 1e150);
  return power_of(-pp_stats_t_quantile(alpha, df), d, df) >= power;
}

pp_status pp_stats_required_blocks(double sd, double margin, double cost, double alpha, double power, size_t *out,
                                   pp_error *error) {
  pp_status status = check_plan(sd, alpha, power, error);
  if (status)
    return status;
  if (!(cost < margin) || isinf(cost) || isinf(margin))
    return pp_fail(error, PP_INVALID, 0, "margin is %g and cost %g, but a cost below the margin is needed", margin,
                   cost);
  *out = 2;
  if (sd == 0)
    return PP_OK;
  double effect = (margin - cost) / sd;
  size_t enough = PP_REQUIRED_BLOCKS_MAX;
  if (!settles(enough, effect, alpha, power))
    return pp_fail(error, PP_INVALID, 0, "more than %zu blocks: the margin is too small for this spread", enough);
  for (size_t low = 2; low < enough;) {
    size_t middle = low + (enough - low) / 2;
    if (settles(middle, effect, alpha, power))
      enough = middle;
    else
      low = middle + 1;
  }
  *out = enough;
  return PP_OK;
}

pp_status pp_stats_settleable_margin(double sd, size_t n, double alpha, double power, double *out, pp_error *error) {
  pp_status status = check_plan(sd, alpha, power, error);
  if (status)
    return status;
  if (n < 2)
    return pp_fail(error, PP_INVALID, 0, "n is %zu, but at least 2 blocks are needed", n);
  double df = (double)n - 1, t = -pp_stats_t_quantile(alpha, df);
  double low = 0, high = 1;
  for (; power_of(t, high, df) < power && high < 1e150; high *= 2)
    low = high;
  for (int i = 0; i < 60 && low < high; i++) {
    double middle = low + (high - low) / 2;
    if (power_of(t, middle, df) < power)
      low = middle;
    else
      high = middle;
  }
  *out = high / sqrt((double)n) * sd;
  return PP_OK;
}
