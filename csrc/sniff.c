/* SPDX-License-Identifier: Apache-2.0 */
#include "sniff.h"

#include <stdbool.h>
#include <string.h>
#include <zlib.h>

#define SNIFF_LEGACY_TEXT "a legacy text profile of Go or gperftools (convert it by `go tool pprof -proto`)"
#define SNIFF_LEGACY_BINARY "a legacy binary profile of gperftools (convert it by `go tool pprof -proto`)"

typedef struct sniff_magic {
  const char *name, *prefix;
  size_t size;
} sniff_magic;

#define SNIFF_MAGIC(name, prefix)                                                                                      \
  { name, prefix, sizeof prefix - 1 }

static const sniff_magic sniff_magics[] = {
    SNIFF_MAGIC("gzip inside gzip (it was compressed twice)", "\x1f\x8b"),
    SNIFF_MAGIC("zstd data (decompress them first)", "\x28\xb5\x2f\xfd"),
    SNIFF_MAGIC("xz data (decompress them first)", "\xfd"
                                                   "7zXZ"),
    SNIFF_MAGIC("bzip2 data (decompress them first)", "BZh"),
    SNIFF_MAGIC("a zip archive", "PK\x03\x04"),
    SNIFF_MAGIC("an ELF binary", "\x7f"
                                 "ELF"),
    SNIFF_MAGIC(SNIFF_LEGACY_TEXT, "heap profile:"),
    SNIFF_MAGIC(SNIFF_LEGACY_TEXT, "heapz v"),
    SNIFF_MAGIC(SNIFF_LEGACY_TEXT, "heap_v2/"),
    SNIFF_MAGIC(SNIFF_LEGACY_TEXT, "--- "),
    SNIFF_MAGIC(SNIFF_LEGACY_TEXT, "goroutine profile:"),
    SNIFF_MAGIC(SNIFF_LEGACY_TEXT, "threadcreate profile:"),
    SNIFF_MAGIC("HTML or XML", "<"),
    SNIFF_MAGIC("JSON (V8's .cpuprofile is JSON too; a pprof profile is protobuf)", "{"),
    SNIFF_MAGIC("JSON (V8's .cpuprofile is JSON too; a pprof profile is protobuf)", "["),
};

/* gperftools' header, in words of 4 or 8 bytes and either byte order: 0, 3, version, period, 0. */
static bool sniff_legacy_binary(const uint8_t *data, size_t size) {
  for (size_t word = 4; word <= 8; word += 4)
    for (int big_endian = 0; big_endian < 2; big_endian++) {
      uint64_t words[2] = {0, 0};
      for (size_t i = 0; i < 2 * word && size >= 5 * word; i++) {
        size_t place = big_endian ? word - 1 - i % word : i % word;
        words[i / word] |= (uint64_t)data[i] << 8 * place;
      }
      if (words[0] == 0 && words[1] == 3)
        return true;
    }
  return false;
}

/* Does it inflate, in zlib's (`window` 15) or the raw (-15) format? A raw stream has no check sum, so that it must also
 * end exactly where the data do. */
static bool sniff_deflate(const uint8_t *data, size_t size, int window) {
  uint8_t discarded[4096];
  z_stream stream = {0};
  if (size < 8 || size > UINT32_MAX || inflateInit2(&stream, window) != Z_OK)
    return false;
  stream.next_in = (Bytef *)data;
  stream.avail_in = (uInt)size;
  int code;
  do {
    stream.next_out = discarded;
    stream.avail_out = sizeof discarded;
    code = inflate(&stream, Z_NO_FLUSH);
  } while (code == Z_OK && (window < 0 || stream.total_out == 0));
  bool all = window < 0 ? code == Z_STREAM_END && stream.avail_in == 0 : code == Z_STREAM_END || code == Z_OK;
  inflateEnd(&stream);
  return all;
}

/* No control characters, and mostly ASCII. */
static bool sniff_text(const uint8_t *data, size_t size) {
  size_t n = size < 512 ? size : 512, n_ascii = 0;
  for (size_t i = 0; i < n; i++) {
    if ((data[i] < ' ' && (!data[i] || !strchr("\t\n\r\f", data[i]))) || data[i] == 0x7f)
      return false;
    n_ascii += data[i] < 0x80;
  }
  return n_ascii > n / 2;
}

const char *pp_sniff(const uint8_t *data, size_t size) {
  const uint8_t *text = data;
  size_t text_size = size;
  for (; text_size && *text && strchr(" \t\r\n", *text); text++)
    text_size--;
  for (size_t i = 0; i < sizeof sniff_magics / sizeof *sniff_magics; i++)
    if (text_size >= sniff_magics[i].size && !memcmp(text, sniff_magics[i].prefix, sniff_magics[i].size))
      return sniff_magics[i].name;
  if (sniff_legacy_binary(data, size))
    return SNIFF_LEGACY_BINARY;
  if (sniff_text(data, size))
    return "text";
  if (sniff_deflate(data, size, 15))
    return "a zlib stream (profiles are gzip)";
  if (sniff_deflate(data, size, -15))
    return "a raw deflate stream (profiles are gzip)";
  return NULL;
}
