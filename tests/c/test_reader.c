/* SPDX-License-Identifier: Apache-2.0 */
#include "gzip.h"
#include "input.h"

/* Parses and frees. */
static pp_status read_status(const input *in, pp_error *error) {
  error->status = PP_OK;
  pp_profile_free(parse_input(in, error));
  return error->status;
}

static void raw_and_gzip(void) {
  input in = valid_input();
  pp_bytes packed = {NULL, 0};
  pp_profile *raw = parse_input(&in, NULL);
  REQUIRE(raw && pp_gzip(in.data, in.size, 6, &packed, NULL) == PP_OK);
  pp_profile *zipped = pp_profile_parse(packed.data, packed.size, 0, NULL);
  REQUIRE(zipped);
  CHECK(pp_profile_n_samples(raw) == 2 && pp_profile_n_samples(zipped) == 2);
  CHECK(is_text(pp_profile_sample_type(zipped, 1).unit, "ns"));
  pp_profile_free(raw);
  pp_profile_free(zipped);
  pp_bytes_free(&packed);
  pp_profile_free(NULL);
}

static void limits(void) {
  input in = valid_input();
  pp_bytes packed = {NULL, 0};
  pp_error error = {0};
  CHECK(!pp_profile_parse(in.data, in.size, in.size - 1, &error) && error.status == PP_LIMIT);
  pp_profile *exact = pp_profile_parse(in.data, in.size, in.size, NULL);
  CHECK(exact);
  pp_profile_free(exact);
  CHECK(pp_gzip(in.data, in.size, 6, &packed, NULL) == PP_OK);
  CHECK(!pp_profile_parse(packed.data, packed.size, in.size - 1, &error) && error.status == PP_LIMIT);
  pp_bytes_free(&packed);
}

static void empty(void) {
  pp_bytes packed = {NULL, 0};
  pp_error error = {0};
  CHECK(!pp_profile_parse("", 0, 0, &error) && error.status == PP_TRUNCATED && strstr(error.message, "empty"));
  CHECK(pp_gzip((const uint8_t *)"", 0, 6, &packed, NULL) == PP_OK);
  CHECK(!pp_profile_parse(packed.data, packed.size, 0, &error) && error.status == PP_TRUNCATED);
  pp_bytes_free(&packed);
}

static void concatenated(void) {
  pp_error error;
  input twice = valid_input(), again = valid_input();
  size_t first = twice.size;
  for (size_t i = 0; i < again.size; i++)
    put_byte(&twice, again.data[i]);
  CHECK(read_status(&twice, &error) == PP_CORRUPT && error.offset == first && strstr(error.message, "second profile"));
  input times = valid_input();
  put_int(&times, 9, 0);
  put_int(&times, 9, 7);
  put_int(&times, 9, 0);
  CHECK(read_status(&times, &error) == PP_OK);
  put_int(&times, 9, 7);
  CHECK(read_status(&times, &error) == PP_CORRUPT && error.offset == times.size - 2);
}

static void the_last_period_type_replaces(void) {
  input in = valid_input(), partial = {.size = 0};
  put_value_type(&in, 11, CPU, NS);
  put_int(&partial, 1, SAMPLES);
  put_message(&in, 11, &partial);
  pp_profile *profile = parse_input(&in, NULL);
  REQUIRE(profile);
  CHECK(is_text(pp_profile_period_type(profile).type, "samples"));
  CHECK(is_text(pp_profile_period_type(profile).unit, ""));
  pp_profile_free(profile);
}

static void other_formats_are_named(void) {
  pp_error error = {0};
  pp_bytes packed = {NULL, 0};
  const char json[] = "{\"nodes\": []}";
  CHECK(!pp_profile_parse(json, sizeof json - 1, 0, &error) && strstr(error.message, "JSON"));
  CHECK(pp_gzip((const uint8_t *)json, sizeof json - 1, 6, &packed, NULL) == PP_OK);
  CHECK(!pp_profile_parse(packed.data, packed.size, 0, &error) && strstr(error.message, "JSON"));
  CHECK(error.status == PP_CORRUPT);
  pp_bytes_free(&packed);
}

static void strings_keep_their_bytes(void) {
  input in = valid_input(), function = {.size = 0};
  put_bytes(&in, 6, "a\0\xff", 3);
  put_int(&function, 1, 3);
  put_int(&function, 2, N_STRINGS);
  put_message(&in, 5, &function);
  put_location(&in, 3, 3, 1);
  put_sample(&in, 3, 0, 99, 990);
  pp_profile *profile = parse_input(&in, NULL);
  REQUIRE(profile);
  pp_top *top = pp_profile_top(profile, 0, PP_FUNCTIONS, NULL);
  REQUIRE(top && top->n_rows == 3);
  CHECK(top->rows[0].name.size == 3 && !memcmp(top->rows[0].name.data, "a\0\xff", 3));
  pp_top_free(top);
  pp_profile_free(profile);
}

static void unknown_fields_pass(void) {
  pp_error error;
  input in = valid_input();
  put_int(&in, 16, 1);
  put_bytes(&in, 1000, "xyz", 3);
  CHECK(read_status(&in, &error) == PP_OK);
}

/* Any cut of a compressed or raw profile is either refused, or (between raw fields) another valid profile. */
static void every_cut(void) {
  input in = valid_input();
  pp_bytes packed = {NULL, 0};
  size_t wrong = 0;
  CHECK(pp_gzip(in.data, in.size, 6, &packed, NULL) == PP_OK);
  for (size_t size = 0; size < packed.size; size++) {
    pp_profile *profile = pp_profile_parse(packed.data, size, 0, NULL);
    wrong += profile != NULL;
    pp_profile_free(profile);
  }
  CHECK(wrong == 0);
  pp_bytes_free(&packed);
  for (; in.size; in.size--) {
    pp_error error = {0};
    pp_profile *profile = parse_input(&in, &error);
    wrong += !profile && (error.status == PP_OK || !error.message[0]);
    pp_profile_free(profile);
  }
  CHECK(wrong == 0);
}

int main(void) {
  raw_and_gzip();
  limits();
  empty();
  concatenated();
  the_last_period_type_replaces();
  other_formats_are_named();
  strings_keep_their_bytes();
  unknown_fields_pass();
  every_cut();
  return test_end();
}
