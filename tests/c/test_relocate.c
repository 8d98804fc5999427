/* SPDX-License-Identifier: Apache-2.0 */
#include "build.h"
#include "profile.h"

/* main:5 calls a (lines 11 and 12) and b (line 21), both of bundle.js, with a label each. */
static pp_builder *bundle(void) {
  pp_builder_options options = build_options();
  pp_builder *builder = pp_builder_new(&options, NULL);
  const int64_t values[] = {1, 1000};
  const pp_label label = {STR("thread"), STR("main"), 0, STR("")};
  enter(builder, "main", 1, 5);
  enter(builder, "a", 10, 0);
  pp_builder_labelled_sample(builder, 11, 0, values, &label, 1);
  pp_builder_labelled_sample(builder, 12, 0, values, &label, 1);
  pp_builder_leave(builder);
  enter(builder, "b", 20, 0);
  pp_builder_labelled_sample(builder, 21, 3, values, &label, 1);
  pp_builder_leave(builder);
  pp_builder_leave(builder);
  return builder;
}

static size_t find_location(pp_builder *builder, const char *name, int64_t line) {
  for (size_t i = 0, function; i < pp_builder_n_locations(builder); i++) {
    pp_frame frame = pp_builder_location(builder, i, &function);
    if (is_text(frame.name, name) && frame.line == line)
      return i;
  }
  return SIZE_MAX;
}

static void locations_are_told(void) {
  pp_builder *builder = bundle();
  CHECK(pp_builder_n_functions(builder) == 3 && pp_builder_n_locations(builder) == 4);
  size_t of_11, of_12, of_b;
  pp_frame frame = pp_builder_location(builder, find_location(builder, "a", 11), &of_11);
  CHECK(is_text(frame.filename, "a.js") && frame.start_line == 10 && frame.start_column == 1);
  CHECK(frame.line == 11 && frame.column == 0);
  (void)pp_builder_location(builder, find_location(builder, "a", 12), &of_12);
  frame = pp_builder_location(builder, find_location(builder, "b", 21), &of_b);
  CHECK(of_11 == of_12 && of_11 != of_b && of_b < 3 && frame.column == 3);
  pp_builder_free(builder);
}

/* As `names` and `files` say, all at line 7 of a function that begins in line 2. */
static pp_profile *relocated(pp_builder *builder, const char *a_file, const char *b_file, pp_error *error) {
  pp_frame frames[4] = {0};
  for (size_t i = 0, function; i < 4; i++)
    frames[i] = pp_builder_location(builder, i, &function);
  const size_t moved[] = {find_location(builder, "a", 11), find_location(builder, "a", 12),
                          find_location(builder, "b", 21)};
  for (size_t i = 0; i < 3; i++) {
    const char *file = i < 2 ? a_file : b_file;
    frames[moved[i]] = (pp_frame){STR("work"), {file, strlen(file)}, 2, 1, 7, 9};
  }
  if (pp_builder_relocate(builder, frames, error)) {
    pp_builder_free(builder);
    return NULL;
  }
  return built(builder, error);
}

static void what_becomes_equal_becomes_one(void) {
  pp_profile *profile = relocated(bundle(), "x.ts", "x.ts", NULL);
  REQUIRE(profile);
  CHECK(pp_profile_n_functions(profile) == 2 && pp_profile_n_locations(profile) == 2);
  REQUIRE(pp_profile_n_samples(profile) == 1);
  const Pp__Sample *only = profile->pb->sample[0];
  CHECK(only->value[0] == 3 && only->value[1] == 3000 && only->n_location_id == 2);
  CHECK(only->n_label == 1 && is_text(pp_pb_string(profile->pb, only->label[0]->str), "main"));
  const Pp__Line *leaf = profile->pb->location[only->location_id[0] - 1]->line[0];
  const Pp__Function *function = profile->pb->function[leaf->function_id - 1];
  CHECK(leaf->line == 7 && leaf->column == 9 && function->start_line == 2);
  CHECK(is_text(pp_pb_string(profile->pb, function->filename), "x.ts"));
  CHECK(is_text(pp_pb_string(profile->pb, function->name), "work"));
  CHECK(pp_profile_time_nanos(profile) == 1600000000000000000 && pp_profile_duration_nanos(profile) == 5000);
  CHECK(pp_profile_period(profile) == 1000 && is_text(pp_profile_period_type(profile).type, "wall"));
  CHECK(pp_profile_default_sample_type(profile) == 1);
  for (size_t i = 0; i < profile->pb->n_string_table; i++)
    CHECK(!is_text(pp_pb_string(profile->pb, (int64_t)i), "b")); /* dropped with what was called so */
  pp_profile_free(profile);
}

static void files_that_are_equal_but_for_their_name_stay_apart(void) {
  pp_profile *profile = relocated(bundle(), "x.ts", "y.ts", NULL);
  REQUIRE(profile);
  CHECK(pp_profile_n_functions(profile) == 3 && pp_profile_n_locations(profile) == 3);
  CHECK(pp_profile_n_samples(profile) == 2);
  pp_profile_free(profile);
}

static void refusals(void) {
  pp_error error = {0};
  pp_builder *builder = bundle();
  pp_frame frames[4];
  for (size_t i = 0, function; i < 4; i++)
    frames[i] = pp_builder_location(builder, i, &function);
  frames[3].line = -1;
  CHECK(pp_builder_relocate(builder, frames, &error) == PP_INVALID);
  CHECK(pp_builder_n_locations(builder) == 4 && find_location(builder, "b", 21) != SIZE_MAX);
  enter(builder, "late", 1, 1);
  CHECK(pp_builder_relocate(builder, frames, &error) == PP_INVALID && strstr(error.message, "not been left"));
  pp_builder_leave(builder);
  enter(builder, "wrong", -1, 1);
  CHECK(pp_builder_relocate(builder, frames, NULL) == PP_INVALID);
  pp_builder_free(builder);
}

int main(void) {
  locations_are_told();
  what_becomes_equal_becomes_one();
  files_that_are_equal_but_for_their_name_stay_apart();
  refusals();
  return test_end();
}
