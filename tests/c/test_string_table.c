/* SPDX-License-Identifier: Apache-2.0 */
#include "string_table.h"
#include "test.h"

static void each_string_once(void) {
  pp_arena arena = {0};
  pp_strings strings = {0};
  char text[16];
  size_t wrong = 0;
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < 500; i++) {
      int size = snprintf(text, sizeof text, "name %d", i);
      wrong += pp_strings_intern(&strings, &arena, (pp_str){text, (size_t)size}) != i + 1;
    }
  CHECK(wrong == 0 && strings.n == 501);
  CHECK(strings.data[3].len == 6 && !memcmp(strings.data[3].data, "name 2", 6));
  pp_strings_free(&strings);
  pp_arena_free(&arena);
}

static void the_empty_string_is_the_first(void) {
  pp_arena arena = {0};
  pp_strings strings = {0};
  CHECK(pp_strings_intern(&strings, &arena, (pp_str){"a", 1}) == 1);
  CHECK(pp_strings_intern(&strings, &arena, (pp_str){NULL, 0}) == 0);
  CHECK(strings.data[0].len == 0);
  pp_strings_free(&strings);
  pp_arena_free(&arena);
}

static void strings_are_bytes(void) {
  pp_arena arena = {0};
  pp_strings strings = {0};
  CHECK(pp_strings_intern(&strings, &arena, (pp_str){"a\0b", 3}) == 1);
  CHECK(pp_strings_intern(&strings, &arena, (pp_str){"a\0c", 3}) == 2);
  CHECK(pp_strings_intern(&strings, &arena, (pp_str){"a", 1}) == 3);
  CHECK(pp_strings_intern(&strings, &arena, (pp_str){"\xff\xfe", 2}) == 4);
  pp_strings_free(&strings);
  pp_arena_free(&arena);
}

int main(void) {
  each_string_once();
  the_empty_string_is_the_first();
  strings_are_bytes();
  return test_end();
}
