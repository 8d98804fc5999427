/* SPDX-License-Identifier: Apache-2.0 */
#include "gzip.h"

#include "status.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

enum { GZIP_WINDOW = 15 + 16 /* zlib's code for the largest window in the gzip format */, GZIP_LEAST_ROOM = 4096 };

void pp_bytes_free(pp_bytes *bytes) {
  if (bytes) {
    free(bytes->data);
    *bytes = (pp_bytes){NULL, 0};
  }
}

static uInt gzip_chunk(size_t n) { return n < UINT_MAX ? (uInt)n : UINT_MAX; } /* zlib counts in uInt */

static bool gzip_resize(pp_bytes *bytes, size_t size) {
  uint8_t *data = realloc(bytes->data, size);
  if (!data)
    return false;
  *bytes = (pp_bytes){data, size};
  return true;
}

/* Give zlib its next piece of input, and of the output buffer from `filled` on. */
static void gzip_offer(z_stream *stream, const uint8_t *data, size_t size, const pp_bytes *out, size_t filled) {
  stream->next_in = (Bytef *)data; /* zlib reads it only */
  stream->avail_in = gzip_chunk(size);
  stream->next_out = out->data + filled;
  stream->avail_out = gzip_chunk(out->size - filled);
}

pp_status pp_gzip(const uint8_t *data, size_t size, int level, pp_bytes *out, pp_error *error) {
  if (level < 0 || level > 9)
    return pp_fail(error, PP_INVALID, 0, "the compression level must be 0 to 9, not %d", level);
  z_stream stream = {0};
  if (deflateInit2(&stream, level, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return pp_fail_memory(error);
  pp_bytes buffer = {NULL, 0};
  size_t filled = 0;
  int code = Z_OK;
  while (code != Z_STREAM_END) {
    if (filled == buffer.size && !gzip_resize(&buffer, buffer.size ? buffer.size * 2 : size / 4 + GZIP_LEAST_ROOM))
      break;
    gzip_offer(&stream, data, size, &buffer, filled);
    code = deflate(&stream, stream.avail_in == size ? Z_FINISH : Z_NO_FLUSH);
    size -= (size_t)(stream.next_in - data);
    data = stream.next_in;
    filled = (size_t)(stream.next_out - buffer.data);
  }
  deflateEnd(&stream);
  if (code != Z_STREAM_END || !gzip_resize(&buffer, filled)) {
    pp_bytes_free(&buffer);
    return pp_fail_memory(error);
  }
  *out = buffer;
  return PP_OK;
}

bool pp_is_gzip(const uint8_t *data, size_t size) { return size >= 2 && data[0] == 0x1f && data[1] == 0x8b; }

/* The size that the last member claims, where that is believable: a hint for the first allocation only. */
static size_t gzip_size_hint(const uint8_t *data, size_t size) {
  size_t claim = 0, believable = size < SIZE_MAX / 16 ? size * 16 : SIZE_MAX;
  for (int i = 4; i > 0 && size >= 4; i--)
    claim = claim << 8 | data[size - 5 + (size_t)i];
  if (claim < GZIP_LEAST_ROOM)
    return GZIP_LEAST_ROOM;
  return claim < believable ? claim : believable;
}

static pp_status gzip_inflate_error(int code, const z_stream *stream, size_t offset, pp_error *error) {
  if (code == Z_MEM_ERROR)
    return pp_fail_memory(error);
  return pp_fail(error, PP_CORRUPT, offset, "the gzip data are damaged: %s (compressed byte %zu)",
                 stream->msg ? stream->msg : "unknown cause", offset);
}

static pp_status gzip_inflate(z_stream *stream, const uint8_t *data, size_t size, size_t max_size, pp_bytes *out,
                              pp_error *error) {
  size_t read = 0, filled = 0;
  for (;;) {
    if (filled == out->size) {
      /* One byte more than allowed, so that a stream of exactly max_size bytes is seen to end. */
      size_t most = max_size < SIZE_MAX ? max_size + 1 : SIZE_MAX;
      size_t room = out->size ? (out->size < most / 2 ? out->size * 2 : most) : gzip_size_hint(data, size) + 1;
      if (!gzip_resize(out, room < most ? room : most))
        return pp_fail_memory(error);
    }
    gzip_offer(stream, data + read, size - read, out, filled);
    int code = inflate(stream, Z_NO_FLUSH);
    read = (size_t)(stream->next_in - data);
    filled = (size_t)(stream->next_out - out->data);
    if (filled > max_size)
      return pp_fail(error, PP_LIMIT, read, "the profile has more than %zu bytes when decompressed", max_size);
    if (code == Z_STREAM_END) {
      if (read == size)
        break;
      if (!pp_is_gzip(data + read, size - read))
        return pp_fail(error, PP_CORRUPT, read,
                       "%zu bytes that are not gzip follow the gzip data (compressed byte %zu)", size - read, read);
      if (inflateReset(stream) != Z_OK)
        return pp_fail_memory(error);
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      return gzip_inflate_error(code, stream, read, error);
    } else if (read == size && filled < out->size) {
      return pp_fail(error, PP_TRUNCATED, size, "the gzip data end too early (compressed byte %zu)", size);
    }
  }
  out->size = filled;
  return PP_OK;
}

pp_status pp_gunzip(const uint8_t *data, size_t size, size_t max_size, pp_bytes *out, pp_error *error) {
  z_stream stream = {0};
  if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK)
    return pp_fail_memory(error);
  pp_bytes buffer = {NULL, 0};
  pp_status status = gzip_inflate(&stream, data, size, max_size, &buffer, error);
  inflateEnd(&stream);
  if (status == PP_OK)
    *out = buffer;
  else
    pp_bytes_free(&buffer);
  return status;
}
