/* SPDX-License-Identifier: Apache-2.0
 *
 * reader.c: bytes -> pp_profile. Decompress, check the wire format and what protobuf-c would let pass, unpack into an
 * arena, validate.
 */
#include "gzip.h"
#include "profile.h"
#include "sniff.h"
#include "status.h"
#include "validate.h"
#include "wire.h"

#include <stdlib.h>

enum { /* field numbers of Profile */
       READER_STRING_TABLE = 6,
       READER_TIME_NANOS = 9,
       READER_PERIOD_TYPE = 11
};

/* What only the order of the fields tells. */
typedef struct reader_scan {
  size_t n_empty_strings, n_times, n_period_types;
  pp_wire_field period_type; /* the last one, where there are any */
} reader_scan;

static pp_status reader_note(reader_scan *scan, const pp_wire_field *field, pp_error *error) {
  if (field->number == READER_STRING_TABLE && field->begin == field->end)
    scan->n_empty_strings++;
  if (field->number == READER_TIME_NANOS && field->value)
    scan->n_times++;
  if (field->number == READER_PERIOD_TYPE) {
    scan->n_period_types++;
    scan->period_type = *field;
  }
  if (scan->n_empty_strings > 1 || scan->n_times > 1)
    return pp_fail(error, PP_CORRUPT, field->offset, "a second profile begins before byte %zu (concatenated profiles)",
                   field->offset);
  return PP_OK;
}

static pp_status reader_scan_all(const uint8_t *data, size_t size, reader_scan *scan, pp_error *error) {
  pp_wire wire = {data, 0, size};
  pp_status status = PP_OK;
  while (wire.at < wire.end && !status) {
    pp_wire_field field;
    status = pp_wire_next(&wire, &field, error);
    if (!status)
      status = pp_wire_check(&pp__profile__descriptor, data, &field, error);
    if (!status)
      status = reader_note(scan, &field, error);
  }
  return status;
}

static void *reader_alloc(void *arena, size_t size) { return pp_arena_alloc(arena, size); }
static void reader_free(void *arena, void *object) {
  (void)arena;
  (void)object;
}

static pp_status reader_unpack_failed(const pp_arena *arena, pp_error *error) {
  return arena->failed ? pp_fail_memory(error) : pp_fail(error, PP_CORRUPT, 0, "protobuf-c cannot unpack the data");
}

static pp_status reader_unpack(const uint8_t *data, size_t size, const reader_scan *scan, pp_profile *profile,
                               pp_error *error) {
  ProtobufCAllocator allocator = {reader_alloc, reader_free, &profile->arena};
  profile->pb = pp__profile__unpack(&allocator, size, data);
  if (!profile->pb)
    return reader_unpack_failed(&profile->arena, error);
  if (scan->n_period_types > 1) { /* the last one counts; protobuf-c has merged them */
    const pp_wire_field *last = &scan->period_type;
    profile->pb->period_type = pp__value_type__unpack(&allocator, last->end - last->begin, data + last->begin);
    if (!profile->pb->period_type)
      return reader_unpack_failed(&profile->arena, error);
  }
  return PP_OK;
}

static pp_profile *reader_parse_raw(const uint8_t *data, size_t size, pp_error *error) {
  pp_profile *profile = calloc(1, sizeof *profile);
  if (!profile) {
    pp_fail_memory(error);
    return NULL;
  }
  reader_scan scan = {0};
  pp_status status = reader_scan_all(data, size, &scan, error);
  if (status) {
    const char *name = pp_sniff(data, size);
    if (name)
      pp_fail(error, PP_CORRUPT, 0, "not a pprof profile but %s", name);
  }
  if (!status)
    status = reader_unpack(data, size, &scan, profile, error);
  if (!status)
    status = pp_validate(profile->pb, data, size, error);
  if (!status)
    return profile;
  pp_profile_free(profile);
  return NULL;
}

pp_profile *pp_profile_parse(const void *data, size_t size, size_t max_size, pp_error *error) {
  if (!max_size)
    max_size = PP_DEFAULT_MAX_SIZE;
  pp_bytes raw = {NULL, 0};
  if (!size) {
    pp_fail(error, PP_TRUNCATED, 0, "the input is empty");
    return NULL;
  }
  if (!pp_is_gzip(data, size)) {
    if (size <= max_size)
      return reader_parse_raw(data, size, error);
    pp_fail(error, PP_LIMIT, 0, "the profile has %zu bytes, more than the limit of %zu", size, max_size);
    return NULL;
  }
  if (pp_gunzip(data, size, max_size, &raw, error))
    return NULL;
  pp_profile *profile = NULL;
  if (raw.size)
    profile = reader_parse_raw(raw.data, raw.size, error);
  else
    pp_fail(error, PP_TRUNCATED, 0, "the gzip data are empty inside");
  pp_bytes_free(&raw);
  return profile;
}
