/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_power.c: how many blocks a verdict needs, its power, what margin a number of blocks can settle, and how well a
 * standard deviation is known.
 *
 * The verdict "below high" is given where the upper one-sided confidence limit of the mean difference lies below, that
 * is where T = (high - mean) / (s / sqrt(n)) exceeds the t quantile. With the true cost c, T has the noncentral t
 * distribution with f = n - 1 degrees of freedom and noncentrality d = (high - c) sqrt(n) / sd (N. L. Johnson, B. L.
 * Welch, "Applications of the non-central t-distribution", Biometrika 31, 1940); "between low and high" asks for the
 * other side too, with e = (c - low) sqrt(n) / sd (D. B. Owen, "A special case of a bivariate non-central
 * t-distribution", Biometrika 52, 1965). From the definitions, with S = sqrt(chi^2_f / f),
 *   P(T > t) = E[Phi(d - t S)],   P(both) = E[max(0, Phi(d - t S) - Phi(t S - e))]
 * The expectation is integrated over w = ln S, whose density is proportional to exp(-f/2 (e^2w - 1 - 2w)), by Gauss and
 * Legendre's rule on panels that fit the density, and where Phi turns from 1 to 0, that turn.
 * Limits: absolute error of the power below 1e-10. The forecast is as good as sd: from 5 blocks, the blocks needed are
 * known to a factor of 0.2 to 2.4 only. pp_stats_sd_limits says how far off sd may be, for normal values.
 */
#include <math.h>

#include "stats_common.h"
#include "status.h"

/* Abscissae and weights of the 8-point rule on (-1, 1), the positive half. */
static const double NODES[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
static const double WEIGHTS[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};

static const double NEGLIGIBLE = -45, EDGE = 9; /* exp(-45), Phi(-9): both below 1e-18 */

typedef struct expectation { /* over w = ln S */
  double df, t, d, e;        /* d <= e; e may be infinite */
  double from, to, step;     /* where the density is, and what it takes to follow it */
  double mass, value;        /* integrals so far: of the density, and of what is expected times the density */
} expectation;

static double log_density_of_w(double w, double df) { return -0.5 * df * (expm1(2 * w) - 2 * w); }

static expectation expectation_over(double df) {
  expectation self = {.df = df, .step = 1 / sqrt(2 * df)};
  self.from = -self.step;
  self.to = self.step;
  while (log_density_of_w(self.from, df) > NEGLIGIBLE)
    self.from -= self.step;
  while (log_density_of_w(self.to, df) > NEGLIGIBLE)
    self.to += self.step;
  return self;
}

static double phi(double z) { return 0.5 * erfc(-z / sqrt(2)); }

static void add_point(expectation *self, double w, double weight) {
  double density = weight * exp(log_density_of_w(w, self->df)), z = self->t * exp(w);
  self->mass += density;
  self->value += density * fmax(0, phi(self->d - z) - phi(z - self->e));
}

static void add_interval(expectation *self, double from, double to, double widest) {
  size_t n_panels = (size_t)ceil((to - from) / widest);
  for (size_t i = 0; i < n_panels; i++) {
    double half = 0.5 * (to - from) / (double)n_panels, middle = from + (2 * (double)i + 1) * half;
    for (size_t k = 0; k < sizeof NODES / sizeof *NODES; k++) {
      add_point(self, middle - half * NODES[k], half * WEIGHTS[k]);
      add_point(self, middle + half * NODES[k], half * WEIGHTS[k]);
    }
  }
}

/* The chance that T exceeds t > 0 on the side whose noncentrality is d > 0, and on that with e. */
static double power_of(double t, double d, double e, double df) {
  expectation self = expectation_over(df);
  self.t = t;
  self.d = fmin(d, e);
  self.e = fmax(d, e);
  double nearest = self.d > EDGE ? log((self.d - EDGE) / t) : -INFINITY;
  double begin = fmin(fmax(nearest, self.from), self.to);
  double end = fmin(fmax(log(fmin(self.d + EDGE, 0.5 * self.d + 0.5 * self.e) / t), self.from), self.to);
  begin = fmin(begin, end); /* beyond the middle of d and e nothing is left */
  add_interval(&self, self.from, begin, self.step);
  add_interval(&self, begin, end, fmin(self.step, 1 / (self.d + EDGE)));
  add_interval(&self, end, self.to, self.step);
  return self.value / self.mass;
}

static pp_status check_sd(double sd, pp_error *error) {
  if (sd >= 0 && !isinf(sd))
    return PP_OK;
  return pp_fail(error, PP_INVALID, 0, "sd is %g, but must be finite and not negative", sd);
}

static pp_status check_n(size_t n, const char *what, pp_error *error) {
  return n >= 2 ? PP_OK : pp_fail(error, PP_INVALID, 0, "n is %zu, but at least 2 %s are needed", n, what);
}

static pp_status check_target(double power, double alpha, pp_error *error) {
  if (power > alpha && power < 1)
    return PP_OK;
  return pp_fail(error, PP_INVALID, 0, "power is %g, but must lie between alpha (%g) and 1", power, alpha);
}

static pp_status check_plan(const pp_plan *plan, pp_error *error) {
  pp_status status = check_sd(plan->sd, error);
  if (!status)
    status = pp_stats_check_alpha(plan->alpha, error);
  if (status)
    return status;
  if (!(plan->cost < plan->high) || isinf(plan->cost) || isinf(plan->high))
    return pp_fail(error, PP_INVALID, 0, "margin is %g and cost %g, but a cost below the margin is needed", plan->high,
                   plan->cost);
  if (!(plan->low < plan->cost))
    return pp_fail(error, PP_INVALID, 0, "low is %g and cost %g, but a cost above low is needed", plan->low,
                   plan->cost);
  return PP_OK;
}

static double power_with(const pp_plan *plan, size_t n) {
  const double most = 1e150;
  if (plan->sd == 0)
    return 1;
  double df = (double)n - 1, root = sqrt((double)n);
  double d = fmin((plan->high - plan->cost) / plan->sd * root, most);
  double e = isinf(plan->low) ? INFINITY : fmin((plan->cost - plan->low) / plan->sd * root, most);
  return power_of(-pp_stats_t_quantile(plan->alpha, df), d, e, df);
}

pp_status pp_stats_power(const pp_plan *plan, size_t n, double *out, pp_error *error) {
  pp_status status = check_plan(plan, error);
  if (!status)
    status = check_n(n, "blocks", error);
  if (status)
    return status;
  *out = fmin(power_with(plan, n), 1);
  return PP_OK;
}

pp_status pp_stats_required_blocks(const pp_plan *plan, double power, size_t *out, pp_error *error) {
  pp_status status = check_plan(plan, error);
  if (!status)
    status = check_target(power, plan->alpha, error);
  if (status)
    return status;
  size_t enough = PP_REQUIRED_BLOCKS_MAX;
  if (power_with(plan, enough) < power)
    return pp_fail(error, PP_INVALID, 0, "more than %zu blocks: the margin is too small for this spread", enough);
  for (size_t low = 2; low < enough;) {
    size_t middle = low + (enough - low) / 2;
    if (power_with(plan, middle) >= power)
      enough = middle;
    else
      low = middle + 1;
  }
  *out = enough;
  return PP_OK;
}

pp_status pp_stats_settleable_margin(double sd, size_t n, double alpha, double power, double *out, pp_error *error) {
  pp_status status = check_sd(sd, error);
  if (!status)
    status = pp_stats_check_alpha(alpha, error);
  if (!status)
    status = check_target(power, alpha, error);
  if (!status)
    status = check_n(n, "blocks", error);
  if (status)
    return status;
  double df = (double)n - 1, t = -pp_stats_t_quantile(alpha, df);
  double low = 0, high = 1;
  for (; power_of(t, high, INFINITY, df) < power && high < 1e150; high *= 2)
    low = high;
  for (int i = 0; i < 60 && low < high; i++) {
    double middle = low + (high - low) / 2;
    if (power_of(t, middle, INFINITY, df) < power)
      low = middle;
    else
      high = middle;
  }
  *out = high / sqrt((double)n) * sd;
  return PP_OK;
}

/* P(ln S <= w) */
static double share_below(double w, double df) {
  expectation below = expectation_over(df), above = below;
  double middle = fmin(fmax(w, below.from), below.to);
  add_interval(&below, below.from, middle, below.step);
  add_interval(&above, middle, above.to, above.step);
  return below.mass / (below.mass + above.mass);
}

static double quantile_of_w(double share, double df) {
  expectation range = expectation_over(df);
  for (int i = 0; i < 60; i++) {
    double middle = 0.5 * (range.from + range.to);
    if (share_below(middle, df) < share)
      range.from = middle;
    else
      range.to = middle;
  }
  return range.to;
}

pp_status pp_stats_sd_limits(double sd, size_t n, double confidence, double *low, double *high, pp_error *error) {
  pp_status status = check_sd(sd, error);
  if (!status)
    status = check_n(n, "values", error);
  if (!status)
    status = pp_stats_check_open_unit("confidence", confidence, error);
  if (status)
    return status;
  double df = (double)n - 1, outside = (1 - confidence) / 2;
  *low = sd * exp(-quantile_of_w(1 - outside, df));
  *high = sd * exp(-quantile_of_w(outside, df));
  return PP_OK;
}
