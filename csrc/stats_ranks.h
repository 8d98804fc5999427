/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_ranks.h: how sums of ranks are distributed when nothing but chance deals them. Private to csrc.
 */
#ifndef PP_STATS_RANKS_H
#define PP_STATS_RANKS_H

#include "pp.h"

typedef struct pp_distribution { /* owned: free(.weight) */
  double *weight;                /* of each sum from 0 to `largest`, not normalised */
  size_t largest;
  double total;
} pp_distribution;

/* Sums of k of the n scores, every choice equally likely; the scores ascend, 0 < k < n. */
pp_status pp_ranks_of_subsets(const size_t *scores, size_t n, size_t k, pp_distribution *out, pp_error *error);
/* Sums of those of the ranks 1 to n whose sign is positive, every sign equally likely; n of 1 or more. */
pp_status pp_ranks_signed(size_t n, pp_distribution *out, pp_error *error);

/* P(sum <= s), P(sum >= s), summed from the far end. */
double pp_ranks_below(const pp_distribution *distribution, size_t s);
double pp_ranks_above(const pp_distribution *distribution, size_t s);

#endif
