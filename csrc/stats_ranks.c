/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_ranks.c: exact distributions of rank sums.
 *
 * By the shift algorithm: one score after another joins or does not, so that the number of ways to reach each sum
 * follows from the numbers before (B. Streitberg, J. Roehmel, "Exact distributions for permutation and rank tests",
 * Statistical Software Newsletter 12, 1986). Scores may be tied. Only positive numbers are added: no digits are lost.
 * Limits: O(n k sum) time and O(k sum) memory; the callers bound n so that the counts stay within a double.
 */
#include "stats_ranks.h"

#include <stdlib.h>

#include "status.h"

static double sum_of(const double *weight, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += weight[i];
  return sum;
}

pp_status pp_ranks_of_subsets(const size_t *scores, size_t n, size_t k, pp_distribution *out, pp_error *error) {
  size_t largest = 0;
  for (size_t i = n - k; i < n; i++)
    largest += scores[i];
  size_t width = largest + 1;
  double *ways = calloc((k + 1) * width, sizeof *ways); /* ways[j * width + s]: j scores with sum s */
  out->weight = ways ? malloc(width * sizeof *ways) : NULL;
  if (!out->weight) {
    free(ways);
    return pp_fail_memory(error);
  }
  ways[0] = 1;
  for (size_t i = 0; i < n; i++)
    for (size_t j = i < k ? i + 1 : k; j > 0; j--) {
      double *with = ways + j * width + scores[i];
      const double *without = with - width - scores[i];
      for (size_t s = 0; s + scores[i] < width; s++)
        with[s] += without[s];
    }
  for (size_t s = 0; s < width; s++)
    out->weight[s] = ways[k * width + s];
  free(ways);
  out->largest = largest;
  out->total = sum_of(out->weight, width);
  return PP_OK;
}

pp_status pp_ranks_signed(size_t n, pp_distribution *out, pp_error *error) {
  size_t largest = n * (n + 1) / 2;
  out->weight = calloc(largest + 1, sizeof *out->weight);
  if (!out->weight)
    return pp_fail_memory(error);
  out->weight[0] = 1;
  for (size_t rank = 1; rank <= n; rank++)
    for (size_t s = largest; s >= rank; s--)
      out->weight[s] += out->weight[s - rank];
  out->largest = largest;
  out->total = sum_of(out->weight, largest + 1);
  return PP_OK;
}

double pp_ranks_below(const pp_distribution *distribution, size_t s) {
  return sum_of(distribution->weight, s + 1) / distribution->total;
}

double pp_ranks_above(const pp_distribution *distribution, size_t s) {
  double sum = 0;
  for (size_t i = distribution->largest + 1; i > s; i--)
    sum += distribution->weight[i - 1];
  return sum / distribution->total;
}
