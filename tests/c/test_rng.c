/* SPDX-License-Identifier: Apache-2.0 */
#include "close.h"
#include "rng.h"
#include "test.h"

/* The reference implementations' outputs: splitmix64 seeded with 1234567 (its first four are the state), and
 * xoshiro256** from the state 1, 2, 3, 4. */
static void published_streams(void) {
  pp_rng seeded = pp_rng_seeded(1234567);
  CHECK(seeded.state[0] == UINT64_C(6457827717110365317) && seeded.state[1] == UINT64_C(3203168211198807973));
  CHECK(seeded.state[2] == UINT64_C(9817491932198370423) && seeded.state[3] == UINT64_C(4593380528125082431));
  pp_rng rng = {{1, 2, 3, 4}};
  const uint64_t wanted[] = {11520,
                             0,
                             1509978240,
                             UINT64_C(1215971899390074240),
                             UINT64_C(1216172134540287360),
                             UINT64_C(607988272756665600),
                             UINT64_C(16172922978634559625),
                             UINT64_C(8476171486693032832),
                             UINT64_C(10595114339597558777),
                             UINT64_C(2904607092377533576)};
  for (size_t i = 0; i < COUNT(wanted); i++)
    CHECK(pp_rng_next(&rng) == wanted[i]);
}

static void digits(void) {
  uint64_t word = UINT64_MAX;
  CHECK(pp_rng_digit(&word, 10) == 9 && word == UINT64_MAX - 9);
  word = UINT64_C(1) << 63;
  CHECK(pp_rng_digit(&word, 7) == 3 && word == UINT64_C(1) << 63);
  word = UINT64_MAX;
  CHECK(pp_rng_digit(&word, UINT64_MAX) == UINT64_MAX - 1 && word == 1);
  CHECK(pp_rng_unfair(1) == 0 && pp_rng_unfair(10) == 6 && pp_rng_unfair(UINT64_C(1) << 63) == 0);
}

/* chi^2 with 9 degrees of freedom is below 27.9 in 999 of 1000 streams. */
static void below(void) {
  pp_rng rng = pp_rng_seeded(0);
  double counts[10] = {0}, chi2 = 0;
  for (int i = 0; i < 100000; i++)
    counts[pp_rng_below(&rng, 10)]++;
  for (size_t i = 0; i < 10; i++)
    chi2 += (counts[i] - 1e4) * (counts[i] - 1e4) / 1e4;
  CHECK(chi2 < 27.9);
  CHECK(pp_rng_below(&rng, 1) == 0);
  uint64_t large = UINT64_C(3) << 62, over = 0; /* a quarter of all words would fall where two meet */
  for (int i = 0; i < 1000; i++)
    over += pp_rng_below(&rng, large) >= large / 2;
  CHECK(over > 400 && over < 600);
}

int main(void) {
  published_streams();
  digits();
  below();
  return test_end();
}
