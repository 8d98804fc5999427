/* SPDX-License-Identifier: Apache-2.0
 *
 * string_table.h: a profile's string table in the making: each string once, the empty one first.
 */
#ifndef PP_STRING_TABLE_H
#define PP_STRING_TABLE_H

#include "arena.h"
#include "hash.h"
#include "pp.h"

#include <protobuf-c/protobuf-c.h>

typedef struct pp_strings { /* {0} has no strings yet */
  ProtobufCBinaryData *data;
  size_t n, capacity;
  pp_hash hash;
} pp_strings;

/* The index of a string, which is copied into the arena when it is new; -1 when out of memory. The empty string is 0
 * whenever it comes. */
int64_t pp_strings_intern(pp_strings *strings, pp_arena *arena, pp_str string);
void pp_strings_free(pp_strings *strings); /* the strings themselves are the arena's */

#endif
