/* SPDX-License-Identifier: Apache-2.0
 *
 * aggregate.c: flat and cumulative values per function, file, line or address.
 *
 * Each location becomes a list of nodes, the innermost first, once; the samples then only add numbers. A node's cum
 * counts a sample once, although recursion and inlining may bring the node up many times: it remembers the last sample
 * that it counted.
 */
#include "checked.h"
#include "profile.h"
#include "status.h"
#include "string_table.h"

#include <stdlib.h>
#include <string.h>

typedef struct aggregate_node {
  int64_t name, filename; /* indices of `strings` */
  int64_t line;
  uint64_t address;
  int64_t flat, cum;
  size_t last_sample; /* the number of the last sample that was added to cum; 0: none */
} aggregate_node;

typedef struct aggregate {
  const Pp__Profile *pb;
  pp_granularity granularity;
  pp_arena arena; /* all of it but what outlives the call */
  pp_arena *kept; /* the strings, which the result lends */
  pp_strings strings;
  aggregate_node *nodes;
  size_t n_nodes, capacity;
  pp_hash index;
  size_t *first;       /* location i has the nodes of_location[first[i]] to of_location[first[i + 1] - 1] */
  size_t *of_location; /* indices of `nodes` */
} aggregate;

typedef struct aggregate_top { /* what a pp_top really is */
  pp_top top;
  pp_arena arena;
} aggregate_top;

static bool aggregate_same_node(const void *context, size_t entry, const void *key) {
  const aggregate_node *a = (const aggregate_node *)context + entry, *b = key;
  return a->name == b->name && a->filename == b->filename && a->line == b->line && a->address == b->address;
}

/* The node's index; PP_HASH_NONE when out of memory. */
static size_t aggregate_intern(aggregate *a, const aggregate_node *key) {
  uint64_t hash = pp_hash_word((uint64_t)key->name, (uint64_t)key->filename);
  hash = pp_hash_word(pp_hash_word(hash, (uint64_t)key->line), key->address);
  size_t entry = pp_hash_find(&a->index, hash, aggregate_same_node, a->nodes, key);
  if (entry != PP_HASH_NONE)
    return entry;
  aggregate_node *nodes = pp_arena_grow(&a->arena, a->nodes, a->n_nodes, &a->capacity, sizeof *nodes);
  if (!nodes)
    return PP_HASH_NONE;
  a->nodes = nodes;
  if (!pp_hash_insert(&a->index, hash, a->n_nodes))
    return PP_HASH_NONE;
  nodes[a->n_nodes] = *key;
  return a->n_nodes++;
}

/* What stands for a name that is not known: "[basename of the mapping]" or "<unknown>". */
static int64_t aggregate_placeholder(aggregate *a, const Pp__Location *location) {
  static const char unknown[] = "<unknown>";
  pp_str file = {NULL, 0};
  if (location->mapping_id)
    file = pp_pb_string(a->pb, a->pb->mapping[location->mapping_id - 1]->filename);
  if (!file.size)
    return pp_strings_intern(&a->strings, a->kept, (pp_str){unknown, sizeof unknown - 1});
  size_t base = file.size;
  while (base && file.data[base - 1] != '/')
    base--;
  size_t size = file.size - base;
  char *label = pp_arena_alloc(&a->arena, size + 2);
  if (!label)
    return -1;
  label[0] = '[';
  memcpy(label + 1, file.data + base, size);
  label[size + 1] = ']';
  return pp_strings_intern(&a->strings, a->kept, (pp_str){label, size + 2});
}

/* `line` is NULL for a location without lines. False when out of memory. */
static bool aggregate_line(aggregate *a, const Pp__Location *location, const Pp__Line *line, size_t *node) {
  aggregate_node key = {0};
  const Pp__Function *function = line ? a->pb->function[line->function_id - 1] : NULL;
  if (function && a->granularity != PP_FILES)
    key.name = pp_strings_intern(&a->strings, a->kept, pp_pb_string(a->pb, function->name));
  if (function && a->granularity != PP_FUNCTIONS)
    key.filename = pp_strings_intern(&a->strings, a->kept, pp_pb_string(a->pb, function->filename));
  if (line && a->granularity == PP_LINES)
    key.line = line->line;
  if (a->granularity == PP_ADDRESSES)
    key.address = location->address;
  int64_t *shown = a->granularity == PP_FILES ? &key.filename : &key.name;
  if (!*shown)
    *shown = aggregate_placeholder(a, location);
  if (key.name < 0 || key.filename < 0)
    return false;
  *node = aggregate_intern(a, &key);
  return *node != PP_HASH_NONE;
}

static bool aggregate_locations(aggregate *a) {
  size_t n = a->pb->n_location, n_lines = 0, filled = 0;
  for (size_t i = 0; i < n; i++)
    n_lines += a->pb->location[i]->n_line ? a->pb->location[i]->n_line : 1;
  a->first = pp_arena_array(&a->arena, n + 1, sizeof *a->first);
  a->of_location = pp_arena_array(&a->arena, n_lines, sizeof *a->of_location);
  if (!a->first || !a->of_location)
    return false;
  for (size_t i = 0; i < n; i++) {
    const Pp__Location *location = a->pb->location[i];
    a->first[i] = filled;
    if (!location->n_line && !aggregate_line(a, location, NULL, &a->of_location[filled++]))
      return false;
    for (size_t j = 0; j < location->n_line; j++)
      if (!aggregate_line(a, location, location->line[j], &a->of_location[filled++]))
        return false;
  }
  a->first[n] = filled;
  return true;
}

