/* SPDX-License-Identifier: Apache-2.0 */
#include "gzip.h"
#include "test.h"

#include <zlib.h>

enum { N = 300000 };

static uint8_t *make_data(void) {
  uint8_t *data = malloc(N);
  uint32_t state = 1;
  for (size_t i = 0; i < N; i++) { /* runs and noise: it compresses, but not to nothing */
    state = state * 1664525 + 1013904223;
    data[i] = i % 100 < 50 ? (uint8_t)(state >> 24) : 7;
  }
  return data;
}

static void there_and_back(void) {
  uint8_t *data = make_data();
  for (int level = 0; level <= 9; level++) {
    pp_bytes packed = {NULL, 0}, unpacked = {NULL, 0};
    CHECK(pp_gzip(data, N, level, &packed, NULL) == PP_OK);
    CHECK(pp_is_gzip(packed.data, packed.size));
    CHECK(pp_gunzip(packed.data, packed.size, N, &unpacked, NULL) == PP_OK);
    CHECK(unpacked.size == N && !memcmp(unpacked.data, data, N));
    pp_bytes_free(&packed);
    pp_bytes_free(&unpacked);
    CHECK(!packed.data && !packed.size);
  }
  free(data);
}

static void bad_levels(void) {
  pp_bytes packed = {NULL, 0};
  pp_error error = {0};
  CHECK(pp_gzip((const uint8_t *)"", 0, 10, &packed, &error) == PP_INVALID && !packed.data);
  CHECK(pp_gzip((const uint8_t *)"", 0, -1, &packed, &error) == PP_INVALID && strstr(error.message, "-1"));
}

static void the_limit_is_exact(void) {
  uint8_t *data = make_data();
  pp_bytes packed = {NULL, 0}, unpacked = {NULL, 0};
  pp_error error = {0};
  CHECK(pp_gzip(data, N, 6, &packed, NULL) == PP_OK);
  CHECK(pp_gunzip(packed.data, packed.size, N - 1, &unpacked, &error) == PP_LIMIT && !unpacked.data);
  CHECK(strstr(error.message, "299999"));
  CHECK(pp_gunzip(packed.data, packed.size, 1, &unpacked, &error) == PP_LIMIT);
  CHECK(pp_gunzip(packed.data, packed.size, SIZE_MAX, &unpacked, &error) == PP_OK && unpacked.size == N);
  pp_bytes_free(&unpacked);
  pp_bytes_free(&packed);
  free(data);
}

/* Every cut of two members in a row, and what follows them. */
static void members_and_cuts(void) {
  pp_bytes first = {NULL, 0}, second = {NULL, 0}, out = {NULL, 0};
  uint8_t both[200] = {0};
  CHECK(pp_gzip((const uint8_t *)"hello ", 6, 6, &first, NULL) == PP_OK);
  CHECK(pp_gzip((const uint8_t *)"world", 5, 6, &second, NULL) == PP_OK);
  memcpy(both, first.data, first.size);
  memcpy(both + first.size, second.data, second.size);
  size_t size = first.size + second.size, wrong = 0;
  for (size_t cut = 2; cut < size; cut++) {
    pp_status expected = cut == first.size ? PP_OK : cut == first.size + 1 ? PP_CORRUPT : PP_TRUNCATED;
    wrong += pp_gunzip(both, cut, 100, &out, NULL) != expected;
    pp_bytes_free(&out);
  }
  CHECK(wrong == 0);
  CHECK(pp_gunzip(both, size, 100, &out, NULL) == PP_OK && out.size == 11 && !memcmp(out.data, "hello world", 11));
  pp_bytes_free(&out);
  pp_error error = {0};
  CHECK(pp_gunzip(both, size + 9, 100, &out, &error) == PP_CORRUPT);
  CHECK(error.offset == size && strstr(error.message, "9 bytes"));
  pp_bytes_free(&first);
  pp_bytes_free(&second);
}

static void damage(void) {
  uint8_t *data = make_data();
  pp_bytes packed = {NULL, 0}, out = {NULL, 0};
  pp_error error = {0};
  CHECK(pp_gzip(data, N, 6, &packed, NULL) == PP_OK);
  packed.data[packed.size - 6] ^= 1; /* the check sum */
  CHECK(pp_gunzip(packed.data, packed.size, N, &out, &error) == PP_CORRUPT && !out.data);
  CHECK(strstr(error.message, "data check"));
  packed.data[2] = 9; /* an unknown compression method */
  CHECK(pp_gunzip(packed.data, packed.size, N, &out, &error) == PP_CORRUPT && error.offset < 20);
  pp_bytes_free(&packed);
  free(data);
}

int main(void) {
  there_and_back();
  bad_levels();
  the_limit_is_exact();
  members_and_cuts();
  damage();
  return test_end();
}
