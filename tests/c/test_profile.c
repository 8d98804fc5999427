/* SPDX-License-Identifier: Apache-2.0 */
#include "input.h"

static void getters(void) {
  input in = valid_input();
  put_value_type(&in, 11, CPU, NS);
  put_int(&in, 9, 1600000000000000000);
  put_int(&in, 10, -5);
  put_int(&in, 12, 1000000);
  put_int(&in, 13, WORD);
  put_int(&in, 13, KEY);
  pp_profile *profile = parse_input(&in, NULL);
  REQUIRE(profile);
  CHECK(pp_profile_n_samples(profile) == 2);
  CHECK(pp_profile_n_locations(profile) == 2);
  CHECK(pp_profile_n_functions(profile) == 2);
  CHECK(pp_profile_n_sample_types(profile) == 2);
  CHECK(is_text(pp_profile_sample_type(profile, 0).type, "samples"));
  CHECK(is_text(pp_profile_sample_type(profile, 0).unit, "count"));
  CHECK(is_text(pp_profile_period_type(profile).type, "cpu"));
  CHECK(is_text(pp_profile_period_type(profile).unit, "ns"));
  CHECK(pp_profile_time_nanos(profile) == 1600000000000000000);
  CHECK(pp_profile_duration_nanos(profile) == -5);
  CHECK(pp_profile_period(profile) == 1000000);
  CHECK(pp_profile_n_comments(profile) == 2);
  CHECK(is_text(pp_profile_comment(profile, 0), "word") && is_text(pp_profile_comment(profile, 1), "key"));
  pp_profile_free(profile);
}

static void without_a_period_type(void) {
  input in = valid_input();
  pp_profile *profile = parse_input(&in, NULL);
  REQUIRE(profile);
  CHECK(is_text(pp_profile_period_type(profile).type, "") && is_text(pp_profile_period_type(profile).unit, ""));
  CHECK(pp_profile_n_comments(profile) == 0);
  pp_profile_free(profile);
}

static size_t default_type(int64_t name) {
  input in = valid_input();
  if (name)
    put_int(&in, 14, name);
  pp_profile *profile = parse_input(&in, NULL);
  size_t index = profile ? pp_profile_default_sample_type(profile) : SIZE_MAX;
  pp_profile_free(profile);
  return index;
}

static void default_sample_type(void) {
  CHECK(default_type(NONE) == 1);
  CHECK(default_type(SAMPLES) == 0);
  CHECK(default_type(CPU) == 1);
  CHECK(default_type(WORD) == 1); /* no such type: the last */
}

int main(void) {
  getters();
  without_a_period_type();
  default_sample_type();
  return test_end();
}
