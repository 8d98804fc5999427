/* SPDX-License-Identifier: Apache-2.0 */
#include "build.h"
#include "profile.h"

static pp_profile *merge_two(const pp_profile *a, const pp_profile *b, pp_error *error) {
  const pp_profile *const both[] = {a, b};
  return pp_profile_merge(both, 2, error);
}

/* Parses two inputs, merges and frees them. */
static pp_profile *merge_inputs(const input *a, const input *b, pp_error *error) {
  pp_profile *first = parse_input(a, error), *second = parse_input(b, error), *merged = NULL;
  CHECK(first && second);
  if (first && second)
    merged = merge_two(first, second, error);
  pp_profile_free(first);
  pp_profile_free(second);
  return merged;
}

static void equal_samples_add_up(void) {
  input a = valid_input(), b = valid_input();
  put_function(&b, 7, MAIN); /* equal to function 1 under another id */
  put_location(&b, 9, 7, 10);
  put_sample(&b, 9, 0, 5, 50);
  put_sample(&b, 2, 0, 7, 70); /* another stack */
  pp_profile *merged = merge_inputs(&a, &b, NULL);
  REQUIRE(merged);
  CHECK(pp_profile_n_samples(merged) == 3 && pp_profile_n_locations(merged) == 2 &&
        pp_profile_n_functions(merged) == 2);
  pp_top *top = pp_profile_top(merged, 1, PP_FUNCTIONS, NULL);
  REQUIRE(top);
  CHECK(find_row(top, "main")->flat == 70 && find_row(top, "main")->cum == 130);
  CHECK(find_row(top, "busy")->flat == 130 && top->total == 200);
  pp_top_free(top);
  pp_bytes bytes = {NULL, 0};
  CHECK(pp_profile_encode(merged, 6, &bytes, NULL) == PP_OK); /* it outlives its sources */
  pp_bytes_free(&bytes);
  pp_profile_free(merged);
}

static void zero_samples_are_dropped(void) {
  input a = valid_input(), b = valid_input();
  put_location(&a, 3, 1, 77);
  put_sample(&a, 3, 0, 0, 0);
  put_sample(&a, 3, 1, 2, 2);
  put_location(&b, 3, 1, 77);
  put_sample(&b, 3, 1, -2, -2); /* cancels out */
  pp_profile *merged = merge_inputs(&a, &b, NULL);
  REQUIRE(merged);
  CHECK(pp_profile_n_samples(merged) == 2 && pp_profile_n_locations(merged) == 2);
  pp_profile_free(merged);
}

static void put_labelled(input *in, const int64_t *numbers, size_t n, int64_t str) {
  input message = {.size = 0};
  put_int(&message, 1, 1);
  put_int(&message, 2, 1);
  put_int(&message, 2, 1);
  for (size_t i = 0; i < n; i++) {
    input label = {.size = 0};
    put_int(&label, 1, KEY);
    if (str)
      put_int(&label, 2, str);
    put_int(&label, 3, numbers[i]);
    put_message(&message, 3, &label);
  }
  put_message(in, 2, &message);
}

static void labels_are_part_of_the_key(void) {
  input a = valid_input(), b = valid_input();
  const int64_t up[] = {1, 2, 3}, down[] = {3, 2, 1};
  put_labelled(&a, up, 3, 0);
  put_labelled(&b, down, 3, 0); /* the same, in another order */
  put_labelled(&b, up, 2, 0);
  put_labelled(&b, up, 3, WORD);
  pp_profile *merged = merge_inputs(&a, &b, NULL);
  REQUIRE(merged);
  CHECK(pp_profile_n_samples(merged) == 5);
  CHECK(merged->pb->sample[2]->n_label == 3 && merged->pb->sample[2]->value[0] == 2);
  pp_profile_free(merged);
}

static void put_address(input *in, int64_t id, int64_t mapping, int64_t address, int folded) {
  input location = {.size = 0};
  put_int(&location, 1, id);
  put_int(&location, 2, mapping);
  put_int(&location, 3, address);
  put_int(&location, 5, folded);
  put_message(in, 4, &location);
  put_sample(in, id, 0, 1, 1);
}

static void addresses_count_from_their_mapping(void) {
  input a = {.size = 0}, b = {.size = 0};
  put_head(&a);
  put_mapping(&a, 1, 0x1000, 0x3000, BINARY);
  put_address(&a, 1, 1, 0x1234, 0);
  put_address(&a, 2, 0, 0x1234, 0);
  put_head(&b);
  put_mapping(&b, 5, 0x20000, 0x22000, FILE_A); /* another object */
  put_mapping(&b, 6, 0x9000, 0xb000, BINARY);   /* loaded elsewhere */
  put_address(&b, 1, 6, 0x9234, 0);             /* the same place */
  put_address(&b, 2, 6, 0x9234, 1);             /* but folded */
  put_address(&b, 3, 5, 0x20234, 0);
  put_address(&b, 4, 0, 0x9234, 0);
  pp_profile *merged = merge_inputs(&a, &b, NULL);
  REQUIRE(merged);
  CHECK(pp_profile_n_locations(merged) == 5 && merged->pb->n_mapping == 2);
  CHECK(merged->pb->location[0]->address == 0x1234 && merged->pb->sample[0]->value[0] == 2);
  CHECK(is_text(pp_pb_string(merged->pb, merged->pb->mapping[0]->filename), "/usr/bin/app"));
  pp_profile_free(merged);
}

