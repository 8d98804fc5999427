/* SPDX-License-Identifier: Apache-2.0 */
#include "frame.h"
#include "relocate.h"
#include "status.h"

#include <stdlib.h>

/* Deeper than any stack that V8 walks; it bounds what one sample can cost (every sample repeats its whole stack). */
enum { BUILDER_MAX_DEPTH = 65536 };

typedef struct builder_frame {
  uint64_t function_id;
  int64_t line, column;
  uint64_t location_id; /* of line:column; 0 until a callee's sample needs it, so that no unused one is written */
} builder_frame;

struct pp_builder {
  pp_table table;
  builder_frame *stack; /* the outermost first; it and `locations` have room for `capacity` */
  uint64_t *locations;  /* a sample's location ids, the leaf first: the order of the format */
  size_t depth, capacity;
};

static void builder_fail(pp_builder *builder, pp_status status, const char *message) {
  if (!builder->table.error.status)
    pp_fail(&builder->table.error, status, 0, "%s", message);
}

pp_builder *pp_builder_new(const pp_builder_options *options, pp_error *error) {
  if (!options->n_sample_types || !options->sample_types) {
    pp_fail(error, PP_INVALID, 0, "a profile needs at least one sample type");
    return NULL;
  }
  pp_builder *builder = malloc(sizeof *builder);
  if (!builder) {
    pp_fail_memory(error);
    return NULL;
  }
  builder->stack = NULL;
  builder->locations = NULL;
  builder->depth = builder->capacity = 0;
  pp_table *table = &builder->table;
  pp_table_init(table);
  pp_table_sample_types(table, options->sample_types, options->n_sample_types);
  pp_table_period_type(table, options->period_type);
  table->pb.period = options->period;
  table->pb.time_nanos = options->time_nanos;
  table->pb.duration_nanos = options->duration_nanos;
  table->pb.default_sample_type = pp_table_string(table, options->sample_types[options->n_sample_types - 1].type);
  if (table->error.status) {
    if (error)
      *error = table->error;
    pp_builder_free(builder);
    return NULL;
  }
  return builder;
}

void pp_builder_free(pp_builder *builder) {
  if (!builder)
    return;
  pp_table_free(&builder->table);
  free(builder->stack);
  free(builder->locations);
  free(builder);
}

/* Room for one more frame. */
static bool builder_reserve(pp_builder *builder) {
  if (builder->depth < builder->capacity)
    return true;
  size_t capacity = builder->capacity ? builder->capacity * 2 : 64;
  builder_frame *stack = realloc(builder->stack, capacity * sizeof *stack);
  if (stack)
    builder->stack = stack;
  uint64_t *locations = realloc(builder->locations, capacity * sizeof *locations);
  if (locations)
    builder->locations = locations;
  if (!stack || !locations)
    return false;
  builder->capacity = capacity;
  return true;
}

void pp_builder_enter(pp_builder *builder, const pp_frame *frame) {
  pp_table *table = &builder->table;
  if (table->error.status)
    return;
  if (!pp_frame_valid(frame)) {
    builder_fail(builder, PP_INVALID, "a frame's lines and columns must not be negative");
    return;
  }
  if (builder->depth == BUILDER_MAX_DEPTH) {
    builder_fail(builder, PP_LIMIT, "a stack is deeper than 65536 frames");
    return;
  }
  if (!builder_reserve(builder)) {
    pp_fail_memory(&table->error);
    return;
  }
  uint64_t id = pp_frame_function(table, frame);
  builder->stack[builder->depth++] = (builder_frame){id, frame->line, frame->column, 0};
}

static uint64_t builder_frame_location(pp_builder *builder, builder_frame *frame) {
  if (!frame->location_id)
    frame->location_id = pp_frame_location(&builder->table, frame->function_id, frame->line, frame->column);
  return frame->location_id;
}

void pp_builder_sample(pp_builder *builder, int64_t line, int64_t column, const int64_t *values) {
  pp_builder_labelled_sample(builder, line, column, values, NULL, 0);
}

void pp_builder_labelled_sample(pp_builder *builder, int64_t line, int64_t column, const int64_t *values,
                                const pp_label *labels, size_t n_labels) {
  if (builder->table.error.status)
    return;
  if (line < 0 || column < 0) {
    builder_fail(builder, PP_INVALID, "a sample's line and column must not be negative");
    return;
  }
  if (n_labels > PP_MAX_LABELS) {
    builder_fail(builder, PP_INVALID, "a sample has more than 8 labels");
    return;
  }
  Pp__Label pb_labels[PP_MAX_LABELS], *pointers[PP_MAX_LABELS];
  for (size_t i = 0; i < n_labels; i++) {
    pb_labels[i] = (Pp__Label)PP__LABEL__INIT;
    pb_labels[i].key = pp_table_string(&builder->table, labels[i].key);
    pb_labels[i].str = pp_table_string(&builder->table, labels[i].text);
    pb_labels[i].num = labels[i].number;
    pb_labels[i].num_unit = pp_table_string(&builder->table, labels[i].unit);
    pointers[i] = &pb_labels[i];
  }
  Pp__Sample sample = PP__SAMPLE__INIT;
  sample.n_label = n_labels;
  sample.label = pointers;
  sample.n_location_id = builder->depth;
  sample.location_id = builder->locations;
  sample.n_value = builder->table.pb.n_sample_type;
  sample.value = (int64_t *)values; /* the table copies it */
  for (size_t i = 0; i < builder->depth; i++) {
    builder_frame *frame = &builder->stack[builder->depth - 1 - i];
    builder->locations[i] = i == 0 && line ? pp_frame_location(&builder->table, frame->function_id, line, column)
                                           : builder_frame_location(builder, frame);
  }
  pp_table_sample(&builder->table, &sample);
}

void pp_builder_leave(pp_builder *builder) {
  if (builder->table.error.status)
    return;
  if (!builder->depth)
    builder_fail(builder, PP_INVALID, "a frame was left that had not been entered");
  else
    builder->depth--;
}

static pp_status builder_check_complete(const pp_builder *builder, pp_error *error) {
  const pp_error *sticky = &builder->table.error;
  if (sticky->status) {
    if (error)
      *error = *sticky;
    return sticky->status;
  }
  if (builder->depth)
    return pp_fail(error, PP_INVALID, 0, "%zu frames have not been left", builder->depth);
  return PP_OK;
}

pp_status pp_builder_encode(pp_builder *builder, int level, pp_bytes *out, pp_error *error) {
  pp_status status = builder_check_complete(builder, error);
  return status ? status : pp_pb_encode(pp_table_view(&builder->table), level, out, error);
}

size_t pp_builder_n_functions(const pp_builder *builder) { return builder->table.pb.n_function; }

size_t pp_builder_n_locations(const pp_builder *builder) { return builder->table.pb.n_location; }

pp_frame pp_builder_location(pp_builder *builder, size_t index, size_t *function) {
  const Pp__Profile *pb = pp_table_view(&builder->table);
  const Pp__Line *line = pb->location[index]->line[0];
  *function = line->function_id - 1;
  const Pp__Function *of = pb->function[*function];
  return (pp_frame){pp_pb_string(pb, of->name),
                    pp_pb_string(pb, of->filename),
                    of->start_line,
                    pp_table_start_column(of),
                    line->line,
                    line->column};
}

pp_status pp_builder_relocate(pp_builder *builder, const pp_frame *frames, pp_error *error) {
  pp_status status = builder_check_complete(builder, error);
  return status ? status : pp_relocate(&builder->table, frames, error);
}
