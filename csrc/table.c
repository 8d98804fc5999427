/* SPDX-License-Identifier: Apache-2.0 */
#include "table.h"

#include "checked.h"
#include "status.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE_PAGE = 4096 };

void pp_table_init(pp_table *table) {
  const pp_str empty = {NULL, 0};
  memset(table, 0, sizeof *table);
  pp__profile__init(&table->pb);
  pp_table_string(table, empty);
}

static void table_free_index(pp_table *table) {
  pp_strings_free(&table->strings);
  pp_hash_free(&table->functions);
  pp_hash_free(&table->mappings);
  pp_hash_free(&table->locations);
  pp_hash_free(&table->samples);
}

void pp_table_free(pp_table *table) {
  table_free_index(table);
  pp_arena_free(&table->arena);
}

static void table_no_memory(pp_table *table) {
  if (!table->error.status)
    pp_fail_memory(&table->error);
}

int64_t pp_table_string(pp_table *table, pp_str string) {
  int64_t index = table->error.status ? 0 : pp_strings_intern(&table->strings, &table->arena, string);
  if (index >= 0)
    return index;
  table_no_memory(table);
  return 0;
}

static Pp__ValueType *table_value_type(pp_table *table, pp_value_type type) {
  Pp__ValueType *pb = pp_arena_alloc(&table->arena, sizeof *pb);
  if (!pb) {
    table_no_memory(table);
    return NULL;
  }
  pp__value_type__init(pb);
  pb->type = pp_table_string(table, type.type);
  pb->unit = pp_table_string(table, type.unit);
  return pb;
}

void pp_table_sample_types(pp_table *table, const pp_value_type *types, size_t n) {
  table->pb.sample_type = pp_arena_array(&table->arena, n, sizeof *table->pb.sample_type);
  if (!table->pb.sample_type)
    table_no_memory(table);
  for (size_t i = 0; i < n && !table->error.status; i++) {
    table->pb.sample_type[i] = table_value_type(table, types[i]);
    table->pb.n_sample_type = i + 1;
  }
}

void pp_table_period_type(pp_table *table, pp_value_type type) {
  table->pb.period_type = table_value_type(table, type);
}

/* Functions */

typedef struct table_function {
  Pp__Function pb;
  int64_t start_column;
} table_function;

static bool table_function_equal(const void *context, size_t entry, const void *key) {
  const table_function *known = (const table_function *)((Pp__Function *const *)context)[entry], *wanted = key;
  return known->pb.name == wanted->pb.name && known->pb.system_name == wanted->pb.system_name &&
         known->pb.filename == wanted->pb.filename && known->pb.start_line == wanted->pb.start_line &&
         known->start_column == wanted->start_column;
}

uint64_t pp_table_function(pp_table *table, const Pp__Function *key, int64_t start_column) {
  table_function wanted = {*key, start_column};
  if (table->error.status)
    return 0;
  uint64_t hash = pp_hash_word(0, (uint64_t)key->name);
  hash = pp_hash_word(hash, (uint64_t)key->system_name);
  hash = pp_hash_word(hash, (uint64_t)key->filename);
  hash = pp_hash_word(hash, (uint64_t)key->start_line);
  hash = pp_hash_word(hash, (uint64_t)start_column);
  size_t n = table->pb.n_function;
  size_t entry = pp_hash_find(&table->functions, hash, table_function_equal, table->pb.function, &wanted);
  if (entry != PP_HASH_NONE)
    return entry + 1;
  wanted.pb.id = n + 1;
  void *array = pp_arena_grow(&table->arena, table->pb.function, n, &table->function_capacity, sizeof(void *));
  table_function *added = pp_arena_copy(&table->arena, &wanted, sizeof wanted);
  if (!array || !added || !pp_hash_insert(&table->functions, hash, n)) {
    table_no_memory(table);
    return 0;
  }
  table->pb.function = array;
  table->pb.function[n] = &added->pb;
  return table->pb.n_function = n + 1;
}

int64_t pp_table_start_column(const Pp__Function *function) { return ((const table_function *)function)->start_column; }

/* Mappings */

