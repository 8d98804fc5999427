/* SPDX-License-Identifier: Apache-2.0
 *
 * sniff.h: says what a file is that is not a profile.
 */
#ifndef PP_SNIFF_H
#define PP_SNIFF_H

#include <stddef.h>
#include <stdint.h>

/* "JSON", "a zlib stream ...", or NULL when it looks like nothing that is known. For data that failed to parse only: a
 * valid profile may begin like some of these. Static. */
const char *pp_sniff(const uint8_t *data, size_t size);

#endif
