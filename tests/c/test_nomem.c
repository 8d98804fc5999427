/* SPDX-License-Identifier: Apache-2.0
 *
 * Every allocation of the core, of protobuf-c and of zlib fails once: the answer must be PP_NOMEM, and nothing may be
 * lost. The linker puts these functions in the place of malloc and the others (--wrap, see the Makefile).
 */
#include "build.h"
#include "gzip.h"

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

static pp_bytes zipped; /* what parse reads */
static pp_profile *parsed;

static pp_status build(pp_error *error) {
  pp_builder_options options = build_options();
  pp_builder *builder = pp_builder_new(&options, error);
  if (!builder)
    return error->status;
  char names[100][16];
  for (int i = 0; i < 100; i++) { /* enough for every array to grow */
    snprintf(names[i], sizeof names[i], "f%d", i);
    enter(builder, names[i], i, i);
    sample(builder, i + 1, 1);
  }
  for (int i = 0; i < 100; i++)
    pp_builder_leave(builder);
  pp_bytes bytes = {NULL, 0};
  pp_status status = pp_builder_encode(builder, 6, &bytes, error);
  pp_bytes_free(&bytes);
  pp_builder_free(builder);
  return status;
}

static pp_status parse(pp_error *error) {
  pp_profile *profile = pp_profile_parse(zipped.data, zipped.size, 0, error);
  pp_profile_free(profile);
  return profile ? PP_OK : error->status;
}

static pp_status merge(pp_error *error) {
  const pp_profile *const both[] = {parsed, parsed};
  pp_profile *profile = pp_profile_merge(both, 2, error);
  pp_profile_free(profile);
  return profile ? PP_OK : error->status;
}

static pp_status top(pp_error *error) {
  pp_top *rows = pp_profile_top(parsed, 0, PP_LINES, error);
  pp_top_free(rows);
  return rows ? PP_OK : error->status;
}

static pp_status encode(pp_error *error) {
  pp_bytes bytes = {NULL, 0};
  pp_status status = pp_profile_encode(parsed, 6, &bytes, error);
  pp_bytes_free(&bytes);
  return status;
}

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

int main(void) {
  input in = valid_input();
  put_value_type(&in, 11, CPU, NS);
  put_value_type(&in, 11, CPU, NS);
  put_int(&in, 13, WORD);
  put_mapping(&in, 9, 0, 10, BINARY);
  put_function(&in, 77, WORD); /* ids that are not positions */
  put_location(&in, 88, 77, 1);
  put_sample(&in, 88, 1, -1, -1);
  put_sample(&in, 88, 2, 1, 0);
  put_sample(&in, 88, 2, -1, 0); /* cancels out: merging starts over */
  for (int i = 0; i < 60; i++) {
    put_function(&in, 100 + i, WORD);
    put_location(&in, 100 + i, 100 + i, i);
    put_sample(&in, 100 + i, 1, 1, i);
  }
  CHECK(pp_gzip(in.data, in.size, 6, &zipped, NULL) == PP_OK);
  parsed = parse_input(&in, NULL);
  CHECK(parsed);
  if (parsed) {
    walk("build", build, 20);
    walk("parse", parse, 10);
    walk("merge", merge, 10);
    walk("top", top, 5);
    walk("encode", encode, 5);
  }
  pp_profile_free(parsed);
  pp_bytes_free(&zipped);
  CHECK(alive == 0);
  return test_end();
}
