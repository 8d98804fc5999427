/* SPDX-License-Identifier: Apache-2.0
 *
 * Every allocation of the core, of protobuf-c and of zlib fails once: the answer must be PP_NOMEM, and nothing may be
 * lost.
 */
#include "build.h"
#include "gzip.h"
#include "nomem.h"

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

static pp_status relocate(pp_error *error) {
  pp_builder_options options = build_options();
  pp_builder *builder = pp_builder_new(&options, error);
  if (!builder)
    return error->status;
  enum { N = 60 };
  const int64_t values[] = {1, 1};
  const pp_label label = {STR("thread"), STR("main"), 0, STR("")};
  for (int i = 0; i < N; i++) {
    enter(builder, "f", i, i);
    pp_builder_labelled_sample(builder, 0, 0, values, &label, 1);
    pp_builder_leave(builder);
  }
  pp_frame frames[N];
  pp_bytes bytes = {NULL, 0};
  size_t n = pp_builder_n_locations(builder), function;
  for (size_t i = 0; i < n; i++)
    frames[i] = pp_builder_location(builder, i, &function);
  pp_status status = pp_builder_relocate(builder, frames, error);
  if (!status) {
    status = pp_builder_encode(builder, 1, &bytes, error);
    pp_bytes_free(&bytes);
  }
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
    walk("relocate", relocate, 20);
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
