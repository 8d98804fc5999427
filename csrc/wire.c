/* SPDX-License-Identifier: Apache-2.0 */
#include "wire.h"

#include "status.h"

enum {
  WIRE_VARINT = 0,
  WIRE_64_BIT = 1,
  WIRE_BYTES = 2,
  WIRE_START_GROUP = 3,
  WIRE_END_GROUP = 4,
  WIRE_32_BIT = 5,
  WIRE_MAX_VARINT = 10,
  WIRE_MAX_PREFIX = 5, /* a tag or a length has 32 bits */
};

static pp_status wire_varint(pp_wire *wire, size_t longest, const char *what, uint64_t *value, pp_error *error) {
  size_t begin = wire->at;
  *value = 0;
  for (size_t n = 0; n < longest; n++) {
    if (wire->at == wire->end)
      return pp_fail(error, PP_TRUNCATED, begin, "%s at byte %zu is cut off", what, begin);
    uint8_t byte = wire->data[wire->at++];
    *value |= (uint64_t)(byte & 0x7f) << 7 * n; /* bits beyond 64 are dropped, as every protobuf reader does */
    if (byte < 0x80)
      return PP_OK;
  }
  return pp_fail(error, PP_CORRUPT, begin, "%s at byte %zu has more than %zu bytes", what, begin, longest);
}

static pp_status wire_skip(pp_wire *wire, uint64_t size, pp_wire_field *field, pp_error *error) {
  if (size > wire->end - wire->at)
    return pp_fail(error, PP_TRUNCATED, field->offset, "field %u at byte %zu says %llu bytes, but only %zu are left",
                   (unsigned)field->number, field->offset, (unsigned long long)size, wire->end - wire->at);
  field->begin = wire->at;
  field->end = wire->at += (size_t)size;
  return PP_OK;
}

pp_status pp_wire_next(pp_wire *wire, pp_wire_field *field, pp_error *error) {
  uint64_t tag, size;
  field->offset = wire->at;
  pp_status status = wire_varint(wire, WIRE_MAX_PREFIX, "the tag", &tag, error);
  if (status)
    return status;
  field->number = (uint32_t)(tag >> 3);
  field->wire_type = tag & 7;
  if (!field->number || tag > UINT32_MAX)
    return pp_fail(error, PP_CORRUPT, field->offset, "byte %zu begins a field with an impossible number",
                   field->offset);
  field->begin = wire->at;
  switch (field->wire_type) {
  case WIRE_VARINT:
    status = wire_varint(wire, WIRE_MAX_VARINT, "the varint", &field->value, error);
    field->end = wire->at;
    return status;
  case WIRE_64_BIT:
    return wire_skip(wire, 8, field, error);
  case WIRE_32_BIT:
    return wire_skip(wire, 4, field, error);
  case WIRE_BYTES:
    status = wire_varint(wire, WIRE_MAX_PREFIX, "the length", &size, error);
    return status ? status : wire_skip(wire, size, field, error);
  case WIRE_START_GROUP:
  case WIRE_END_GROUP:
    return pp_fail(error, PP_CORRUPT, field->offset, "byte %zu begins or ends a group, which profiles do not have",
                   field->offset);
  default:
    return pp_fail(error, PP_CORRUPT, field->offset, "byte %zu begins a field of the unknown wire type %u",
                   field->offset, field->wire_type);
  }
}

static pp_status wire_check_packed(const uint8_t *data, const pp_wire_field *field, pp_error *error) {
  pp_wire wire = {data, field->begin, field->end};
  uint64_t ignored;
  while (wire.at < wire.end) {
    pp_status status = wire_varint(&wire, WIRE_MAX_VARINT, "the packed varint", &ignored, error);
    if (status)
      return status;
  }
  return PP_OK;
}

/* The schema is not recursive: it is three levels deep, and so is this. */
static pp_status wire_check_message(const ProtobufCMessageDescriptor *message, const uint8_t *data,
                                    const pp_wire_field *field, pp_error *error) {
  pp_wire wire = {data, field->begin, field->end};
  while (wire.at < wire.end) {
    pp_wire_field inner;
    pp_status status = pp_wire_next(&wire, &inner, error);
    if (!status)
      status = pp_wire_check(message, data, &inner, error);
    if (status)
      return status;
  }
  return PP_OK;
}

pp_status pp_wire_check(const ProtobufCMessageDescriptor *message, const uint8_t *data, const pp_wire_field *field,
                        pp_error *error) {
  /* The schema numbers every message's fields from 1 without gaps. */
  if (field->number > message->n_fields)
    return PP_OK;
  const ProtobufCFieldDescriptor *known = &message->fields[field->number - 1];
  bool integer = known->type != PROTOBUF_C_TYPE_MESSAGE && known->type != PROTOBUF_C_TYPE_BYTES;
  if (integer && field->wire_type == WIRE_VARINT)
    return PP_OK;
  if (integer && field->wire_type == WIRE_BYTES && known->label == PROTOBUF_C_LABEL_REPEATED)
    return wire_check_packed(data, field, error);
  if (!integer && field->wire_type == WIRE_BYTES)
    return known->type == PROTOBUF_C_TYPE_MESSAGE ? wire_check_message(known->descriptor, data, field, error) : PP_OK;
  return pp_fail(error, PP_CORRUPT, field->offset, "the field %s of %s at byte %zu has the wrong wire type %u",
                 known->name, message->short_name, field->offset, field->wire_type);
}

size_t pp_wire_offset(const uint8_t *data, size_t size, uint32_t number, size_t index) {
  pp_wire wire = {data, 0, size};
  pp_wire_field field;
  while (wire.at < wire.end && pp_wire_next(&wire, &field, NULL) == PP_OK)
    if (field.number == number && index-- == 0)
      return field.offset;
  return 0;
}
