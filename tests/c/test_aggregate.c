/* SPDX-License-Identifier: Apache-2.0 */
#include "build.h"

static pp_top *top_of(const input *in, size_t column, pp_granularity granularity, pp_error *error) {
  pp_profile *profile = parse_input(in, error);
  CHECK(profile);
  pp_top *top = profile ? pp_profile_top(profile, column, granularity, error) : NULL;
  pp_profile_free(profile); /* the rows do not need it */
  return top;
}

/* main calls itself and, inlined, busy; each counts once per sample. */
static void recursion_and_inlining_count_once(void) {
  input in = valid_input(), inlined = {.size = 0}, stack = {.size = 0};
  put_int(&inlined, 1, 3);
  put_line(&inlined, 2, 21, 0); /* busy, the innermost, */
  put_line(&inlined, 1, 11, 0); /* inlined into main */
  put_message(&in, 4, &inlined);
  put_bytes(&stack, 1, "\x03\x01\x01", 3);
  put_int(&stack, 2, 100);
  put_int(&stack, 2, 1000);
  put_message(&in, 2, &stack);
  pp_top *top = top_of(&in, 0, PP_FUNCTIONS, NULL);
  REQUIRE(top && top->n_rows == 2);
  CHECK(top->total == 104);
  CHECK(find_row(top, "busy")->flat == 103 && find_row(top, "busy")->cum == 103);
  CHECK(find_row(top, "main")->flat == 1 && find_row(top, "main")->cum == 104);
  pp_top_free(top);
}

static void granularities(void) {
  input in = valid_input();
  put_location(&in, 3, 2, 25);
  put_sample(&in, 3, 1, 4, 40);
  const struct {
    pp_granularity granularity;
    size_t n_rows;
  } expected[] = {{PP_FUNCTIONS, 2}, {PP_FILEFUNCTIONS, 2}, {PP_FILES, 1}, {PP_LINES, 3}, {PP_ADDRESSES, 2}};
  for (size_t i = 0; i < 5; i++) {
    pp_top *top = top_of(&in, 0, expected[i].granularity, NULL);
    REQUIRE(top);
    CHECK(top->n_rows == expected[i].n_rows && top->total == 8);
    const pp_top_row *row = &top->rows[0];
    CHECK((row->filename.size > 0) == (expected[i].granularity != PP_FUNCTIONS));
    CHECK((row->name.size > 0) == (expected[i].granularity != PP_FILES));
    CHECK((row->line > 0) == (expected[i].granularity == PP_LINES));
    pp_top_free(top);
  }
}

static void put_bare_location(input *in, int64_t id, int64_t mapping, int64_t address) {
  input location = {.size = 0};
  put_int(&location, 1, id);
  put_int(&location, 2, mapping);
  put_int(&location, 3, address);
  put_message(in, 4, &location);
  put_sample(in, id, 0, id, id);
}

static void locations_without_lines(void) {
  input in = {.size = 0};
  put_head(&in);
  put_mapping(&in, 1, 0, 100, BINARY);
  put_bare_location(&in, 1, 1, 0x10);
  put_bare_location(&in, 2, 1, 0x20);
  put_bare_location(&in, 4, 0, 0x30);
  pp_top *top = top_of(&in, 0, PP_FUNCTIONS, NULL);
  REQUIRE(top && top->n_rows == 2);
  CHECK(is_text(top->rows[0].name, "<unknown>") && top->rows[0].flat == 4);
  CHECK(is_text(top->rows[1].name, "[app]") && top->rows[1].flat == 3);
  pp_top_free(top);
  top = top_of(&in, 0, PP_FILES, NULL);
  REQUIRE(top && top->n_rows == 2);
  CHECK(is_text(top->rows[1].filename, "[app]") && is_text(top->rows[1].name, ""));
  pp_top_free(top);
  top = top_of(&in, 0, PP_ADDRESSES, NULL);
  REQUIRE(top && top->n_rows == 3);
  CHECK(top->rows[1].address == 0x20 && is_text(top->rows[1].name, "[app]"));
  pp_top_free(top);
}

