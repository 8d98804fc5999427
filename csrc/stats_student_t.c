/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_student_t.c: tails and quantiles of Student's t distribution.
 *
 * With f degrees of freedom, a = f/2 and x = f/(f + t^2), the two-sided tail P(|T| >= |t|) is the regularised
 * incomplete beta function I_x(a, 1/2) (NIST Digital Library of Mathematical Functions, DLMF, 8.17). It is computed as
 * itself and by its logarithm, never as 1 - CDF, so that it neither rounds to 0 nor underflows: beyond t^2 = 3, where x
 * is below the mean of the beta distribution, by the continued fraction DLMF 8.17.22, evaluated by Lentz's method as
 * modified by Thompson and Barnett (J. Comput. Phys. 64, 1986); within, by 1 - I_(1-x)(1/2, a) and the hypergeometric
 * series DLMF 8.17.8, whose terms are all positive. The beta function needs only gamma(a + 1/2)/gamma(a): the
 * asymptotic series of its logarithm, which follows from Stirling's (DLMF 5.11.8), after the recurrence has carried a
 * to 16 or more. lgamma() is not used: it writes a global, and its differences lose digits as a grows. Limits: any t; f
 * > 0, infinite f is the normal distribution. Relative error of the logarithm: below 1e-12.
 */
#include <float.h>
#include <math.h>

#include "stats_common.h"

/* Above this, Student's t is the normal distribution to every digit of a double; infinite degrees of freedom come down
 * to it, so that no formula meets 0 * infinity. */
static const double normal_df = 1e100;

/* ln(gamma(a + 1/2) / gamma(a)) for a > 0 */
static double log_gamma_half_step(double a) {
  double log_carried = 0;
  for (; a < 16; a++) /* gamma(a + 1/2)/gamma(a) = a/(a + 1/2) gamma(a + 3/2)/gamma(a + 1) */
    log_carried -= log1p(0.5 / a);
  double u = 1 / a, v = u * u;
  double series = u * (-1.0 / 8 + v * (1.0 / 192 + v * (-1.0 / 640 + v * (17.0 / 14336 - v * 31.0 / 18432))));
  return log_carried + 0.5 * log(a) + series;
}

/* ln of gamma(a + 1/2) / (gamma(a) gamma(1/2)), which is 1 / B(a, 1/2) */
static double log_inverse_beta(double a) { return log_gamma_half_step(a) - 0.5 * log(acos(-1)); }

/* I_x(a, b) divided by x^a y^b / B(a, b), where y = 1 - x, b = 1/2.
 *
 * DLMF 8.17.22 is 1/(1 + d1/(1 + d2/(1 + ...))) / a. Near x = 1 its terms 1 + d cancel: with a = 10^6 six digits are
 * lost. Its even part, 1/(1 + d1 - d1 d2/(1 + d2 + d3 - d3 d4/(...))), each level multiplied by a + 2n, cancels only in
 * l = a y - b x, which is computed from y itself:
 *   level n   n + n (b - n) x / (a + 2n - 1) + (a + n) / (a + 2n + 1) (l + 1 + n (1 + y))
 *   over it   n (b - n) x^2 (a + n - 1) (a + b + n - 1) / (a + 2n - 1)^2
 */
static double continued_fraction(double a, double x, double y) {
  const double b = 0.5, l = a * y - b * x;
  double value = a / (a + 1) * (l + 1), c = value, d = 0;
  for (int n = 1; n < 10000; n++) {
    double over = n * (b - n) * x * x * ((a + n - 1) / (a + 2 * n - 1)) * ((a + b + n - 1) / (a + 2 * n - 1));
    double level = n + n * (b - n) * x / (a + 2 * n - 1) + (a + n) / (a + 2 * n + 1) * (l + 1 + n * (1 + y));
    d = 1 / (level + over * d);
    c = level + over / c;
    value *= c * d;
    if (fabs(c * d - 1) < DBL_EPSILON)
      break;
  }
  return 1 / value;
}

/* I_y(1/2, a) divided by y^(1/2) (1-y)^a / B(1/2, a) */
static double complement_series(double a, double y) {
  double term = 2, sum = 2; /* the series' factor is 1/p, p = 1/2 */
  for (int n = 0; n < 10000 && term > sum * (DBL_EPSILON / 8); n++) {
    term *= y * (a + 0.5 + n) / (1.5 + n);
    sum += term;
  }
  return sum;
}

/* ln(1 / (1 + square)), where `log_square` is the logarithm of `square`, which may have overflowed */
static double log_share(double square, double log_square) { return square < 1e200 ? -log1p(square) : -log_square; }

double pp_stats_t_log_two_sided(double t, double df) {
  if (isnan(t) || !(df > 0))
    return NAN;
  if (t == 0)
    return 0;
  if (isinf(t))
    return -INFINITY;
  df = fmin(df, normal_df);
  double a = df / 2, r = fabs(t) / sqrt(df), square = r * r, log_square = 2 * log(fabs(t)) - log(df);
  double x = 1 / (1 + square), y = 1 / (1 + 1 / square);
  double log_factor =
      a * log_share(square, log_square) + 0.5 * log_share(1 / square, -log_square) + log_inverse_beta(a);
  if (fabs(t) > sqrt(3))
    return log_factor + log(continued_fraction(a, x, y));
  return log1p(-exp(log_factor) * complement_series(a, y));
}

double pp_stats_t_log_upper(double t, double df) {
  double log_two_sided = pp_stats_t_log_two_sided(t, df);
  return t > 0 ? log_two_sided - log(2) : log1p(-0.5 * exp(log_two_sided));
}

/* ln of the density at t */
static double log_density(double t, double df) {
  double r = t / sqrt(df), log_square = 2 * log(t) - log(df);
  return log_inverse_beta(df / 2) - 0.5 * log(df) + (df + 1) / 2 * log_share(r * r, log_square);
}

/* Newton's method for ln t on ln of the two-sided tail, kept in a bracket: a step that would leave it is replaced by
 * halving. */
double pp_stats_t_quantile(double p, double df) {
  if (!(p >= 0 && p <= 1) || !(df > 0))
    return NAN;
  if (p == 0.5)
    return 0;
  double tail = fmin(p, 1 - p), sign = p < 0.5 ? -1 : 1;
  if (tail == 0)
    return sign * INFINITY;
  df = fmin(df, normal_df);
  double target = tail < 0.25 ? log(2 * tail) : log1p(2 * tail - 1);
  double low = log(DBL_MIN), high = log(DBL_MAX), log_t = 0;
  if (pp_stats_t_log_two_sided(exp(high), df) > target)
    return sign * INFINITY; /* beyond a double: few degrees of freedom and a far tail */
  for (int i = 0; i < 200; i++) {
    double t = exp(log_t), log_p = pp_stats_t_log_two_sided(t, df);
    if (log_p > target)
      low = log_t;
    else
      high = log_t;
    double slope = -2 * exp(log_t + log_density(t, df) - log_p); /* d log_p / d log_t */
    double next = log_t - (log_p - target) / slope;
    if (!(next > low && next < high))
      next = 0.5 * (low + high);
    double step = fabs(next - log_t);
    log_t = next;
    if (step <= 2 * DBL_EPSILON * fmax(1, fabs(log_t)))
      break;
  }
  return sign * exp(log_t);
}
