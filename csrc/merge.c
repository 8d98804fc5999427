/* SPDX-License-Identifier: Apache-2.0
 *
 * merge.c: several profiles become one, by translating each sample, and what it refers to, into a common table.
 */
#include "checked.h"
#include "status.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

/* One profile on its way into the table. The maps hold what its strings (index) and messages (id) are called there, 0
 * for what was not needed yet; the rest is room for the key that is being made. */
typedef struct merge_source {
  pp_table *table;
  const Pp__Profile *pb;
  pp_arena arena;
  int64_t *strings;
  uint64_t *functions, *mappings, *locations; /* by id - 1 */
  uint64_t *location_ids;
  Pp__Line *lines, **line_pointers;
  Pp__Label *labels, **label_pointers;
} merge_source;

static void *merge_zeroed(pp_arena *arena, size_t n, size_t size) {
  void *array = pp_arena_array(arena, n, size);
  if (array && n)
    memset(array, 0, n * size);
  return array;
}

static bool merge_source_init(merge_source *source, pp_table *table, const Pp__Profile *pb) {
  size_t most_locations = 0, most_lines = 0, most_labels = 0;
  for (size_t i = 0; i < pb->n_location; i++)
    if (pb->location[i]->n_line > most_lines)
      most_lines = pb->location[i]->n_line;
  for (size_t i = 0; i < pb->n_sample; i++) {
    if (pb->sample[i]->n_location_id > most_locations)
      most_locations = pb->sample[i]->n_location_id;
    if (pb->sample[i]->n_label > most_labels)
      most_labels = pb->sample[i]->n_label;
  }
  *source = (merge_source){.table = table, .pb = pb};
  pp_arena *arena = &source->arena;
  source->strings = merge_zeroed(arena, pb->n_string_table, sizeof *source->strings);
  source->functions = merge_zeroed(arena, pb->n_function, sizeof *source->functions);
  source->mappings = merge_zeroed(arena, pb->n_mapping, sizeof *source->mappings);
  source->locations = merge_zeroed(arena, pb->n_location, sizeof *source->locations);
  source->location_ids = pp_arena_array(arena, most_locations, sizeof *source->location_ids);
  source->lines = pp_arena_array(arena, most_lines, sizeof *source->lines);
  source->line_pointers = pp_arena_array(arena, most_lines, sizeof *source->line_pointers);
  source->labels = pp_arena_array(arena, most_labels, sizeof *source->labels);
  source->label_pointers = pp_arena_array(arena, most_labels, sizeof *source->label_pointers);
  if (arena->failed)
    return false;
  for (size_t i = 0; i < most_lines; i++)
    source->line_pointers[i] = &source->lines[i];
  return true;
}

static int64_t merge_string(merge_source *source, int64_t index) {
  if (index && !source->strings[index])
    source->strings[index] = pp_table_string(source->table, pp_pb_string(source->pb, index));
  return source->strings[index];
}

static uint64_t merge_function(merge_source *source, uint64_t id) {
  uint64_t *known = &source->functions[id - 1];
  if (!*known) {
    Pp__Function key = *source->pb->function[id - 1];
    key.base.n_unknown_fields = 0;
    key.name = merge_string(source, key.name);
    key.system_name = merge_string(source, key.system_name);
    key.filename = merge_string(source, key.filename);
    *known = pp_table_function(source->table, &key, 0);
  }
  return *known;
}

static uint64_t merge_mapping(merge_source *source, uint64_t id) {
  uint64_t *known = &source->mappings[id - 1];
  if (!*known) {
    Pp__Mapping key = *source->pb->mapping[id - 1];
    key.base.n_unknown_fields = 0;
    key.filename = merge_string(source, key.filename);
    key.build_id = merge_string(source, key.build_id);
    *known = pp_table_mapping(source->table, &key);
  }
  return *known;
}

