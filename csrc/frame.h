/* SPDX-License-Identifier: Apache-2.0
 *
 * frame.h: what a pp_frame is in a table: a function, and a location in it.
 */
#ifndef PP_FRAME_H
#define PP_FRAME_H

#include "table.h"

/* No line or column may be negative. */
bool pp_frame_valid(const pp_frame *frame);

/* The function's id; 0 after a failure, which the table keeps. The frame's line and column are not looked at. */
uint64_t pp_frame_function(pp_table *table, const pp_frame *frame);
/* The id of the location line:column in a function. */
uint64_t pp_frame_location(pp_table *table, uint64_t function_id, int64_t line, int64_t column);

#endif
