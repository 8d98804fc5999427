/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_multiple.c: p-values of many tests at once.
 *
 * S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979: the
 * i-th smallest of n is multiplied by n - i + 1, and none may be smaller than one before it; whatever the dependence.
 * Y. Benjamini, Y. Hochberg, "Controlling the false discovery rate", Journal of the Royal Statistical Society B 57,
 * 1995: multiplied by n/i, and none may be larger than one after it; independent or positively dependent tests.
 * Limits: the family must be fixed before the data are seen.
 */
#include <math.h>
#include <stdlib.h>

#include "stats_common.h"
#include "status.h"

typedef struct placed_p {
  double p;
  size_t place;
} placed_p;

static int compare_placed(const void *left, const void *right) {
  double a = ((const placed_p *)left)->p, b = ((const placed_p *)right)->p;
  return (a > b) - (a < b);
}

/* Ascending; the caller frees. */
static pp_status sort_pvalues(const double *p, size_t n, placed_p **out, pp_error *error) {
  pp_status status = pp_stats_check_values("p", p, n, 1, error);
  if (status)
    return status;
  for (size_t i = 0; i < n; i++)
    if (!(p[i] >= 0 && p[i] <= 1))
      return pp_fail(error, PP_INVALID, 0, "p[%zu] is %g, but must lie between 0 and 1", i, p[i]);
  *out = malloc(n * sizeof **out);
  if (!*out)
    return pp_fail_memory(error);
  for (size_t i = 0; i < n; i++)
    (*out)[i] = (placed_p){p[i], i};
  qsort(*out, n, sizeof **out, compare_placed);
  return PP_OK;
}

pp_status pp_stats_holm(const double *p, size_t n, double *adjusted, pp_error *error) {
  placed_p *sorted = NULL;
  pp_status status = sort_pvalues(p, n, &sorted, error);
  if (status)
    return status;
  double most = 0;
  for (size_t i = 0; i < n; i++) {
    most = fmax(most, (double)(n - i) * sorted[i].p);
    adjusted[sorted[i].place] = fmin(most, 1);
  }
  free(sorted);
  return PP_OK;
}

pp_status pp_stats_benjamini_hochberg(const double *p, size_t n, double *adjusted, pp_error *error) {
  placed_p *sorted = NULL;
  pp_status status = sort_pvalues(p, n, &sorted, error);
  if (status)
    return status;
  double least = 1;
  for (size_t i = n; i > 0; i--) {
    least = fmin(least, (double)n * sorted[i - 1].p / (double)i);
    adjusted[sorted[i - 1].place] = least;
  }
  free(sorted);
  return PP_OK;
}