static void columns_are_part_of_the_key(void) {
  input in = valid_input();
  for (int64_t column = 1; column <= 2; column++) {
    input location = {.size = 0};
    put_int(&location, 1, 10 + column);
    put_line(&location, 1, 10, column);
    put_message(&in, 4, &location);
    put_sample(&in, 10 + column, 0, 1, 1);
  }
  pp_profile *merged = merge_inputs(&in, &in, NULL);
  REQUIRE(merged);
  CHECK(pp_profile_n_locations(merged) == 4 && pp_profile_n_samples(merged) == 4);
  pp_profile_free(merged);
}

static void put_times(input *in, int64_t time, int64_t duration, int64_t period) {
  put_int(in, 9, time);
  put_int(in, 10, duration);
  put_int(in, 12, period);
}

static void heads(void) {
  input a = valid_input(), b = valid_input();
  put_times(&a, 0, 100, 5);
  put_times(&b, 70, 11, 9);
  put_int(&a, 13, WORD);
  put_int(&a, 13, KEY);
  put_int(&b, 13, BUSY);
  put_int(&b, 13, WORD);
  put_int(&b, 14, SAMPLES);
  put_int(&b, 15, KEY);
  pp_profile *merged = merge_inputs(&a, &b, NULL);
  REQUIRE(merged);
  CHECK(pp_profile_time_nanos(merged) == 70); /* 0 is no time */
  CHECK(pp_profile_duration_nanos(merged) == 111 && pp_profile_period(merged) == 9);
  CHECK(pp_profile_n_comments(merged) == 3 && is_text(pp_profile_comment(merged, 2), "busy"));
  CHECK(pp_profile_default_sample_type(merged) == 0);
  CHECK(is_text(pp_pb_string(merged->pb, merged->pb->doc_url), "key"));
  CHECK(!merged->pb->period_type);
  pp_profile_free(merged);
}

static void what_does_not_fit(void) {
  input a = valid_input(), b = valid_input(), types = valid_input();
  pp_error error = {0};
  put_value_type(&b, 11, CPU, NS);
  CHECK(!merge_inputs(&a, &b, &error) && error.status == PP_INVALID && strstr(error.message, "period type"));
  input head = {.size = 0};
  put_head(&head);
  put_value_type(&head, 1, WORD, WORD);
  CHECK(!merge_inputs(&types, &head, &error) && error.status == PP_INVALID && strstr(error.message, "sample types"));
  CHECK(!pp_profile_merge(NULL, 0, &error) && error.status == PP_INVALID);
}

static void sums_do_not_wrap(void) {
  input a = valid_input(), b = valid_input();
  pp_error error = {0};
  put_sample(&a, 1, 1, 1, INT64_MAX);
  CHECK(!merge_inputs(&a, &a, &error) && error.status == PP_LIMIT);
  put_times(&b, 0, INT64_MAX, 0);
  CHECK(!merge_inputs(&b, &b, &error) && error.status == PP_LIMIT && strstr(error.message, "duration"));
  input least = valid_input();
  put_sample(&least, 1, 1, 1, INT64_MIN);
  CHECK(!merge_inputs(&least, &least, &error) && error.status == PP_LIMIT);
}

static void what_was_built_merges(void) {
  pp_profile *profiles[3];
  for (int64_t i = 0; i < 3; i++) {
    pp_builder_options options = build_options();
    options.time_nanos -= i;
    pp_builder *builder = pp_builder_new(&options, NULL);
    enter(builder, "main", 1, 2);
    enter(builder, "busy", 5, 6);
    sample(builder, 7, i + 1);
    pp_builder_leave(builder);
    pp_builder_leave(builder);
    profiles[i] = built(builder, NULL);
    REQUIRE(profiles[i]);
  }
  pp_profile *merged = pp_profile_merge((const pp_profile *const *)profiles, 3, NULL);
  REQUIRE(merged);
  CHECK(pp_profile_n_samples(merged) == 1 && merged->pb->sample[0]->value[1] == 6000);
  CHECK(pp_profile_duration_nanos(merged) == 15000 && pp_profile_time_nanos(merged) == 1599999999999999998);
  pp_profile_free(merged);
  for (int i = 0; i < 3; i++)
    pp_profile_free(profiles[i]);
}

int main(void) {
  equal_samples_add_up();
  zero_samples_are_dropped();
  labels_are_part_of_the_key();
  addresses_count_from_their_mapping();
  columns_are_part_of_the_key();
  heads();
  what_does_not_fit();
  sums_do_not_wrap();
  what_was_built_merges();
  return test_end();
}
