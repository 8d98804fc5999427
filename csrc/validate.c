/* SPDX-License-Identifier: Apache-2.0 */
#include "validate.h"

#include "hash.h"
#include "status.h"
#include "wire.h"

#include <stdlib.h>

enum { /* field numbers of Profile, to find the offset of what is wrong */
       FIELD_SAMPLE_TYPE = 1,
       FIELD_SAMPLE,
       FIELD_MAPPING,
       FIELD_LOCATION,
       FIELD_FUNCTION,
       FIELD_STRING_TABLE,
       FIELD_DROP_FRAMES,
       FIELD_KEEP_FRAMES,
       FIELD_PERIOD_TYPE = 11,
       FIELD_COMMENT = 13,
       FIELD_DEFAULT_SAMPLE_TYPE,
       FIELD_DOC_URL
};

/* The ids of all functions, locations or mappings, and where each is. */
typedef struct validate_ids {
  uint64_t *ids;
  size_t n;
  bool positions; /* ids[i] is i + 1 throughout, as in most profiles: no hash is needed */
  pp_hash hash;
} validate_ids;

typedef struct validator {
  Pp__Profile *pb;
  const uint8_t *data;
  size_t size;
  validate_ids functions, locations, mappings;
  pp_error *error;
} validator;

typedef struct validate_place { /* the message of Profile that is being looked at, for errors */
  const char *name;
  uint32_t field;
  size_t index;
} validate_place;

static size_t validate_offset(const validator *v, validate_place place) {
  return pp_wire_offset(v->data, v->size, place.field, place.index);
}

static bool validate_same_id(const void *context, size_t entry, const void *key) {
  return ((const uint64_t *)context)[entry] == *(const uint64_t *)key;
}

/* The position of an id, plus 1; 0 where there is none. */
static uint64_t validate_find(const validate_ids *ids, uint64_t id) {
  if (ids->positions)
    return id <= ids->n ? id : 0;
  size_t entry = pp_hash_find(&ids->hash, pp_hash_word(0, id), validate_same_id, ids->ids, &id);
  return entry == PP_HASH_NONE ? 0 : entry + 1;
}

static bool validate_new_ids(validate_ids *ids, size_t n) {
  ids->ids = malloc(n * sizeof *ids->ids + 1);
  ids->n = n;
  return ids->ids != NULL;
}

static pp_status validate_index_ids(const validator *v, validate_ids *ids, validate_place place) {
  ids->positions = true;
  for (size_t i = 0; i < ids->n && ids->positions; i++)
    ids->positions = ids->ids[i] == i + 1;
  for (place.index = 0; place.index < ids->n && !ids->positions; place.index++) {
    uint64_t id = ids->ids[place.index];
    if (!id)
      return pp_fail(v->error, PP_CORRUPT, validate_offset(v, place), "a %s has the id 0, which is reserved",
                     place.name);
    if (validate_find(ids, id))
      return pp_fail(v->error, PP_CORRUPT, validate_offset(v, place), "two %ss have the id %llu", place.name,
                     (unsigned long long)id);
    if (!pp_hash_insert(&ids->hash, pp_hash_word(0, id), place.index))
      return pp_fail_memory(v->error);
  }
  return PP_OK;
}

static pp_status validate_ids_of_all(validator *v) {
  Pp__Profile *pb = v->pb;
  if (!validate_new_ids(&v->functions, pb->n_function) || !validate_new_ids(&v->locations, pb->n_location) ||
      !validate_new_ids(&v->mappings, pb->n_mapping))
    return pp_fail_memory(v->error);
  for (size_t i = 0; i < pb->n_function; i++)
    v->functions.ids[i] = pb->function[i]->id;
  for (size_t i = 0; i < pb->n_location; i++)
    v->locations.ids[i] = pb->location[i]->id;
  for (size_t i = 0; i < pb->n_mapping; i++)
    v->mappings.ids[i] = pb->mapping[i]->id;
  pp_status status = validate_index_ids(v, &v->functions, (validate_place){"function", FIELD_FUNCTION, 0});
  if (!status)
    status = validate_index_ids(v, &v->locations, (validate_place){"location", FIELD_LOCATION, 0});
  if (!status)
    status = validate_index_ids(v, &v->mappings, (validate_place){"mapping", FIELD_MAPPING, 0});
  return status;
}

static pp_status validate_string(const validator *v, validate_place place, int64_t index) {
  if (index >= 0 && (uint64_t)index < v->pb->n_string_table)
    return PP_OK;
  return pp_fail(v->error, PP_CORRUPT, validate_offset(v, place), "a %s uses string %lld of a table of %zu", place.name,
                 (long long)index, v->pb->n_string_table);
}

static pp_status validate_string_table(const validator *v) {
  if (!v->pb->n_string_table)
    return pp_fail(v->error, PP_CORRUPT, 0, "the profile has no string table");
  if (v->pb->string_table[0].len)
    return pp_fail(v->error, PP_CORRUPT, validate_offset(v, (validate_place){"string", FIELD_STRING_TABLE, 0}),
                   "the first string of the string table is not empty");
  return PP_OK;
}

static pp_status validate_value_type(const validator *v, validate_place place, const Pp__ValueType *type) {
  pp_status status = validate_string(v, place, type->type);
  return status ? status : validate_string(v, place, type->unit);
}

