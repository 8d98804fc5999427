/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_common.h: what the statistics share. Private to csrc.
 */
#ifndef PP_STATS_COMMON_H
#define PP_STATS_COMMON_H

#include "pp.h"

/* PP_INVALID, naming `name` and the index, unless there are at least `minimum` values and all are finite. */
pp_status pp_stats_check_values(const char *name, const double *x, size_t n, size_t minimum, pp_error *error);
pp_status pp_stats_check_open_unit(const char *name, double value, pp_error *error); /* 0 < value < 1 */
pp_status pp_stats_check_alpha(double alpha, pp_error *error);                       /* 0 < alpha < 0.5 */

/* A sorted copy that the caller frees; NULL where memory ends, or where n is 0. */
double *pp_stats_sorted(const double *x, size_t n, pp_error *error) PP_MUST_CHECK;
double pp_stats_sorted_median(const double *sorted, size_t n);

typedef struct pp_moments {
  double mean, sd;  /* sd with n - 1; NaN where n is 1 */
  double magnitude; /* the largest |x| */
} pp_moments;

/* n of 1 or more finite values. No overflow on the way, and none of the digits lost that the data have. */
pp_moments pp_stats_moments(const double *x, size_t n);

/* ln of Student's upper tail P(T >= t): stats_student_t.c */
double pp_stats_t_log_upper(double t, double df);

/* Unsigned integers in the order of the doubles, and back. -0 is 0. */
uint64_t pp_stats_key_of(double value);
double pp_stats_value_of_key(uint64_t key);

#endif