static void the_order(void) {
  input in = {.size = 0};
  put_head(&in);
  for (int64_t i = 1; i <= 4; i++) {
    put_function(&in, i, MAIN + i - 1); /* main, busy, a.js, /usr/bin/app */
    put_location(&in, i, i, 1);
  }
  put_sample(&in, 1, 0, 1, 0);
  put_sample(&in, 2, 3, -5, 0);
  put_sample(&in, 4, 0, 1, 0);
  pp_top *top = top_of(&in, 0, PP_FUNCTIONS, NULL);
  REQUIRE(top && top->n_rows == 4);
  CHECK(is_text(top->rows[0].name, "busy") && top->rows[0].flat == -5);
  CHECK(is_text(top->rows[1].name, "/usr/bin/app") && is_text(top->rows[2].name, "main")); /* by name */
  CHECK(is_text(top->rows[3].name, "a.js") && top->rows[3].flat == 0 && top->rows[3].cum == -5);
  CHECK(top->total == 7);
  pp_top_free(top);
}

static void equal_samples_cancel_in_the_total(void) {
  input in = valid_input();
  put_sample(&in, 1, 0, -1, -10); /* as much as valid_input's second sample, with the other sign */
  pp_top *top = top_of(&in, 0, PP_FUNCTIONS, NULL);
  REQUIRE(top);
  CHECK(top->total == 3);
  pp_top_free(top);
}

static void samples_without_a_value_make_no_row(void) {
  input in = valid_input();
  put_function(&in, 3, WORD);
  put_location(&in, 3, 3, 1);
  put_sample(&in, 3, 0, 0, 5);
  pp_top *top = top_of(&in, 0, PP_FUNCTIONS, NULL), *other = top_of(&in, 1, PP_FUNCTIONS, NULL);
  REQUIRE(top && other);
  CHECK(!find_row(top, "word") && find_row(other, "word")->flat == 5);
  pp_top_free(top);
  pp_top_free(other);
}

static void sums_do_not_wrap(void) {
  pp_error error = {0};
  input in = valid_input();
  put_sample(&in, 1, 1, INT64_MAX, 0);
  CHECK(!top_of(&in, 0, PP_FUNCTIONS, &error) && error.status == PP_LIMIT);
  pp_top *other_column = top_of(&in, 1, PP_FUNCTIONS, &error);
  CHECK(other_column);
  pp_top_free(other_column);
  in = valid_input();
  put_sample(&in, 1, 1, INT64_MIN, 0);
  CHECK(!top_of(&in, 0, PP_FUNCTIONS, &error) && error.status == PP_LIMIT);
  in = valid_input();
  put_sample(&in, 1, 1, INT64_MAX, 0); /* flat and cum fit, the total does not */
  put_sample(&in, 1, 0, INT64_MIN + 1, 0);
  CHECK(!top_of(&in, 0, PP_FUNCTIONS, &error) && error.status == PP_LIMIT);
}

static void bad_arguments(void) {
  pp_error error = {0};
  input in = valid_input();
  CHECK(!top_of(&in, 2, PP_FUNCTIONS, &error) && error.status == PP_INVALID);
  CHECK(!top_of(&in, 0, (pp_granularity)5, &error) && error.status == PP_INVALID);
  pp_top_free(NULL);
}

static void no_samples(void) {
  input in = {.size = 0};
  put_head(&in);
  pp_top *top = top_of(&in, 0, PP_LINES, NULL);
  REQUIRE(top);
  CHECK(top->n_rows == 0 && top->total == 0);
  pp_top_free(top);
}

int main(void) {
  recursion_and_inlining_count_once();
  granularities();
  locations_without_lines();
  the_order();
  equal_samples_cancel_in_the_total();
  samples_without_a_value_make_no_row();
  sums_do_not_wrap();
  bad_arguments();
  no_samples();
  return test_end();
}