static uint64_t table_mapping_pages(const Pp__Mapping *mapping) {
  uint64_t size = mapping->memory_limit - mapping->memory_start;
  return size / TABLE_PAGE + (size % TABLE_PAGE != 0);
}

static int64_t table_mapping_object(const Pp__Mapping *mapping) {
  return mapping->build_id ? mapping->build_id : mapping->filename;
}

static bool table_mapping_equal(const void *context, size_t entry, const void *key) {
  const Pp__Mapping *known = ((Pp__Mapping *const *)context)[entry], *wanted = key;
  return table_mapping_pages(known) == table_mapping_pages(wanted) && known->file_offset == wanted->file_offset &&
         table_mapping_object(known) == table_mapping_object(wanted);
}

uint64_t pp_table_mapping(pp_table *table, const Pp__Mapping *key) {
  if (table->error.status)
    return 0;
  uint64_t hash = pp_hash_word(table_mapping_pages(key), key->file_offset);
  hash = pp_hash_word(hash, (uint64_t)table_mapping_object(key));
  size_t n = table->pb.n_mapping;
  size_t entry = pp_hash_find(&table->mappings, hash, table_mapping_equal, table->pb.mapping, key);
  if (entry != PP_HASH_NONE)
    return entry + 1;
  void *array = pp_arena_grow(&table->arena, table->pb.mapping, n, &table->mapping_capacity, sizeof(void *));
  Pp__Mapping *added = pp_arena_copy(&table->arena, key, sizeof *key);
  if (!array || !added || !pp_hash_insert(&table->mappings, hash, n)) {
    table_no_memory(table);
    return 0;
  }
  added->id = n + 1;
  table->pb.mapping = array;
  table->pb.mapping[n] = added;
  return table->pb.n_mapping = n + 1;
}

/* Locations */

static bool table_location_equal(const void *context, size_t entry, const void *key) {
  const Pp__Location *known = ((Pp__Location *const *)context)[entry], *wanted = key;
  if (known->mapping_id != wanted->mapping_id || known->address != wanted->address ||
      known->is_folded != wanted->is_folded || known->n_line != wanted->n_line)
    return false;
  for (size_t i = 0; i < known->n_line; i++) {
    const Pp__Line *a = known->line[i], *b = wanted->line[i];
    if (a->function_id != b->function_id || a->line != b->line || a->column != b->column)
      return false;
  }
  return true;
}

static uint64_t table_location_hash(const Pp__Location *key) {
  uint64_t hash = pp_hash_word(key->mapping_id, key->address);
  hash = pp_hash_word(hash, key->n_line * 2 + (key->is_folded != 0));
  for (size_t i = 0; i < key->n_line; i++) {
    hash = pp_hash_word(hash, key->line[i]->function_id);
    hash = pp_hash_word(hash, (uint64_t)key->line[i]->line);
    hash = pp_hash_word(hash, (uint64_t)key->line[i]->column);
  }
  return hash;
}

static Pp__Location *table_location_copy(pp_arena *arena, const Pp__Location *key) {
  Pp__Location *copy = pp_arena_copy(arena, key, sizeof *key);
  if (!copy)
    return NULL;
  copy->line = pp_arena_array(arena, key->n_line, sizeof *copy->line);
  for (size_t i = 0; copy->line && i < key->n_line; i++) {
    copy->line[i] = pp_arena_copy(arena, key->line[i], sizeof **copy->line);
    if (!copy->line[i])
      return NULL;
  }
  return copy->line ? copy : NULL;
}

uint64_t pp_table_location(pp_table *table, const Pp__Location *key) {
  if (table->error.status)
    return 0;
  uint64_t hash = table_location_hash(key);
  size_t n = table->pb.n_location;
  size_t entry = pp_hash_find(&table->locations, hash, table_location_equal, table->pb.location, key);
  if (entry != PP_HASH_NONE)
    return entry + 1;
  void *array = pp_arena_grow(&table->arena, table->pb.location, n, &table->location_capacity, sizeof(void *));
  Pp__Location *added = table_location_copy(&table->arena, key);
  if (!array || !added || !pp_hash_insert(&table->locations, hash, n)) {
    table_no_memory(table);
    return 0;
  }
  added->id = n + 1;
  table->pb.location = array;
  table->pb.location[n] = added;
  return table->pb.n_location = n + 1;
}

