/* SPDX-License-Identifier: Apache-2.0 */
#include "frame.h"

bool pp_frame_valid(const pp_frame *frame) {
  return frame->start_line >= 0 && frame->start_column >= 0 && frame->line >= 0 && frame->column >= 0;
}

uint64_t pp_frame_function(pp_table *table, const pp_frame *frame) {
  Pp__Function function = PP__FUNCTION__INIT;
  function.name = pp_table_string(table, frame->name);
  function.system_name = function.name;
  function.filename = pp_table_string(table, frame->filename);
  function.start_line = frame->start_line;
  return pp_table_function(table, &function, frame->start_column);
}

uint64_t pp_frame_location(pp_table *table, uint64_t function_id, int64_t line, int64_t column) {
  Pp__Line pb_line = PP__LINE__INIT;
  Pp__Line *lines[] = {&pb_line};
  Pp__Location location = PP__LOCATION__INIT;
  pb_line.function_id = function_id;
  pb_line.line = line;
  pb_line.column = column;
  location.n_line = 1;
  location.line = lines;
  return pp_table_location(table, &location);
}
