/* SPDX-License-Identifier: Apache-2.0 */
#include "build.h"
#include "profile.h"

/* Encoding changes ids to positions and packs what was not packed; nothing else. */
static void there_and_back(void) {
  input in = valid_input(), label = {.size = 0}, labelled = {.size = 0};
  put_mapping(&in, 40, 0x1000, 0x2000, BINARY);
  put_function(&in, 30, WORD);
  put_location(&in, 20, 30, -3);
  put_sample(&in, 20, 2, -1, INT64_MIN);
  put_int(&label, 1, KEY);
  put_int(&label, 3, 5);
  put_int(&labelled, 2, 1);
  put_int(&labelled, 2, 1);
  put_message(&labelled, 3, &label);
  put_message(&in, 2, &labelled);
  put_int(&in, 13, WORD);
  pp_profile *before = parse_input(&in, NULL);
  REQUIRE(before);
  pp_bytes bytes = {NULL, 0}, again = {NULL, 0};
  REQUIRE(pp_profile_encode(before, 9, &bytes, NULL) == PP_OK);
  pp_profile *after = pp_profile_parse(bytes.data, bytes.size, 0, NULL);
  REQUIRE(after);
  const Pp__Profile *a = before->pb, *b = after->pb;
  CHECK(b->n_string_table == a->n_string_table && b->n_comment == 1 && b->n_mapping == 1 && b->mapping[0]->id == 1);
  CHECK(b->n_sample == 4 && b->sample[2]->value[1] == INT64_MIN && b->sample[2]->location_id[0] == 3);
  CHECK(b->location[2]->id == 3 && b->location[2]->line[0]->line == -3 && b->location[2]->line[0]->function_id == 3);
  CHECK(b->sample[3]->n_location_id == 0 && b->sample[3]->label[0]->num == 5);
  REQUIRE(pp_profile_encode(after, 9, &again, NULL) == PP_OK);
  CHECK(bytes.size == again.size && !memcmp(bytes.data, again.data, bytes.size));
  pp_bytes_free(&bytes);
  pp_bytes_free(&again);
  pp_profile_free(before);
  pp_profile_free(after);
}

static void bad_level(void) {
  input in = valid_input();
  pp_profile *profile = parse_input(&in, NULL);
  REQUIRE(profile);
  pp_bytes bytes = {NULL, 0};
  pp_error error = {0};
  CHECK(pp_profile_encode(profile, -1, &bytes, &error) == PP_INVALID && !bytes.data);
  pp_profile_free(profile);
}

int main(void) {
  there_and_back();
  bad_level();
  return test_end();
}
