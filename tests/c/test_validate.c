/* SPDX-License-Identifier: Apache-2.0 */
#include "input.h"

static void accepted(const input *in) {
  pp_error error = {0};
  pp_profile *profile = parse_input(in, &error);
  if (!profile)
    fprintf(stderr, "%s\n", error.message);
  CHECK(profile);
  pp_profile_free(profile);
}

/* With this cause, at this field of the profile (its last one). */
static void refused(const input *in, size_t offset, const char *cause) {
  pp_error error = {0};
  CHECK(!parse_input(in, &error) && error.status == PP_CORRUPT);
  CHECK(strstr(error.message, cause));
  CHECK(error.offset == offset);
}

static void ids(void) {
  input in = valid_input();
  size_t end = in.size;
  put_function(&in, 0, MAIN);
  refused(&in, end, "function has the id 0");
  in = valid_input();
  put_function(&in, 2, MAIN);
  refused(&in, end, "two functions have the id 2");
  in = valid_input();
  put_location(&in, 0, 1, 1);
  refused(&in, end, "location has the id 0");
  in = valid_input();
  put_location(&in, 1, 1, 1);
  refused(&in, end, "two locations have the id 1");
  in = valid_input();
  put_mapping(&in, 0, 0, 0, 0);
  refused(&in, end, "mapping has the id 0");
  in = valid_input();
  put_mapping(&in, -1, 0, 0, 0);
  put_mapping(&in, -1, 0, 0, 0);
  refused(&in, end + (in.size - end) / 2, "two mappings have the id 18446744073709551615");
}

static void references(void) {
  input in = valid_input();
  size_t end = in.size;
  put_sample(&in, 3, 0, 1, 1);
  refused(&in, end, "location 3, which does not exist");
  in = valid_input();
  put_location(&in, 3, 4, 1);
  refused(&in, end, "function 4, which does not exist");
  in = valid_input();
  put_location(&in, 3, 0, 1);
  refused(&in, end, "function 0, which does not exist");
  input sample = {.size = 0};
  in = valid_input();
  put_int(&sample, 1, 0);
  put_int(&sample, 2, 1);
  put_int(&sample, 2, 1);
  put_message(&in, 2, &sample);
  refused(&in, end, "location 0, which does not exist");
}

static void values_and_types(void) {
  input in = valid_input(), sample = {.size = 0};
  size_t end = in.size;
  put_int(&sample, 2, 1);
  put_message(&in, 2, &sample);
  refused(&in, end, "1 values for 2 sample types");
  input no_types = {.size = 0};
  put_string(&no_types, "");
  refused(&no_types, 0, "no sample types");
}

static void string_table(void) {
  input in = {.size = 0};
  put_value_type(&in, 1, 0, 0);
  refused(&in, 0, "no string table");
  size_t end = in.size;
  put_string(&in, "x");
  refused(&in, end, "not empty");
}

static void string_indices(void) {
  static const struct {
    unsigned field;
    const char *name;
  } heads[] = {{7, "drop_frames"}, {8, "keep_frames"}, {13, "comment"}, {14, "default_sample_type"}, {15, "doc_url"}};
  size_t end = valid_input().size;
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
    input in = valid_input();
    put_int(&in, heads[i].field, N_STRINGS - 1);
    accepted(&in);
    in = valid_input();
    put_int(&in, heads[i].field, N_STRINGS);
    refused(&in, end, heads[i].name);
    in = valid_input();
    put_int(&in, heads[i].field, -1);
    refused(&in, end, "string -1");
  }
  for (unsigned field = 1; field <= 11; field += 10) {
    input in = valid_input();
    put_value_type(&in, field, 0, N_STRINGS);
    refused(&in, end, field == 1 ? "sample_type uses string 11" : "period_type uses string 11");
  }
  for (unsigned field = 2; field <= 4; field++) { /* name, system_name, filename */
    input in = valid_input(), function = {.size = 0};
    put_int(&function, 1, 3);
    put_int(&function, field, N_STRINGS);
    put_message(&in, 5, &function);
    refused(&in, end, "function uses string 11 of a table of 11");
  }
  for (unsigned field = 5; field <= 6; field++) { /* filename, build_id */
    input in = valid_input(), mapping = {.size = 0};
    put_int(&mapping, 1, 1);
    put_int(&mapping, field, N_STRINGS);
    put_message(&in, 3, &mapping);
    refused(&in, end, "mapping uses string 11");
  }
  for (unsigned field = 1; field <= 4; field++) { /* key, str, num, num_unit */
    input in = valid_input(), label = {.size = 0}, sample = {.size = 0};
    put_int(&label, field, N_STRINGS);
    put_int(&sample, 2, 1);
    put_int(&sample, 2, 1);
    put_message(&sample, 3, &label);
    put_message(&in, 2, &sample);
    if (field == 3)
      accepted(&in);
    else
      refused(&in, end, "label uses string 11");
  }
}

static void what_is_odd_but_valid(void) {
  input in = valid_input(), location = {.size = 0}, dangling = {.size = 0};
  put_int(&location, 1, -1); /* the largest id, no line, no address */
  put_message(&in, 4, &location);
  put_sample(&in, -1, 0, -5, INT64_MIN);
  put_sample(&in, 0, 0, 1, 1); /* no stack */
  put_int(&dangling, 1, 77);
  put_int(&dangling, 2, 5); /* no such mapping: none */
  put_message(&in, 4, &dangling);
  put_sample(&in, 77, -1, 1, 1);
  put_mapping(&in, 9, 200, 100, BINARY); /* ends before it begins */
  accepted(&in);
}

static void packed_and_not(void) {
  input in = valid_input(), sample = {.size = 0};
  put_bytes(&sample, 1, "\x02\x01", 2);
  put_int(&sample, 1, 2);
  put_int(&sample, 2, 1);
  put_bytes(&sample, 2, "\x64", 1);
  put_message(&in, 2, &sample);
  pp_profile *profile = parse_input(&in, NULL);
  REQUIRE(profile);
  pp_top *top = pp_profile_top(profile, 1, PP_FUNCTIONS, NULL);
  REQUIRE(top && top->n_rows == 2);
  CHECK(is_text(top->rows[0].name, "busy") && top->rows[0].flat == 130 && top->rows[0].cum == 130);
  CHECK(is_text(top->rows[1].name, "main") && top->rows[1].flat == 10 && top->rows[1].cum == 140);
  pp_top_free(top);
  pp_profile_free(profile);
}

int main(void) {
  ids();
  references();
  values_and_types();
  string_table();
  string_indices();
  what_is_odd_but_valid();
  packed_and_not();
  return test_end();
}
