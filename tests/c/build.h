/* SPDX-License-Identifier: Apache-2.0
 *
 * build.h: makes profiles by the builder, for the tests of what is done with them.
 */
#ifndef BUILD_H
#define BUILD_H

#include "input.h"

#define STR(literal) ((pp_str){literal, sizeof literal - 1})

static const pp_value_type build_types[] = {{{"samples", 7}, {"count", 5}}, {{"wall", 4}, {"nanoseconds", 11}}};

static inline pp_builder_options build_options(void) {
  return (pp_builder_options){.sample_types = build_types,
                              .n_sample_types = 2,
                              .period_type = build_types[1],
                              .period = 1000,
                              .time_nanos = 1600000000000000000,
                              .duration_nanos = 5000};
}

static inline void enter(pp_builder *builder, const char *name, int64_t start_line, int64_t line) {
  const pp_frame frame = {{name, strlen(name)}, STR("a.js"), start_line, 1, line, 0};
  pp_builder_enter(builder, &frame);
}

static inline void sample(pp_builder *builder, int64_t line, int64_t count) {
  const int64_t values[] = {count, count * 1000};
  pp_builder_sample(builder, line, 0, values);
}

/* Encode and read back; frees the builder. */
static inline pp_profile *built(pp_builder *builder, pp_error *error) {
  pp_bytes bytes = {NULL, 0};
  pp_profile *profile = NULL;
  if (pp_builder_encode(builder, 1, &bytes, error) == PP_OK)
    profile = pp_profile_parse(bytes.data, bytes.size, 0, error);
  pp_bytes_free(&bytes);
  pp_builder_free(builder);
  return profile;
}

static inline const pp_top_row *find_row(const pp_top *top, const char *name) {
  for (size_t i = 0; i < top->n_rows; i++)
    if (is_text(top->rows[i].name, name))
      return &top->rows[i];
  return NULL;
}

#endif