static bool aggregate_sample(aggregate *a, const Pp__Sample *sample, size_t column, size_t number) {
  int64_t value = sample->value[column];
  if (!value)
    return true; /* it makes no row */
  for (size_t i = 0; i < sample->n_location_id; i++) {
    size_t location = (size_t)sample->location_id[i] - 1;
    for (size_t j = a->first[location]; j < a->first[location + 1]; j++) {
      aggregate_node *node = &a->nodes[a->of_location[j]];
      if (i == 0 && j == a->first[location] && !pp_add(&node->flat, value))
        return false;
      if (node->last_sample != number && !pp_add(&node->cum, value))
        return false;
      node->last_sample = number;
    }
  }
  return true;
}

static pp_status aggregate_overflow(pp_error *error) {
  return pp_fail(error, PP_LIMIT, 0, "the profile's values add up to more than 64 bits hold");
}

/* The sum of |value|, where equal samples count as one: +5 and -5 of one stack are nothing. Only negative values make
 * that differ from a plain sum. */
static pp_status aggregate_total(const pp_profile *profile, size_t column, int64_t *total, pp_error *error) {
  const Pp__Profile *pb = profile->pb;
  bool negative = false;
  for (size_t i = 0; i < pb->n_sample && !negative; i++)
    negative = pb->sample[i]->value[column] < 0;
  pp_profile *merged = negative ? pp_profile_merge(&profile, 1, error) : NULL;
  if (negative && !merged)
    return error ? error->status : PP_LIMIT;
  if (merged)
    pb = merged->pb;
  pp_status status = PP_OK;
  *total = 0;
  for (size_t i = 0; i < pb->n_sample && !status; i++) {
    uint64_t magnitude = pp_magnitude(pb->sample[i]->value[column]);
    if (magnitude > INT64_MAX || !pp_add(total, (int64_t)magnitude))
      status = aggregate_overflow(error);
  }
  pp_profile_free(merged);
  return status;
}

static int aggregate_compare_strings(pp_str a, pp_str b) {
  size_t shorter = a.size < b.size ? a.size : b.size;
  int order = shorter ? memcmp(a.data, b.data, shorter) : 0;
  return order ? order : (a.size > b.size) - (a.size < b.size);
}

static int aggregate_compare_rows(const void *left, const void *right) {
  const pp_top_row *a = left, *b = right;
  uint64_t flat_a = pp_magnitude(a->flat), flat_b = pp_magnitude(b->flat);
  uint64_t cum_a = pp_magnitude(a->cum), cum_b = pp_magnitude(b->cum);
  if (flat_a != flat_b)
    return flat_a < flat_b ? 1 : -1;
  if (cum_a != cum_b)
    return cum_a < cum_b ? 1 : -1;
  int order = aggregate_compare_strings(a->name, b->name);
  if (!order)
    order = aggregate_compare_strings(a->filename, b->filename);
  if (!order)
    order = (a->line > b->line) - (a->line < b->line);
  return order ? order : (a->address > b->address) - (a->address < b->address);
}

static pp_str aggregate_string(const aggregate *a, int64_t index) {
  return (pp_str){(const char *)a->strings.data[index].data, a->strings.data[index].len};
}

static bool aggregate_rows(const aggregate *a, aggregate_top *result) {
  pp_top_row *rows = pp_arena_array(&result->arena, a->n_nodes, sizeof *rows);
  if (!rows)
    return false;
  size_t n = 0;
  for (size_t i = 0; i < a->n_nodes; i++) {
    const aggregate_node *node = &a->nodes[i];
    if (node->last_sample) /* not what no sample has */
      rows[n++] = (pp_top_row){aggregate_string(a, node->name),
                               aggregate_string(a, node->filename),
                               node->line,
                               node->address,
                               node->flat,
                               node->cum};
  }
  qsort(rows, n, sizeof *rows, aggregate_compare_rows);
  result->top.rows = rows;
  result->top.n_rows = n;
  return true;
}

static pp_status aggregate_fill(aggregate *a, size_t column, aggregate_top *result, pp_error *error) {
  if (!aggregate_locations(a))
    return pp_fail_memory(error);
  for (size_t i = 0; i < a->pb->n_sample; i++)
    if (!aggregate_sample(a, a->pb->sample[i], column, i + 1))
      return aggregate_overflow(error);
  return aggregate_rows(a, result) ? PP_OK : pp_fail_memory(error);
}

pp_top *pp_profile_top(const pp_profile *profile, size_t sample_type, pp_granularity granularity, pp_error *error) {
  if (sample_type >= pp_profile_n_sample_types(profile)) {
    pp_fail(error, PP_INVALID, 0, "there is no sample type %zu: the profile has %zu", sample_type,
            pp_profile_n_sample_types(profile));
    return NULL;
  }
  if ((unsigned)granularity > PP_ADDRESSES) {
    pp_fail(error, PP_INVALID, 0, "there is no granularity %u", (unsigned)granularity);
    return NULL;
  }
  aggregate_top *result = calloc(1, sizeof *result);
  if (!result) {
    pp_fail_memory(error);
    return NULL;
  }
  aggregate a = {.pb = profile->pb, .granularity = granularity, .kept = &result->arena};
  pp_status status = aggregate_total(profile, sample_type, &result->top.total, error);
  if (!status)
    status = aggregate_fill(&a, sample_type, result, error);
  pp_arena_free(&a.arena);
  pp_strings_free(&a.strings);
  pp_hash_free(&a.index);
  if (!status)
    return &result->top;
  pp_top_free(&result->top);
  return NULL;
}

void pp_top_free(pp_top *top) {
  if (!top)
    return;
  aggregate_top *result = (aggregate_top *)top; /* its first member */
  pp_arena_free(&result->arena);
  free(result);
}
