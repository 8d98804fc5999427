/* SPDX-License-Identifier: Apache-2.0 */
#include "build.h"
#include "profile.h"

static pp_builder *new_builder(void) {
  pp_builder_options options = build_options();
  return pp_builder_new(&options, NULL);
}

static void a_tree_becomes_samples(void) {
  pp_builder *builder = new_builder();
  enter(builder, "main", 1, 5);
  sample(builder, 0, 1);
  enter(builder, "busy", 10, 12);
  sample(builder, 13, 2);
  sample(builder, 14, 3);
  sample(builder, 13, 4);
  pp_builder_leave(builder);
  pp_builder_leave(builder);
  pp_profile *profile = built(builder, NULL);
  REQUIRE(profile);
  CHECK(pp_profile_n_samples(profile) == 3);
  CHECK(pp_profile_n_locations(profile) == 3); /* main:5, busy:13, busy:14; busy:12 was not needed */
  CHECK(pp_profile_n_functions(profile) == 2);
  CHECK(pp_profile_time_nanos(profile) == 1600000000000000000 && pp_profile_duration_nanos(profile) == 5000);
  CHECK(pp_profile_period(profile) == 1000 && is_text(pp_profile_period_type(profile).type, "wall"));
  CHECK(pp_profile_default_sample_type(profile) == 1);
  pp_top *top = pp_profile_top(profile, 0, PP_LINES, NULL);
  REQUIRE(top && top->n_rows == 3);
  CHECK(top->rows[0].line == 13 && top->rows[0].flat == 6);
  CHECK(top->rows[1].line == 14 && top->rows[1].flat == 3);
  CHECK(top->rows[2].line == 5 && top->rows[2].flat == 1 && top->rows[2].cum == 10);
  pp_top_free(top);
  const Pp__Sample *first = profile->pb->sample[1]; /* the leaf comes first */
  CHECK(first->n_location_id == 2 && first->value[1] == 6000);
  const Pp__Line *leaf = profile->pb->location[first->location_id[0] - 1]->line[0];
  CHECK(leaf->line == 13 && profile->pb->function[leaf->function_id - 1]->start_line == 10);
  pp_profile_free(profile);
}

static void functions_of_one_name_stay_apart(void) {
  pp_builder *builder = new_builder();
  pp_frame frame = {STR("f"), STR("a.js"), 1, 1, 1, 1};
  const struct {
    const char *file;
    int64_t line, column;
  } places[] = {{"a.js", 1, 1}, {"a.js", 1, 9}, {"a.js", 2, 1}, {"b.js", 1, 1}, {"a.js", 1, 1}};
  for (size_t i = 0; i < 5; i++) {
    frame.filename = (pp_str){places[i].file, 4};
    frame.start_line = places[i].line;
    frame.start_column = places[i].column;
    pp_builder_enter(builder, &frame);
    sample(builder, 0, 1);
    pp_builder_leave(builder);
  }
  pp_profile *profile = built(builder, NULL);
  REQUIRE(profile);
  CHECK(pp_profile_n_functions(profile) == 4 && pp_profile_n_samples(profile) == 4);
  pp_profile_free(profile);
}

static void a_column_of_the_leaf(void) {
  pp_builder *builder = new_builder();
  const int64_t values[] = {1, 1};
  enter(builder, "f", 1, 2);
  pp_builder_sample(builder, 3, 7, values);
  pp_builder_leave(builder);
  pp_profile *profile = built(builder, NULL);
  REQUIRE(profile);
  CHECK(profile->pb->location[0]->line[0]->line == 3 && profile->pb->location[0]->line[0]->column == 7);
  pp_profile_free(profile);
}

static void labels_keep_samples_apart(void) {
  pp_builder *builder = new_builder();
  const int64_t values[] = {1, 5};
  const int64_t times[] = {100, 200, 100};
  enter(builder, "f", 1, 2);
  for (size_t i = 0; i < 3; i++) {
    const pp_label labels[] = {{STR("thread"), STR("main"), 0, STR("")}, {STR("time"), STR(""), times[i], STR("ns")}};
    pp_builder_labelled_sample(builder, 0, 0, values, labels, 2);
  }
  sample(builder, 0, 1);
  pp_builder_leave(builder);
  pp_profile *profile = built(builder, NULL);
  REQUIRE(profile);
  CHECK(pp_profile_n_samples(profile) == 3 && pp_profile_n_locations(profile) == 1);
  const Pp__Sample *first = profile->pb->sample[0];
  CHECK(first->value[1] == 10 && first->n_label == 2);
  CHECK(is_text(pp_pb_string(profile->pb, first->label[0]->key), "thread"));
  CHECK(is_text(pp_pb_string(profile->pb, first->label[0]->str), "main"));
  CHECK(first->label[1]->num == 100 && is_text(pp_pb_string(profile->pb, first->label[1]->num_unit), "ns"));
  CHECK(profile->pb->sample[1]->label[1]->num == 200 && !profile->pb->sample[2]->n_label);
  pp_profile_free(profile);
}

