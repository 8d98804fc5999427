/* SPDX-License-Identifier: Apache-2.0 */
#include "string_table.h"

#include <string.h>

static bool strings_equal(const void *context, size_t entry, const void *key) {
  const ProtobufCBinaryData *known = (const ProtobufCBinaryData *)context + entry;
  const pp_str *string = key;
  return known->len == string->size && (!string->size || !memcmp(known->data, string->data, string->size));
}

static int64_t strings_add(pp_strings *strings, pp_arena *arena, uint64_t hash, pp_str string) {
  ProtobufCBinaryData *data =
      pp_arena_grow(arena, strings->data, strings->n, &strings->capacity, sizeof *strings->data);
  if (!data)
    return -1;
  strings->data = data;
  data[strings->n].len = string.size;
  data[strings->n].data = pp_arena_copy(arena, string.data, string.size);
  if (!data[strings->n].data || !pp_hash_insert(&strings->hash, hash, strings->n))
    return -1;
  return (int64_t)strings->n++;
}

int64_t pp_strings_intern(pp_strings *strings, pp_arena *arena, pp_str string) {
  const pp_str empty = {NULL, 0};
  if (!strings->n && strings_add(strings, arena, pp_hash_bytes(0, NULL, 0), empty) < 0)
    return -1;
  if (!string.size)
    return 0;
  uint64_t hash = pp_hash_bytes(0, string.data, string.size);
  size_t entry = pp_hash_find(&strings->hash, hash, strings_equal, strings->data, &string);
  return entry == PP_HASH_NONE ? strings_add(strings, arena, hash, string) : (int64_t)entry;
}

void pp_strings_free(pp_strings *strings) {
  pp_hash_free(&strings->hash);
  *strings = (pp_strings){0};
}
