/* SPDX-License-Identifier: Apache-2.0 */
#include "relocate.h"

#include "frame.h"
#include "status.h"

static int64_t relocate_string(pp_table *to, const Pp__Profile *from, int64_t index) {
  return pp_table_string(to, pp_pb_string(from, index));
}

static pp_value_type relocate_type(const Pp__Profile *from, const Pp__ValueType *type) {
  return (pp_value_type){pp_pb_string(from, type->type), pp_pb_string(from, type->unit)};
}

static void relocate_head(pp_table *to, const Pp__Profile *from) {
  pp_value_type *types = pp_arena_array(&to->arena, from->n_sample_type, sizeof *types);
  if (!types) {
    pp_fail_memory(&to->error);
    return;
  }
  for (size_t i = 0; i < from->n_sample_type; i++)
    types[i] = relocate_type(from, from->sample_type[i]);
  pp_table_sample_types(to, types, from->n_sample_type);
  if (from->period_type)
    pp_table_period_type(to, relocate_type(from, from->period_type));
  to->pb.period = from->period;
  to->pb.time_nanos = from->time_nanos;
  to->pb.duration_nanos = from->duration_nanos;
  to->pb.default_sample_type = relocate_string(to, from, from->default_sample_type);
}

/* `room` has space for as many location ids and labels as any sample has. */
typedef struct relocate_room {
  uint64_t *location_ids;
  Pp__Label *labels, **label_pointers;
} relocate_room;

static relocate_room relocate_reserve(pp_arena *arena, const Pp__Profile *from) {
  size_t most_locations = 0, most_labels = 0;
  for (size_t i = 0; i < from->n_sample; i++) {
    const Pp__Sample *sample = from->sample[i];
    most_locations = sample->n_location_id > most_locations ? sample->n_location_id : most_locations;
    most_labels = sample->n_label > most_labels ? sample->n_label : most_labels;
  }
  return (relocate_room){pp_arena_array(arena, most_locations, sizeof(uint64_t)),
                         pp_arena_array(arena, most_labels, sizeof(Pp__Label)),
                         pp_arena_array(arena, most_labels, sizeof(Pp__Label *))};
}

static void relocate_sample(pp_table *to, const Pp__Profile *from, const Pp__Sample *sample, const uint64_t *locations,
                            const relocate_room *room) {
  Pp__Sample key = *sample;
  for (size_t i = 0; i < key.n_location_id; i++)
    room->location_ids[i] = locations[key.location_id[i] - 1];
  for (size_t i = 0; i < key.n_label; i++) {
    Pp__Label *label = room->label_pointers[i] = &room->labels[i];
    *label = *key.label[i];
    label->key = relocate_string(to, from, label->key);
    label->str = relocate_string(to, from, label->str);
    label->num_unit = relocate_string(to, from, label->num_unit);
  }
  key.location_id = room->location_ids;
  key.label = room->label_pointers;
  pp_table_sample(to, &key);
}

/* `scratch` is for what is needed meanwhile. */
static void relocate_all(pp_table *to, const Pp__Profile *from, const pp_frame *frames, pp_arena *scratch) {
  relocate_head(to, from);
  const relocate_room room = relocate_reserve(scratch, from);
  uint64_t *locations = pp_arena_array(scratch, from->n_location, sizeof *locations); /* the new ids */
  if (scratch->failed && !to->error.status)
    pp_fail_memory(&to->error);
  for (size_t i = 0; i < from->n_location && !to->error.status; i++)
    locations[i] = pp_frame_location(to, pp_frame_function(to, &frames[i]), frames[i].line, frames[i].column);
  for (size_t i = 0; i < from->n_sample && !to->error.status; i++)
    relocate_sample(to, from, from->sample[i], locations, &room);
}

pp_status pp_relocate(pp_table *table, const pp_frame *frames, pp_error *error) {
  for (size_t i = 0; i < table->pb.n_location; i++)
    if (!pp_frame_valid(&frames[i]))
      return pp_fail(error, PP_INVALID, 0, "a frame's lines and columns must not be negative");
  pp_table to;
  pp_arena scratch = {0};
  pp_table_init(&to);
  relocate_all(&to, pp_table_view(table), frames, &scratch);
  pp_arena_free(&scratch);
  if (to.error.status) {
    if (error)
      *error = to.error;
    pp_status status = to.error.status;
    pp_table_free(&to);
    return status;
  }
  pp_table_free(table);
  *table = to;
  return PP_OK;
}