static uint64_t merge_location(merge_source *source, uint64_t id) {
  uint64_t *known = &source->locations[id - 1];
  if (*known)
    return *known;
  Pp__Location key = *source->pb->location[id - 1];
  key.base.n_unknown_fields = 0;
  if (key.mapping_id) {
    uint64_t start = source->pb->mapping[key.mapping_id - 1]->memory_start;
    key.mapping_id = merge_mapping(source, key.mapping_id);
    if (key.mapping_id) /* the same place in the same object, wherever that was loaded */
      key.address += source->table->pb.mapping[key.mapping_id - 1]->memory_start - start;
  }
  for (size_t i = 0; i < key.n_line; i++) {
    source->lines[i] = *key.line[i];
    source->lines[i].base.n_unknown_fields = 0;
    source->lines[i].function_id = merge_function(source, key.line[i]->function_id);
  }
  key.line = source->line_pointers;
  return *known = pp_table_location(source->table, &key);
}

static int merge_compare(int64_t a, int64_t b) { return (a > b) - (a < b); }

static int merge_compare_labels(const void *left, const void *right) {
  const Pp__Label *a = *(Pp__Label *const *)left, *b = *(Pp__Label *const *)right;
  int order = merge_compare(a->key, b->key);
  if (!order)
    order = merge_compare(a->str, b->str);
  if (!order)
    order = merge_compare(a->num, b->num);
  return order ? order : merge_compare(a->num_unit, b->num_unit);
}

static bool merge_is_zero(const Pp__Sample *sample) {
  for (size_t i = 0; i < sample->n_value; i++)
    if (sample->value[i])
      return false;
  return true;
}

static void merge_sample(merge_source *source, const Pp__Sample *sample) {
  Pp__Sample key = *sample;
  key.base.n_unknown_fields = 0;
  for (size_t i = 0; i < key.n_location_id; i++)
    source->location_ids[i] = merge_location(source, key.location_id[i]);
  for (size_t i = 0; i < key.n_label; i++) {
    Pp__Label *label = source->label_pointers[i] = &source->labels[i];
    *label = *key.label[i];
    label->base.n_unknown_fields = 0;
    label->key = merge_string(source, label->key);
    label->str = merge_string(source, label->str);
    label->num_unit = merge_string(source, label->num_unit);
  }
  if (key.n_label > 1)
    qsort(source->label_pointers, key.n_label, sizeof *source->label_pointers, merge_compare_labels);
  key.location_id = source->location_ids;
  key.label = source->label_pointers;
  pp_table_sample(source->table, &key);
}

static bool merge_same_entry(const void *context, size_t entry, const void *key) {
  return ((const int64_t *)context)[entry] == *(const int64_t *)key;
}

static void merge_comments(merge_source *source, pp_hash *known) {
  pp_table *table = source->table;
  for (size_t i = 0; i < source->pb->n_comment && !table->error.status; i++) {
    int64_t comment = merge_string(source, source->pb->comment[i]);
    uint64_t hash = pp_hash_word(0, (uint64_t)comment);
    if (pp_hash_find(known, hash, merge_same_entry, table->pb.comment, &comment) != PP_HASH_NONE)
      continue;
    if (!pp_hash_insert(known, hash, table->pb.n_comment))
      pp_fail_memory(&table->error);
    else
      table->pb.comment[table->pb.n_comment++] = comment;
  }
}

/* What a profile says about itself. Where only one can be kept, the first that says something is. */
static void merge_head(merge_source *source, pp_hash *comments) {
  Pp__Profile *merged = &source->table->pb;
  const Pp__Profile *pb = source->pb;
  const struct {
    int64_t *merged, index;
  } strings[] = {{&merged->drop_frames, pb->drop_frames},
                 {&merged->keep_frames, pb->keep_frames},
                 {&merged->default_sample_type, pb->default_sample_type},
                 {&merged->doc_url, pb->doc_url}};
  for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
    if (!*strings[i].merged)
      *strings[i].merged = merge_string(source, strings[i].index);
  if (pb->time_nanos && (!merged->time_nanos || pb->time_nanos < merged->time_nanos))
    merged->time_nanos = pb->time_nanos;
  if (pb->period > merged->period)
    merged->period = pb->period;
  if (!pp_add(&merged->duration_nanos, pb->duration_nanos) && !source->table->error.status)
    pp_fail(&source->table->error, PP_LIMIT, 0, "the profiles' durations add up to more than 64 bits hold");
  merge_comments(source, comments);
}

