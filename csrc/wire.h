/* SPDX-License-Identifier: Apache-2.0
 *
 * wire.h: checks protobuf's wire format, strictly and with byte offsets, before protobuf-c takes memory for it.
 * protobuf-c alone says only that something is wrong, and lets some wrong wire types pass.
 */
#ifndef PP_WIRE_H
#define PP_WIRE_H

#include "pp.h"

#include <protobuf-c/protobuf-c.h>

typedef struct pp_wire { /* a cursor over data[at] to data[end - 1]; offsets always count from data[0] */
  const uint8_t *data;
  size_t at, end;
} pp_wire;

typedef struct pp_wire_field {
  uint32_t number;
  unsigned wire_type;
  size_t offset;     /* of its tag */
  size_t begin, end; /* its payload; of a length-delimited field without the length */
  uint64_t value;    /* of a varint */
} pp_wire_field;

/* The next field; call it while at < end. Groups, the field number 0 and varints over 10 bytes are PP_CORRUPT, what
 * goes past the end is PP_TRUNCATED. */
pp_status pp_wire_next(pp_wire *wire, pp_wire_field *field, pp_error *error) PP_MUST_CHECK;

/* Is this field, in a message of that type, of the right wire type, and so on inside it? Unknown fields are fine. */
pp_status pp_wire_check(const ProtobufCMessageDescriptor *message, const uint8_t *data, const pp_wire_field *field,
                        pp_error *error) PP_MUST_CHECK;

/* The offset of the field that is occurrence `index` of `number`, in data that passed; 0 when there is none. */
size_t pp_wire_offset(const uint8_t *data, size_t size, uint32_t number, size_t index);

#endif