/* Samples */

static bool table_sample_equal(const void *context, size_t entry, const void *key) {
  const Pp__Sample *known = ((Pp__Sample *const *)context)[entry], *wanted = key;
  if (known->n_location_id != wanted->n_location_id || known->n_label != wanted->n_label)
    return false;
  if (known->n_location_id &&
      memcmp(known->location_id, wanted->location_id, known->n_location_id * sizeof *known->location_id) != 0)
    return false;
  for (size_t i = 0; i < known->n_label; i++) {
    const Pp__Label *a = known->label[i], *b = wanted->label[i];
    if (a->key != b->key || a->str != b->str || a->num != b->num || a->num_unit != b->num_unit)
      return false;
  }
  return true;
}

static uint64_t table_sample_hash(const Pp__Sample *key) {
  uint64_t hash = pp_hash_word(key->n_label, key->n_location_id);
  for (size_t i = 0; i < key->n_location_id; i++)
    hash = pp_hash_word(hash, key->location_id[i]);
  for (size_t i = 0; i < key->n_label; i++) {
    hash = pp_hash_word(hash, (uint64_t)key->label[i]->key);
    hash = pp_hash_word(hash, (uint64_t)key->label[i]->str);
    hash = pp_hash_word(hash, (uint64_t)key->label[i]->num);
    hash = pp_hash_word(hash, (uint64_t)key->label[i]->num_unit);
  }
  return hash;
}

static Pp__Sample *table_sample_copy(pp_arena *arena, const Pp__Sample *key) {
  Pp__Sample *copy = pp_arena_copy(arena, key, sizeof *key);
  if (!copy)
    return NULL;
  copy->location_id = pp_arena_copy(arena, key->location_id, key->n_location_id * sizeof *copy->location_id);
  copy->value = pp_arena_copy(arena, key->value, key->n_value * sizeof *copy->value);
  copy->label = pp_arena_array(arena, key->n_label, sizeof *copy->label);
  for (size_t i = 0; copy->label && i < key->n_label; i++) {
    copy->label[i] = pp_arena_copy(arena, key->label[i], sizeof **copy->label);
    if (!copy->label[i])
      return NULL;
  }
  return copy->location_id && copy->value && copy->label ? copy : NULL;
}

void pp_table_sample(pp_table *table, const Pp__Sample *key) {
  if (table->error.status)
    return;
  uint64_t hash = table_sample_hash(key);
  size_t n = table->pb.n_sample;
  size_t entry = pp_hash_find(&table->samples, hash, table_sample_equal, table->pb.sample, key);
  if (entry != PP_HASH_NONE) {
    for (size_t i = 0; i < key->n_value; i++)
      if (!pp_add(&table->pb.sample[entry]->value[i], key->value[i])) {
        pp_fail(&table->error, PP_LIMIT, 0, "the values of equal samples add up to more than 64 bits hold");
        return;
      }
    return;
  }
  void *array = pp_arena_grow(&table->arena, table->pb.sample, n, &table->sample_capacity, sizeof(void *));
  Pp__Sample *added = table_sample_copy(&table->arena, key);
  if (!array || !added || !pp_hash_insert(&table->samples, hash, n)) {
    table_no_memory(table);
    return;
  }
  table->pb.sample = array;
  table->pb.sample[n] = added;
  table->pb.n_sample = n + 1;
}

/* The whole */

const Pp__Profile *pp_table_view(pp_table *table) {
  table->pb.string_table = table->strings.data;
  table->pb.n_string_table = table->strings.n;
  return &table->pb;
}

pp_profile *pp_table_finish(pp_table *table, pp_error *error) {
  pp_profile *profile = malloc(sizeof *profile);
  Pp__Profile *pb = pp_arena_copy(&table->arena, pp_table_view(table), sizeof *pb);
  if (!profile || !pb)
    table_no_memory(table);
  if (table->error.status) {
    if (error)
      *error = table->error;
    free(profile);
    pp_table_free(table);
    return NULL;
  }
  table_free_index(table);
  *profile = (pp_profile){table->arena, pb};
  return profile;
}
