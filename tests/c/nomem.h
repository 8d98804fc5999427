/* SPDX-License-Identifier: Apache-2.0
 *
 * nomem.h: makes every allocation of an operation fail once. The linker puts these functions in the place of malloc and
 * the others (--wrap, see the Makefile).
 */
#ifndef NOMEM_H
#define NOMEM_H

#include "pp.h"
#include "test.h"

static size_t allowed = SIZE_MAX; /* allocations before the one that fails */
static size_t alive;              /* blocks that are not freed */

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);

static bool may_allocate(void) {
  if (!allowed)
    return false;
  allowed--;
  return true;
}

static void *count_block(void *block) {
  alive += block != NULL;
  return block;
}

void *__wrap_malloc(size_t size) { return may_allocate() ? count_block(__real_malloc(size)) : NULL; }

void *__wrap_calloc(size_t n, size_t size) { return may_allocate() ? count_block(__real_calloc(n, size)) : NULL; }

void *__wrap_realloc(void *block, size_t size) {
  if (!block)
    return __wrap_malloc(size);
  return may_allocate() ? __real_realloc(block, size) : NULL;
}

void __wrap_free(void *block) {
  alive -= block != NULL;
  __real_free(block);
}

/* `operation` must answer every failure with PP_NOMEM, and lose nothing. */
static void walk(const char *name, pp_status (*operation)(pp_error *), size_t least_allocations) {
  size_t before = alive, wrong = 0, n = 0;
  pp_status status = PP_NOMEM;
  for (; status == PP_NOMEM && n < 10000; n++) {
    pp_error error = {0};
    allowed = n;
    status = operation(&error);
    allowed = SIZE_MAX;
    wrong += alive != before || (status == PP_NOMEM && strcmp(error.message, "out of memory") != 0);
  }
  if (status != PP_OK || wrong || n < least_allocations)
    fprintf(stderr, "%s: %s, %zu wrong, %zu allocations\n", name, pp_status_name(status), wrong, n);
  CHECK(status == PP_OK && wrong == 0 && n >= least_allocations);
}

#endif
