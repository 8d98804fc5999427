/* SPDX-License-Identifier: Apache-2.0 */
#include "hash.h"
#include "test.h"

static bool same(const void *context, size_t entry, const void *key) {
  return ((const uint64_t *)context)[entry] == *(const uint64_t *)key;
}

/* With hashes that are all different, and with only three different ones. */
static void finds_what_was_inserted(uint64_t n_hashes) {
  enum { N = 3000 };
  static uint64_t keys[N];
  pp_hash table = {0};
  size_t wrong = 0;
  for (size_t i = 0; i < N; i++) {
    keys[i] = i * i;
    uint64_t hash = pp_hash_word(0, keys[i] % n_hashes);
    wrong += pp_hash_find(&table, hash, same, keys, &keys[i]) != PP_HASH_NONE;
    wrong += !pp_hash_insert(&table, hash, i);
  }
  for (size_t i = 0; i < N; i++)
    wrong += pp_hash_find(&table, pp_hash_word(0, keys[i] % n_hashes), same, keys, &keys[i]) != i;
  CHECK(wrong == 0);
  CHECK(table.count == N && table.capacity >= 2 * N);
  pp_hash_free(&table);
  CHECK(!table.slots && !table.count);
}

static void refuses_what_it_cannot_number(void) {
  pp_hash table = {0};
  CHECK(!pp_hash_insert(&table, 1, UINT32_MAX));
  CHECK(pp_hash_insert(&table, 1, UINT32_MAX - 1));
  pp_hash_free(&table);
}

static void hashes_tell_sequences_apart(void) {
  const char text[] = "abcdefghij";
  CHECK(pp_hash_bytes(0, text, 9) != pp_hash_bytes(0, text, 10));
  CHECK(pp_hash_bytes(0, "\0", 1) != pp_hash_bytes(0, "", 0));
  CHECK(pp_hash_bytes(0, text, 10) == pp_hash_bytes(0, "abcdefghij", 10));
  CHECK(pp_hash_word(pp_hash_word(0, 1), 2) != pp_hash_word(pp_hash_word(0, 2), 1));
}

int main(void) {
  finds_what_was_inserted(UINT64_MAX);
  finds_what_was_inserted(3);
  refuses_what_it_cannot_number();
  hashes_tell_sequences_apart();
  return test_end();
}
