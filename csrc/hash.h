/* SPDX-License-Identifier: Apache-2.0
 *
 * hash.h: finds the index of an entry that lies in somebody else's array. The table holds hashes and indices only, so
 * that one implementation serves strings, functions, locations, samples and ids.
 */
#ifndef PP_HASH_H
#define PP_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PP_HASH_NONE SIZE_MAX

typedef struct pp_hash_slot {
  uint32_t hash;
  uint32_t entry_plus_1; /* 0: free */
} pp_hash_slot;

typedef struct pp_hash { /* {0} is an empty one */
  pp_hash_slot *slots;
  size_t capacity, count; /* a power of two, at most half full */
} pp_hash;

/* Is entry number `entry` of the array behind `context` the one that `key` describes? */
typedef bool pp_hash_equal(const void *context, size_t entry, const void *key);

/* The entry's index, or PP_HASH_NONE. */
size_t pp_hash_find(const pp_hash *table, uint64_t hash, pp_hash_equal *equal, const void *context, const void *key);
/* Add an entry that is not there yet. False: no memory, or beyond 2^32 - 2 entries. */
bool pp_hash_insert(pp_hash *table, uint64_t hash, size_t entry);
void pp_hash_free(pp_hash *table);

/* The hash of a sequence: start from 0 (or any other hash) and add its parts. */
uint64_t pp_hash_word(uint64_t hash, uint64_t word);
uint64_t pp_hash_bytes(uint64_t hash, const void *data, size_t size);

#endif