static void it_can_go_on_after_an_encode(void) {
  pp_builder *builder = new_builder();
  pp_bytes first = {NULL, 0}, again = {NULL, 0};
  sample(builder, 0, 1); /* an empty stack */
  CHECK(pp_builder_encode(builder, 6, &first, NULL) == PP_OK);
  CHECK(pp_builder_encode(builder, 6, &again, NULL) == PP_OK);
  CHECK(first.size == again.size && !memcmp(first.data, again.data, first.size));
  enter(builder, "f", 1, 1);
  sample(builder, 0, 1);
  pp_builder_leave(builder);
  pp_profile *profile = built(builder, NULL);
  REQUIRE(profile);
  CHECK(pp_profile_n_samples(profile) == 2);
  pp_profile_free(profile);
  pp_bytes_free(&first);
  pp_bytes_free(&again);
}

/* The builder's failure must be `status`, whatever is done after it. */
static void fails(pp_builder *builder, pp_status status, const char *cause) {
  pp_error error = {0};
  pp_bytes bytes = {NULL, 0};
  enter(builder, "later", 1, 1);
  sample(builder, 0, 1);
  pp_builder_leave(builder);
  CHECK(pp_builder_encode(builder, 6, &bytes, &error) == status && !bytes.data);
  CHECK(error.status == status && strstr(error.message, cause));
  pp_builder_free(builder);
}

static void errors_are_sticky(void) {
  pp_builder *builder = new_builder();
  pp_builder_leave(builder);
  fails(builder, PP_INVALID, "not been entered");

  builder = new_builder();
  enter(builder, "f", -1, 1);
  fails(builder, PP_INVALID, "negative");

  builder = new_builder();
  sample(builder, -1, 1);
  fails(builder, PP_INVALID, "negative");

  builder = new_builder();
  const int64_t ones[] = {1, 1};
  const pp_label label = {STR("key"), STR("text"), 0, STR("")};
  pp_builder_labelled_sample(builder, 0, 0, ones,
                             (pp_label[]){label, label, label, label, label, label, label, label, label},
                             PP_MAX_LABELS + 1);
  fails(builder, PP_INVALID, "labels");

  builder = new_builder();
  enter(builder, "f", 1, 1);
  fails(builder, PP_INVALID, "1 frames have not been left");

  builder = new_builder();
  const int64_t most[] = {1, INT64_MAX}, least[] = {1, INT64_MIN};
  pp_builder_sample(builder, 0, 0, most);
  pp_builder_sample(builder, 0, 0, least); /* one of each fits */
  pp_builder_sample(builder, 0, 0, least);
  fails(builder, PP_LIMIT, "64 bits");

  builder = new_builder();
  for (int i = 0; i <= 65536; i++)
    enter(builder, "f", 1, 1);
  fails(builder, PP_LIMIT, "deeper");
}

static void deep_stacks(void) {
  pp_builder *builder = new_builder();
  for (int i = 0; i < 65536; i++)
    enter(builder, "f", 1, 1);
  sample(builder, 0, 1);
  for (int i = 0; i < 65536; i++)
    pp_builder_leave(builder);
  pp_profile *profile = built(builder, NULL);
  REQUIRE(profile);
  CHECK(profile->pb->sample[0]->n_location_id == 65536);
  pp_profile_free(profile);
}

static void bad_arguments(void) {
  pp_builder_options options = build_options();
  pp_error error = {0};
  options.n_sample_types = 0;
  CHECK(!pp_builder_new(&options, &error) && error.status == PP_INVALID);
  pp_bytes bytes = {NULL, 0};
  pp_builder *builder = new_builder();
  CHECK(pp_builder_encode(builder, 10, &bytes, &error) == PP_INVALID && strstr(error.message, "level"));
  pp_builder_free(builder);
  pp_builder_free(NULL);
}

int main(void) {
  a_tree_becomes_samples();
  functions_of_one_name_stay_apart();
  a_column_of_the_leaf();
  labels_keep_samples_apart();
  it_can_go_on_after_an_encode();
  errors_are_sticky();
  deep_stacks();
  bad_arguments();
  return test_end();
}
