/* SPDX-License-Identifier: Apache-2.0
 *
 * table.h: a profile in the making, in which equal strings, functions, mappings, locations and samples become one.
 * The builder and the merge both fill one.
 *
 * Errors are sticky: after the first failure, which `error` keeps, the functions do nothing and return 0.
 */
#ifndef PP_TABLE_H
#define PP_TABLE_H

#include "profile.h"
#include "string_table.h"

typedef struct pp_table {
  pp_arena arena;
  Pp__Profile pb; /* complete at any time but for string_table: see pp_table_view */
  pp_strings strings;
  size_t function_capacity, mapping_capacity, location_capacity, sample_capacity;
  pp_hash functions, mappings, locations, samples;
  pp_error error;
} pp_table;

void pp_table_init(pp_table *table);
void pp_table_free(pp_table *table);

/* A string's index. */
int64_t pp_table_string(pp_table *table, pp_str string);

/* The columns of the samples; before the first sample. */
void pp_table_sample_types(pp_table *table, const pp_value_type *types, size_t n);
void pp_table_period_type(pp_table *table, pp_value_type type);

/* These return the id of what was found or added: 1 or more. The key is copied; its `id` is not looked at. */

/* `start_column` tells apart what is equal otherwise. */
uint64_t pp_table_function(pp_table *table, const Pp__Function *key, int64_t start_column);
/* That of one of the table's own functions. */
int64_t pp_table_start_column(const Pp__Function *function);
/* Equal mappings are of one size (in pages), file offset and build id, or file where there is no build id: the same
 * object loaded at another address is the same mapping. */
uint64_t pp_table_mapping(pp_table *table, const Pp__Mapping *key);
uint64_t pp_table_location(pp_table *table, const Pp__Location *key);

/* Add the key's values to those of the sample with its locations and labels. The labels must be sorted. */
void pp_table_sample(pp_table *table, const Pp__Sample *key);

/* The profile so far, lent until the table changes. */
const Pp__Profile *pp_table_view(pp_table *table);
/* Make the profile the caller's own and free the table. NULL, with the table's error, after a failure. */
pp_profile *pp_table_finish(pp_table *table, pp_error *error);

#endif
