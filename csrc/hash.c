/* SPDX-License-Identifier: Apache-2.0 */
#include "hash.h"

#include <stdlib.h>
#include <string.h>

/* Multiplying carries a bit upwards only, so the well-mixed upper half is folded back before the next word. */
uint64_t pp_hash_word(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / golden ratio */
  return hash ^ hash >> 32;
}

uint64_t pp_hash_bytes(uint64_t hash, const void *data, size_t size) {
  const char *bytes = data;
  uint64_t word;
  hash = pp_hash_word(hash, size + 1); /* "a", "b" and "ab", "" differ */
  for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
    memcpy(&word, bytes, sizeof word);
    hash = pp_hash_word(hash, word);
  }
  if (size) {
    word = 0;
    memcpy(&word, bytes, size);
    hash = pp_hash_word(hash, word);
  }
  return hash;
}

static uint32_t hash_fold(uint64_t hash) { return (uint32_t)(pp_hash_word(hash, 0) >> 32); }

size_t pp_hash_find(const pp_hash *table, uint64_t hash, pp_hash_equal *equal, const void *context, const void *key) {
  uint32_t folded = hash_fold(hash);
  if (!table->count)
    return PP_HASH_NONE;
  for (size_t i = folded;; i++) {
    const pp_hash_slot *slot = &table->slots[i & (table->capacity - 1)];
    if (!slot->entry_plus_1)
      return PP_HASH_NONE;
    if (slot->hash == folded && equal(context, slot->entry_plus_1 - 1, key))
      return slot->entry_plus_1 - 1;
  }
}

static void hash_place(pp_hash_slot *slots, size_t capacity, pp_hash_slot slot) {
  size_t i = slot.hash;
  while (slots[i & (capacity - 1)].entry_plus_1)
    i++;
  slots[i & (capacity - 1)] = slot;
}

bool pp_hash_insert(pp_hash *table, uint64_t hash, size_t entry) {
  if (entry >= UINT32_MAX)
    return false;
  if (table->count >= table->capacity / 2) {
    size_t capacity = table->capacity ? table->capacity * 2 : 64;
    pp_hash_slot *slots = calloc(capacity, sizeof *slots);
    if (!slots)
      return false;
    for (size_t i = 0; i < table->capacity; i++)
      if (table->slots[i].entry_plus_1)
        hash_place(slots, capacity, table->slots[i]);
    free(table->slots);
    table->slots = slots;
    table->capacity = capacity;
  }
  hash_place(table->slots, table->capacity, (pp_hash_slot){hash_fold(hash), (uint32_t)entry + 1});
  table->count++;
  return true;
}

void pp_hash_free(pp_hash *table) {
  free(table->slots);
  *table = (pp_hash){0};
}
