/* SPDX-License-Identifier: Apache-2.0
 *
 * gzip.h: gzip members from and to memory. Only deflateInit2_, deflate, deflateEnd and the inflate functions of zlib
 * are used: Node exports those, so the addon needs no zlib of its own.
 */
#ifndef PP_GZIP_H
#define PP_GZIP_H

#include "pp.h"

/* One member, without a time stamp: equal input gives equal bytes. The caller owns `out`. */
pp_status pp_gzip(const uint8_t *data, size_t size, int level, pp_bytes *out, pp_error *error) PP_MUST_CHECK;

bool pp_is_gzip(const uint8_t *data, size_t size);

/* All members, one after the other, and nothing else after them. Beyond `max_size` bytes: PP_LIMIT, and no more than
 * that was ever allocated. Offsets in errors count compressed bytes. The caller owns `out`. */
pp_status pp_gunzip(const uint8_t *data, size_t size, size_t max_size, pp_bytes *out, pp_error *error) PP_MUST_CHECK;

#endif
