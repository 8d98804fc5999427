/* SPDX-License-Identifier: Apache-2.0
 *
 * relocate.h: other frames for the same samples.
 */
#ifndef PP_RELOCATE_H
#define PP_RELOCATE_H

#include "table.h"

/* Make location i that of `frames[i]`, of which there is one for each. What becomes equal becomes one, what nothing
 * uses any longer is dropped. The table has no errors. After a failure it is what it was. */
pp_status pp_relocate(pp_table *table, const pp_frame *frames, pp_error *error) PP_MUST_CHECK;

#endif