static pp_status validate_head(const validator *v) {
  const Pp__Profile *pb = v->pb;
  const struct {
    validate_place place;
    int64_t index;
  } strings[] = {{{"drop_frames", FIELD_DROP_FRAMES, 0}, pb->drop_frames},
                 {{"keep_frames", FIELD_KEEP_FRAMES, 0}, pb->keep_frames},
                 {{"default_sample_type", FIELD_DEFAULT_SAMPLE_TYPE, 0}, pb->default_sample_type},
                 {{"doc_url", FIELD_DOC_URL, 0}, pb->doc_url}};
  pp_status status = PP_OK;
  if (!pb->n_sample_type)
    return pp_fail(v->error, PP_CORRUPT, 0, "the profile has no sample types");
  for (size_t i = 0; i < pb->n_sample_type && !status; i++)
    status = validate_value_type(v, (validate_place){"sample_type", FIELD_SAMPLE_TYPE, i}, pb->sample_type[i]);
  if (pb->period_type && !status)
    status = validate_value_type(v, (validate_place){"period_type", FIELD_PERIOD_TYPE, 0}, pb->period_type);
  for (size_t i = 0; i < sizeof strings / sizeof *strings && !status; i++)
    status = validate_string(v, strings[i].place, strings[i].index);
  for (size_t i = 0; i < pb->n_comment && !status; i++)
    status = validate_string(v, (validate_place){"comment", FIELD_COMMENT, 0}, pb->comment[i]);
  return status;
}

static pp_status validate_functions(const validator *v) {
  pp_status status = PP_OK;
  for (size_t i = 0; i < v->pb->n_function && !status; i++) {
    validate_place place = {"function", FIELD_FUNCTION, i};
    Pp__Function *function = v->pb->function[i];
    function->id = i + 1;
    status = validate_string(v, place, function->name);
    if (!status)
      status = validate_string(v, place, function->system_name);
    if (!status)
      status = validate_string(v, place, function->filename);
  }
  return status;
}

static pp_status validate_mappings(const validator *v) {
  pp_status status = PP_OK;
  for (size_t i = 0; i < v->pb->n_mapping && !status; i++) {
    validate_place place = {"mapping", FIELD_MAPPING, i};
    Pp__Mapping *mapping = v->pb->mapping[i];
    mapping->id = i + 1;
    status = validate_string(v, place, mapping->filename);
    if (!status)
      status = validate_string(v, place, mapping->build_id);
  }
  return status;
}

static pp_status validate_locations(const validator *v) {
  for (size_t i = 0; i < v->pb->n_location; i++) {
    validate_place place = {"location", FIELD_LOCATION, i};
    Pp__Location *location = v->pb->location[i];
    for (size_t j = 0; j < location->n_line; j++) {
      uint64_t id = location->line[j]->function_id, position = validate_find(&v->functions, id);
      if (!position)
        return pp_fail(v->error, PP_CORRUPT, validate_offset(v, place),
                       "the location %llu has a line of the function %llu, which does not exist",
                       (unsigned long long)location->id, (unsigned long long)id);
      location->line[j]->function_id = position;
    }
    location->id = i + 1;
    location->mapping_id = validate_find(&v->mappings, location->mapping_id); /* a dangling one means none */
  }
  return PP_OK;
}

static pp_status validate_labels(const validator *v, validate_place place, const Pp__Sample *sample) {
  pp_status status = PP_OK;
  place.name = "label";
  for (size_t i = 0; i < sample->n_label && !status; i++) {
    status = validate_string(v, place, sample->label[i]->key);
    if (!status)
      status = validate_string(v, place, sample->label[i]->str);
    if (!status)
      status = validate_string(v, place, sample->label[i]->num_unit);
  }
  return status;
}

static pp_status validate_samples(const validator *v) {
  for (size_t i = 0; i < v->pb->n_sample; i++) {
    validate_place place = {"sample", FIELD_SAMPLE, i};
    Pp__Sample *sample = v->pb->sample[i];
    if (sample->n_value != v->pb->n_sample_type)
      return pp_fail(v->error, PP_CORRUPT, validate_offset(v, place), "a sample has %zu values for %zu sample types",
                     sample->n_value, v->pb->n_sample_type);
    for (size_t j = 0; j < sample->n_location_id; j++) {
      uint64_t id = sample->location_id[j], position = validate_find(&v->locations, id);
      if (!position)
        return pp_fail(v->error, PP_CORRUPT, validate_offset(v, place),
                       "a sample has the location %llu, which does not exist", (unsigned long long)id);
      sample->location_id[j] = position;
    }
    pp_status status = validate_labels(v, place, sample);
    if (status)
      return status;
  }
  return PP_OK;
}

pp_status pp_validate(Pp__Profile *pb, const uint8_t *data, size_t size, pp_error *error) {
  validator v = {.pb = pb, .data = data, .size = size, .error = error};
  pp_status status = validate_string_table(&v);
  if (!status)
    status = validate_head(&v);
  if (!status)
    status = validate_ids_of_all(&v);
  if (!status)
    status = validate_functions(&v);
  if (!status)
    status = validate_mappings(&v);
  if (!status)
    status = validate_locations(&v);
  if (!status)
    status = validate_samples(&v);
  validate_ids *all[] = {&v.functions, &v.locations, &v.mappings};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    free(all[i]->ids);
    pp_hash_free(&all[i]->hash);
  }
  return status;
}
