/* SPDX-License-Identifier: Apache-2.0
 *
 * profile.h: what a pp_profile is inside.
 *
 * It is protobuf-c's own tree of messages, which lies in an arena, with these promises on top:
 *   - ids are positions: function[i]->id, location[i]->id and mapping[i]->id are i + 1, so that an id is an index;
 *   - every id and string index that is used exists; Location.mapping_id may be 0 (none);
 *   - each sample has one value for each sample type, and there is at least one sample type;
 *   - string_table[0] exists and is empty.
 * reader.c and validate.c establish them for what was read, table.c for what was made.
 */
#ifndef PP_PROFILE_H
#define PP_PROFILE_H

#include "arena.h"
#include "pp.h"
#include "profile.pb-c.h"

struct pp_profile {
  pp_arena arena;
  Pp__Profile *pb;
};

static inline pp_str pp_pb_string(const Pp__Profile *pb, int64_t index) {
  const ProtobufCBinaryData *string = &pb->string_table[index];
  /* protobuf-c reads an empty one as NULL */
  pp_str text = {string->len ? (const char *)string->data : "", string->len};
  return text;
}

/* Serialise and gzip (writer.c). The caller owns `out`. */
pp_status pp_pb_encode(const Pp__Profile *pb, int level, pp_bytes *out, pp_error *error) PP_MUST_CHECK;

#endif
