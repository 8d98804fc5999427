/* SPDX-License-Identifier: Apache-2.0
 *
 * rng.h: random numbers that are the same on every platform for the same seed. Private to csrc.
 */
#ifndef PP_RNG_H
#define PP_RNG_H

#include <stdint.h>

typedef struct pp_rng {
  uint64_t state[4];
} pp_rng;

/* Any seed will do; neighbouring seeds give unrelated streams. */
pp_rng pp_rng_seeded(uint64_t seed);

static inline uint64_t pp_rng_rotate(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

static inline uint64_t pp_rng_next(pp_rng *rng) {
  uint64_t *s = rng->state;
  uint64_t result = pp_rng_rotate(s[1] * 5, 7) * 9, shifted = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = pp_rng_rotate(s[3], 45);
  return result;
}

/* The upper half of *word * n, below n, and the lower half in *word: see rng.c. */
static inline uint64_t pp_rng_digit(uint64_t *word, uint64_t n) {
#ifdef __SIZEOF_INT128__
  __extension__ typedef unsigned __int128 wide;
  wide product = (wide)*word * n;
  *word = (uint64_t)product;
  return (uint64_t)(product >> 64);
#else
  uint64_t low = (*word & UINT32_MAX) * (n & UINT32_MAX), high = (*word >> 32) * (n >> 32);
  uint64_t one = (*word >> 32) * (n & UINT32_MAX) + (low >> 32);
  uint64_t two = (*word & UINT32_MAX) * (n >> 32) + (one & UINT32_MAX);
  *word = two << 32 | (low & UINT32_MAX);
  return high + (one >> 32) + (two >> 32);
#endif
}

/* 2^64 mod n, for n of 1 or more: what is left of a word below it would make some digits likelier than others. */
static inline uint64_t pp_rng_unfair(uint64_t n) { return (0 - n) % n; }

/* Uniform on 0 to n - 1, exactly; n of 1 or more. */
static inline uint64_t pp_rng_below(pp_rng *rng, uint64_t n) {
  uint64_t word, digit;
  do {
    word = pp_rng_next(rng);
    digit = pp_rng_digit(&word, n);
  } while (word < n && word < pp_rng_unfair(n));
  return digit;
}

#endif
