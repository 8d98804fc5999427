/* SPDX-License-Identifier: Apache-2.0 */
#include "arena.h"
#include "test.h"

#include <stdint.h>

static void objects_are_aligned_and_apart(void) {
  pp_arena arena = {0};
  unsigned char *objects[2000];
  for (size_t i = 0; i < 2000; i++) {
    objects[i] = pp_arena_alloc(&arena, i % 97 + 1);
    memset(objects[i], (int)(i % 251), i % 97 + 1);
  }
  size_t wrong = 0;
  for (size_t i = 0; i < 2000; i++) {
    wrong += (uintptr_t)objects[i] % sizeof(uint64_t) != 0;
    for (size_t j = 0; j < i % 97 + 1; j++)
      wrong += objects[i][j] != i % 251;
  }
  CHECK(wrong == 0);
  pp_arena_free(&arena);
  CHECK(!arena.blocks && !arena.next);
}

static void size_zero_is_not_a_failure(void) {
  pp_arena arena = {0};
  CHECK(pp_arena_alloc(&arena, 0));
  CHECK(pp_arena_copy(&arena, NULL, 0));
  CHECK(!arena.failed);
  pp_arena_free(&arena);
}

static void large_objects_leave_the_small_ones_their_block(void) {
  pp_arena arena = {0};
  char *before = pp_arena_alloc(&arena, 8);
  char *large = pp_arena_alloc(&arena, 1 << 22);
  char *after = pp_arena_alloc(&arena, 8);
  CHECK(large && after == before + 8);
  memset(large, 1, 1 << 22);
  pp_arena_free(&arena);
}

static void sizes_that_overflow_fail(void) {
  pp_arena arena = {0};
  CHECK(!pp_arena_array(&arena, SIZE_MAX / 2, 16) && arena.failed);
  arena.failed = false;
  CHECK(!pp_arena_alloc(&arena, SIZE_MAX - 3) && arena.failed);
  pp_arena_free(&arena);
}

static void arrays_grow(void) {
  pp_arena arena = {0};
  size_t capacity = 0, wrong = 0;
  size_t *array = NULL;
  for (size_t n = 0; n < 1000; n++) {
    array = pp_arena_grow(&arena, array, n, &capacity, sizeof *array);
    REQUIRE(array && capacity > n);
    array[n] = n;
  }
  for (size_t n = 0; n < 1000; n++)
    wrong += array[n] != n;
  CHECK(wrong == 0);
  pp_arena_free(&arena);
}

int main(void) {
  objects_are_aligned_and_apart();
  size_zero_is_not_a_failure();
  large_objects_leave_the_small_ones_their_block();
  sizes_that_overflow_fail();
  arrays_grow();
  return test_end();
}
