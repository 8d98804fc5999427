/* SPDX-License-Identifier: Apache-2.0 */
#include "sniff.h"
#include "test.h"

#include <zlib.h>

static void is(const void *data, size_t size, const char *expected) {
  const char *name = pp_sniff(data, size);
  if (!name || !expected)
    CHECK(name == expected);
  else
    CHECK(strstr(name, expected));
}

#define IS(bytes, expected) is(bytes, sizeof bytes - 1, expected)

static void magics(void) {
  IS("\x28\xb5\x2f\xfd....", "zstd");
  IS("\x1f\x8b\x08\x00....", "gzip inside gzip");
  IS("{\"nodes\": []}", "JSON");
  IS(" \n[1]", "JSON");
  IS("<!doctype html>", "HTML");
  IS("heap profile: 3: 4 [5: 6] @ heapprofile", "legacy text");
  IS("--- contention:\n", "legacy text");
  IS("hello", "text");
  IS("\xfd"
     "7zXZ\x00...",
     "xz");
}

static void legacy_binary(void) {
  const uint32_t header32[] = {0, 3, 0, 10000, 0};
  const uint64_t header64[] = {0, 3, 0, 10000, 0};
  uint8_t swapped[sizeof header64];
  is(header32, sizeof header32, "legacy binary");
  is(header64, sizeof header64, "legacy binary");
  is(header64, sizeof header64 - 1, NULL);
  for (size_t i = 0; i < sizeof swapped; i++)
    swapped[i] = ((const uint8_t *)header64)[i / 8 * 8 + 7 - i % 8];
  is(swapped, sizeof swapped, "legacy binary");
}

static void deflated(void) {
  uint8_t data[1000], packed[1200];
  for (size_t i = 0; i < sizeof data; i++)
    data[i] = (uint8_t)(i * i);
  uLongf size = sizeof packed;
  REQUIRE(compress(packed, &size, data, sizeof data) == Z_OK);
  is(packed, size, "zlib");
  is(packed, size / 2, "zlib");
  is(packed + 2, size - 6, "raw deflate"); /* without zlib's header and check sum */
  is(packed + 2, size - 7, NULL);
}

static void nothing_known(void) {
  IS("\x0a\x04\x08\x01\x10\x02", NULL);
  IS("\xff\xff\xff\xff\xff\xff\xff\xff\xff", NULL);
}

int main(void) {
  magics();
  legacy_binary();
  deflated();
  nothing_known();
  return test_end();
}
