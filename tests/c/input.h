/* SPDX-License-Identifier: Apache-2.0
 *
 * input.h: profiles for the tests, written byte by byte, so that wrong ones can be made as easily as right ones, and
 * the reader is not tested with what the writer makes of things.
 */
#ifndef INPUT_H
#define INPUT_H

#include "pp.h"
#include "test.h"

typedef struct input { /* {0} is an empty message */
  uint8_t data[4096];
  size_t size;
} input;

static inline void put_byte(input *in, unsigned byte) {
  if (in->size == sizeof in->data) {
    fprintf(stderr, "a test's input is larger than its buffer\n");
    exit(2);
  }
  in->data[in->size++] = (uint8_t)byte;
}

static inline void put_varint(input *in, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    put_byte(in, (unsigned)(value & 0x7f) | 0x80);
  put_byte(in, (unsigned)value);
}

static inline void put_tag(input *in, unsigned number, unsigned wire_type) { put_varint(in, number << 3 | wire_type); }

static inline void put_int(input *in, unsigned number, int64_t value) {
  put_tag(in, number, 0);
  put_varint(in, (uint64_t)value);
}

static inline void put_bytes(input *in, unsigned number, const void *data, size_t size) {
  put_tag(in, number, 2);
  put_varint(in, size);
  for (size_t i = 0; i < size; i++)
    put_byte(in, ((const uint8_t *)data)[i]);
}

static inline void put_message(input *in, unsigned number, const input *message) {
  put_bytes(in, number, message->data, message->size);
}

static inline void put_string(input *in, const char *text) { put_bytes(in, 6, text, strlen(text)); }

static inline void put_value_type(input *in, unsigned number, int64_t type, int64_t unit) {
  input message = {.size = 0};
  put_int(&message, 1, type);
  put_int(&message, 2, unit);
  put_message(in, number, &message);
}

enum { NONE, SAMPLES, COUNT, CPU, NS, MAIN, BUSY, FILE_A, BINARY, KEY, WORD, N_STRINGS };

/* The strings of the enum, and the sample types samples/count and cpu/ns. */
static inline void put_head(input *in) {
  static const char *const strings[N_STRINGS] = {"",     "samples", "count",        "cpu", "ns",  "main",
                                                 "busy", "a.js",    "/usr/bin/app", "key", "word"};
  for (size_t i = 0; i < N_STRINGS; i++)
    put_string(in, strings[i]);
  put_value_type(in, 1, SAMPLES, COUNT);
  put_value_type(in, 1, CPU, NS);
}

static inline void put_function(input *in, int64_t id, int64_t name) {
  input function = {.size = 0};
  put_int(&function, 1, id);
  put_int(&function, 2, name);
  put_int(&function, 4, FILE_A);
  put_message(in, 5, &function);
}

static inline void put_mapping(input *in, int64_t id, int64_t start, int64_t limit, int64_t filename) {
  input mapping = {.size = 0};
  put_int(&mapping, 1, id);
  put_int(&mapping, 2, start);
  put_int(&mapping, 3, limit);
  put_int(&mapping, 5, filename);
  put_message(in, 3, &mapping);
}

static inline void put_line(input *location, int64_t function_id, int64_t line, int64_t column) {
  input message = {.size = 0};
  put_int(&message, 1, function_id);
  put_int(&message, 2, line);
  put_int(&message, 3, column);
  put_message(location, 4, &message);
}

/* A location of one line. */
static inline void put_location(input *in, int64_t id, int64_t function_id, int64_t line) {
  input location = {.size = 0};
  put_int(&location, 1, id);
  put_line(&location, function_id, line, 0);
  put_message(in, 4, &location);
}

/* A sample with up to two locations (0: absent), the leaf first, and two values. */
static inline void put_sample(input *in, int64_t leaf, int64_t caller, int64_t first, int64_t second) {
  input sample = {.size = 0};
  if (leaf)
    put_int(&sample, 1, leaf);
  if (caller)
    put_int(&sample, 1, caller);
  put_int(&sample, 2, first);
  put_int(&sample, 2, second);
  put_message(in, 2, &sample);
}

/* main (location 1, line 10) calls busy (location 2, line 20): two samples. */
static inline input valid_input(void) {
  input in = {.size = 0};
  put_head(&in);
  put_function(&in, 1, MAIN);
  put_function(&in, 2, BUSY);
  put_location(&in, 1, 1, 10);
  put_location(&in, 2, 2, 20);
  put_sample(&in, 2, 1, 3, 30);
  put_sample(&in, 1, 0, 1, 10);
  return in;
}

static inline pp_profile *parse_input(const input *in, pp_error *error) {
  return pp_profile_parse(in->data, in->size, 0, error);
}

static inline bool is_text(pp_str string, const char *text) {
  return string.size == strlen(text) && !memcmp(string.data, text, string.size);
}

#endif
