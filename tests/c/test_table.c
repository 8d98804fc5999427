/* SPDX-License-Identifier: Apache-2.0 */
#include "checked.h"
#include "input.h"
#include "table.h"

static void functions_are_equal_in_every_field(void) {
  pp_table table;
  pp_table_init(&table);
  Pp__Function key = PP__FUNCTION__INIT;
  CHECK(pp_table_function(&table, &key, 0) == 1);
  CHECK(pp_table_function(&table, &key, 5) == 2); /* the column is not written, but tells them apart */
  key.id = 77;
  CHECK(pp_table_function(&table, &key, 0) == 1);
  int64_t *fields[] = {&key.name, &key.system_name, &key.filename, &key.start_line};
  for (uint64_t i = 0; i < 4; i++) {
    *fields[i] = 1;
    CHECK(pp_table_function(&table, &key, 0) == 3 + i);
  }
  CHECK(table.pb.n_function == 6 && table.pb.function[5]->id == 6);
  pp_table_free(&table);
}

static uint64_t mapping(pp_table *table, uint64_t start, uint64_t size, uint64_t offset, const char *file,
                        const char *build_id) {
  Pp__Mapping key = PP__MAPPING__INIT;
  key.memory_start = start;
  key.memory_limit = start + size;
  key.file_offset = offset;
  key.filename = pp_table_string(table, (pp_str){file, strlen(file)});
  key.build_id = pp_table_string(table, (pp_str){build_id, strlen(build_id)});
  return pp_table_mapping(table, &key);
}

static void mappings_are_objects(void) {
  pp_table table;
  pp_table_init(&table);
  CHECK(mapping(&table, 0x1000, 5000, 0, "lib.so", "") == 1);
  CHECK(mapping(&table, 0x9000, 8192, 0, "lib.so", "") == 1); /* two pages, elsewhere */
  CHECK(mapping(&table, 0x1000, 8193, 0, "lib.so", "") == 2);
  CHECK(mapping(&table, 0x1000, 5000, 1, "lib.so", "") == 3);
  CHECK(mapping(&table, 0x1000, 5000, 0, "lib.so", "abc") == 4);
  CHECK(mapping(&table, 0x1000, 5000, 0, "renamed.so", "abc") == 4); /* the build id says more than the name */
  CHECK(mapping(&table, UINT64_MAX, 0, 0, "lib.so", "") == 5);
  pp_table_free(&table);
}

static void errors_are_sticky(void) {
  pp_table table;
  pp_error error = {0};
  const pp_value_type type = {{"a", 1}, {"b", 1}};
  pp_table_init(&table);
  pp_table_sample_types(&table, &type, 1);
  int64_t value = INT64_MAX;
  Pp__Sample sample = PP__SAMPLE__INIT;
  Pp__Location location = PP__LOCATION__INIT;
  Pp__Function function = PP__FUNCTION__INIT;
  sample.n_value = 1;
  sample.value = &value;
  pp_table_sample(&table, &sample);
  CHECK(table.pb.n_sample == 1 && !table.error.status);
  pp_table_sample(&table, &sample);
  CHECK(table.error.status == PP_LIMIT);
  value = -1;
  pp_table_sample(&table, &sample);
  CHECK(table.pb.sample[0]->value[0] == INT64_MAX);
  CHECK(!pp_table_string(&table, type.type) && !pp_table_location(&table, &location));
  CHECK(!pp_table_function(&table, &function, 0));
  CHECK(!pp_table_finish(&table, &error) && error.status == PP_LIMIT);
}

static void sums_are_checked(void) {
  int64_t sum = INT64_MAX - 1;
  CHECK(pp_add(&sum, 1) && sum == INT64_MAX);
  CHECK(!pp_add(&sum, 1) && sum == INT64_MAX);
  CHECK(pp_add(&sum, INT64_MIN) && sum == -1);
  CHECK(!pp_add(&sum, INT64_MIN) && sum == -1);
  CHECK(pp_magnitude(INT64_MIN) == (uint64_t)1 << 63 && pp_magnitude(-5) == 5 && pp_magnitude(5) == 5);
}

int main(void) {
  functions_are_equal_in_every_field();
  mappings_are_objects();
  errors_are_sticky();
  sums_are_checked();
  return test_end();
}