static void merge_one(pp_table *table, const Pp__Profile *pb, pp_hash *comments) {
  merge_source source;
  if (merge_source_init(&source, table, pb)) {
    merge_head(&source, comments);
    if (!table->pb.n_mapping && pb->n_mapping)
      merge_mapping(&source, 1); /* the first mapping is the main program, and stays the first */
    for (size_t i = 0; i < pb->n_sample && !table->error.status; i++)
      if (!merge_is_zero(pb->sample[i]))
        merge_sample(&source, pb->sample[i]);
  } else {
    pp_fail_memory(&table->error);
  }
  pp_arena_free(&source.arena);
}

static bool merge_same_string(pp_str a, pp_str b) {
  return a.size == b.size && (!a.size || !memcmp(a.data, b.data, a.size));
}

static bool merge_same_type(pp_value_type a, pp_value_type b) {
  return merge_same_string(a.type, b.type) && merge_same_string(a.unit, b.unit);
}

static pp_status merge_check(const pp_profile *const *profiles, size_t n, pp_error *error) {
  if (!n)
    return pp_fail(error, PP_INVALID, 0, "there is no profile to merge");
  size_t n_types = pp_profile_n_sample_types(profiles[0]);
  for (size_t i = 1; i < n; i++) {
    if (!merge_same_type(pp_profile_period_type(profiles[0]), pp_profile_period_type(profiles[i])))
      return pp_fail(error, PP_INVALID, 0, "profile %zu has another period type than the first", i + 1);
    bool same = pp_profile_n_sample_types(profiles[i]) == n_types;
    for (size_t j = 0; j < n_types && same; j++)
      same = merge_same_type(pp_profile_sample_type(profiles[0], j), pp_profile_sample_type(profiles[i], j));
    if (!same)
      return pp_fail(error, PP_INVALID, 0, "profile %zu has other sample types than the first", i + 1);
  }
  return PP_OK;
}

static void merge_types(pp_table *table, const pp_profile *first) {
  size_t n = pp_profile_n_sample_types(first);
  pp_value_type *types = malloc(n * sizeof *types);
  if (!types) {
    pp_fail_memory(&table->error);
    return;
  }
  for (size_t i = 0; i < n; i++)
    types[i] = pp_profile_sample_type(first, i);
  pp_table_sample_types(table, types, n);
  free(types);
  if (first->pb->period_type)
    pp_table_period_type(table, pp_profile_period_type(first));
}

static void merge_all(pp_table *table, const pp_profile *const *profiles, size_t n) {
  pp_hash comments = {0};
  size_t n_comments = 0;
  for (size_t i = 0; i < n; i++)
    n_comments += profiles[i]->pb->n_comment;
  merge_types(table, profiles[0]);
  table->pb.comment = pp_arena_array(&table->arena, n_comments, sizeof *table->pb.comment);
  if (!table->pb.comment)
    pp_fail_memory(&table->error);
  for (size_t i = 0; i < n && !table->error.status; i++)
    merge_one(table, profiles[i]->pb, &comments);
  pp_hash_free(&comments);
}

pp_profile *pp_profile_merge(const pp_profile *const *profiles, size_t n, pp_error *error) {
  pp_table table;
  if (merge_check(profiles, n, error))
    return NULL;
  pp_table_init(&table);
  merge_all(&table, profiles, n);
  pp_profile *merged = pp_table_finish(&table, error);
  for (size_t i = 0; merged && i < merged->pb->n_sample; i++)
    if (merge_is_zero(merged->pb->sample[i])) {
      /* Samples that cancelled out: merging again drops them, and the locations that only they had. */
      const pp_profile *const once[] = {merged};
      pp_profile *again = pp_profile_merge(once, 1, error);
      pp_profile_free(merged);
      return again;
    }
  return merged;
}
