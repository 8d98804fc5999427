/* SPDX-License-Identifier: Apache-2.0
 *
 * rng.c: xoshiro256**, seeded by splitmix64.
 *
 * D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators", ACM Transactions on Mathematical Software
 * 47, 2021: period 2^256 - 1, passes the usual test batteries. The four words of state are the first four outputs of
 * splitmix64 (G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014), never
 * all zero.
 * Numbers below n: the upper half of word * n; the few words whose lower half would make some numbers likelier are
 * drawn again (D. Lemire, "Fast random integer generation in an interval", ACM Transactions on Modeling and Computer
 * Simulation 29, 2019). The lower half is as good as a word of its own: multiplied by n again it gives the next number,
 * and so several numbers from one word, exactly uniform when the last lower half is not below 2^64 mod n^k (N.
 * Brackett-Rozinsky, D. Lemire, "Batched ranged random integer generation", Software: Practice and Experience 55,
 * 2025). Limits: not for secrets. 64-bit integers only, so that streams do not depend on the platform.
 */
#include "rng.h"

static uint64_t splitmix64(uint64_t *counter) {
  uint64_t z = *counter += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

pp_rng pp_rng_seeded(uint64_t seed) {
  pp_rng rng;
  for (int i = 0; i < 4; i++)
    rng.state[i] = splitmix64(&seed);
  return rng;
}
