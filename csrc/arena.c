/* SPDX-License-Identifier: Apache-2.0 */
#include "arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct pp_arena_block {
  pp_arena_block *older;
  uint64_t data[]; /* for its alignment */
};

enum { ARENA_FIRST_BLOCK = 4096, ARENA_LARGEST_BLOCK = 1 << 20 };

static pp_arena_block *arena_block(pp_arena *arena, size_t size) {
  pp_arena_block *block = size < SIZE_MAX - sizeof *block ? malloc(sizeof *block + size) : NULL;
  if (!block)
    arena->failed = true;
  return block;
}

/* A large object gets a block of its own, behind the newest one, whose free rest stays in use. */
static void *arena_alloc_large(pp_arena *arena, size_t size) {
  pp_arena_block *block = arena_block(arena, size);
  if (!block)
    return NULL;
  pp_arena_block **link = arena->blocks ? &arena->blocks->older : &arena->blocks;
  block->older = *link;
  *link = block;
  return block->data;
}

void *pp_arena_alloc(pp_arena *arena, size_t size) {
  if (size > SIZE_MAX - sizeof(uint64_t)) {
    arena->failed = true;
    return NULL;
  }
  size = (size + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
  if (!arena->next || size > (size_t)(arena->end - arena->next)) {
    if (!arena->block_size)
      arena->block_size = ARENA_FIRST_BLOCK;
    if (size > arena->block_size / 4)
      return arena_alloc_large(arena, size);
    pp_arena_block *block = arena_block(arena, arena->block_size);
    if (!block)
      return NULL;
    block->older = arena->blocks;
    arena->blocks = block;
    arena->next = (char *)block->data;
    arena->end = arena->next + arena->block_size;
    if (arena->block_size < ARENA_LARGEST_BLOCK)
      arena->block_size *= 2;
  }
  void *object = arena->next;
  arena->next += size;
  return object;
}

void *pp_arena_array(pp_arena *arena, size_t n, size_t size) {
  if (size && n > SIZE_MAX / size) {
    arena->failed = true;
    return NULL;
  }
  return pp_arena_alloc(arena, n * size);
}

void *pp_arena_copy(pp_arena *arena, const void *data, size_t size) {
  void *copy = pp_arena_alloc(arena, size);
  if (copy && size)
    memcpy(copy, data, size);
  return copy;
}

void *pp_arena_grow(pp_arena *arena, void *array, size_t n, size_t *capacity, size_t size) {
  if (n < *capacity)
    return array;
  size_t larger = *capacity ? *capacity * 2 : 16;
  void *moved = pp_arena_array(arena, larger, size);
  if (!moved)
    return NULL;
  if (n)
    memcpy(moved, array, n * size);
  *capacity = larger;
  return moved;
}

void pp_arena_free(pp_arena *arena) {
  while (arena->blocks) {
    pp_arena_block *older = arena->blocks->older;
    free(arena->blocks);
    arena->blocks = older;
  }
  *arena = (pp_arena){0};
}
