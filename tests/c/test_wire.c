/* SPDX-License-Identifier: Apache-2.0 */
#include "input.h"
#include "profile.pb-c.h"
#include "wire.h"

static pp_status check_all(const input *in, pp_error *error) {
  pp_wire wire = {in->data, 0, in->size};
  pp_status status = PP_OK;
  while (wire.at < wire.end && !status) {
    pp_wire_field field;
    status = pp_wire_next(&wire, &field, error);
    if (!status)
      status = pp_wire_check(&pp__profile__descriptor, in->data, &field, error);
  }
  return status;
}

static void reads_every_kind_of_field(void) {
  input in = {.size = 0};
  put_int(&in, 9, -1);
  put_bytes(&in, 6, "abc", 3);
  put_tag(&in, 100, 1);
  for (int i = 0; i < 8; i++)
    put_byte(&in, 0xff);
  put_tag(&in, 101, 5);
  for (int i = 0; i < 4; i++)
    put_byte(&in, 0xff);
  pp_wire wire = {in.data, 0, in.size};
  pp_wire_field field;
  CHECK(!pp_wire_next(&wire, &field, NULL) && field.number == 9 && field.value == UINT64_MAX && field.offset == 0);
  CHECK(!pp_wire_next(&wire, &field, NULL) && field.number == 6 && field.end - field.begin == 3 && field.offset == 11);
  CHECK(!pp_wire_next(&wire, &field, NULL) && field.number == 100 && field.end - field.begin == 8);
  CHECK(!pp_wire_next(&wire, &field, NULL) && field.number == 101 && field.end - field.begin == 4);
  CHECK(wire.at == wire.end);
  CHECK(check_all(&in, NULL) == PP_OK);
}

/* A profile that is cut at any byte is truncated, unless the cut lies between two fields. */
static void every_cut(void) {
  input in = valid_input();
  size_t n_fields = 0, wrong = 0;
  CHECK(check_all(&in, NULL) == PP_OK);
  for (size_t size = in.size; in.size-- > 1;) {
    pp_status status = check_all(&in, NULL);
    wrong += status != PP_OK && status != PP_TRUNCATED;
    n_fields += status == PP_OK;
    (void)size;
  }
  CHECK(wrong == 0);
  CHECK(n_fields == N_STRINGS + 2 + 2 + 2 + 2 - 1);
}

static pp_status check_bytes(const char *bytes, size_t size, pp_error *error) {
  input in = {.size = 0};
  for (size_t i = 0; i < size; i++)
    put_byte(&in, (uint8_t)bytes[i]);
  return check_all(&in, error);
}

#define CHECK_BYTES(bytes, error) check_bytes(bytes, sizeof bytes - 1, error)

static void what_is_refused(void) {
  pp_error error = {0};
  CHECK(CHECK_BYTES("\x4b", &error) == PP_CORRUPT && strstr(error.message, "group"));
  CHECK(CHECK_BYTES("\x4c", &error) == PP_CORRUPT && strstr(error.message, "group"));
  CHECK(CHECK_BYTES("\x4e", &error) == PP_CORRUPT && strstr(error.message, "wire type 6"));
  CHECK(CHECK_BYTES("\x00\x01", &error) == PP_CORRUPT && strstr(error.message, "number"));
  CHECK(CHECK_BYTES("\xff\xff\xff\xff\x7f\x01", &error) == PP_CORRUPT && strstr(error.message, "number"));
  CHECK(CHECK_BYTES("\xff\xff\xff\xff\xff\x01", &error) == PP_CORRUPT && strstr(error.message, "tag"));
  CHECK(CHECK_BYTES("\x48\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", &error) == PP_CORRUPT && error.offset == 1);
  CHECK(CHECK_BYTES("\x48\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", &error) == PP_OK); /* ten bytes: 70 bits */
  CHECK(CHECK_BYTES("\x32\x05"
                    "abcd",
                    &error) == PP_TRUNCATED);
}

static void wrong_wire_types_at_every_depth(void) {
  pp_error error = {0};
  /* top level: time_nanos as bytes, string_table as a varint, sample as 32 bits */
  CHECK(CHECK_BYTES("\x4a\x00", &error) == PP_CORRUPT && strstr(error.message, "time_nanos"));
  CHECK(CHECK_BYTES("\x30\x00", &error) == PP_CORRUPT && strstr(error.message, "string_table"));
  CHECK(CHECK_BYTES("\x15\x00\x00\x00\x00", &error) == PP_CORRUPT && strstr(error.message, "sample"));
  /* in Mapping: has_functions as 32 bits, which protobuf-c lets pass */
  CHECK(CHECK_BYTES("\x1a\x05\x3d\x01\x00\x00\x00", &error) == PP_CORRUPT && strstr(error.message, "has_functions"));
  CHECK(error.offset == 2);
  /* in Line in Location: function_id as bytes */
  CHECK(CHECK_BYTES("\x22\x04\x22\x02\x0a\x00", &error) == PP_CORRUPT && strstr(error.message, "function_id"));
  CHECK(error.offset == 4);
  /* a packed varint that ends after its field */
  CHECK(CHECK_BYTES("\x12\x03\x0a\x01\x80\x01", &error) == PP_TRUNCATED && error.offset == 4);
}

static void finds_offsets(void) {
  input in = valid_input();
  size_t second = pp_wire_offset(in.data, in.size, 2, 1);
  CHECK(in.data[second] == (2 << 3 | 2) && second > pp_wire_offset(in.data, in.size, 2, 0));
  CHECK(pp_wire_offset(in.data, in.size, 2, 2) == 0);
}

int main(void) {
  reads_every_kind_of_field();
  every_cut();
  what_is_refused();
  wrong_wire_types_at_every_depth();
  finds_offsets();
  return test_end();
}
