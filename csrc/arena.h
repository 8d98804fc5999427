/* SPDX-License-Identifier: Apache-2.0
 *
 * arena.h: memory that is given back all at once. A profile is hundreds of thousands of small objects with one life.
 */
#ifndef PP_ARENA_H
#define PP_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pp_arena_block pp_arena_block;

typedef struct pp_arena { /* {0} is an empty one; it may be moved */
  pp_arena_block *blocks;
  char *next, *end; /* what is free in the newest ordinary block */
  size_t block_size;
  bool failed; /* sticky: some allocation found no memory */
} pp_arena;

/* Not zeroed, aligned for pointers and 64-bit integers. NULL (and `failed`) when out of memory, never for size 0. */
void *pp_arena_alloc(pp_arena *arena, size_t size);
/* n elements of `size` bytes; an n that overflows is out of memory. */
void *pp_arena_array(pp_arena *arena, size_t n, size_t size);
void *pp_arena_copy(pp_arena *arena, const void *data, size_t size);

/* Make room for one more element after the `n` of an array: returns the array, moved where it was full (the old place
 * stays in the arena), or NULL when out of memory. */
void *pp_arena_grow(pp_arena *arena, void *array, size_t n, size_t *capacity, size_t size);

void pp_arena_free(pp_arena *arena); /* leaves an empty one */

#endif
