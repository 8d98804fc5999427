/* SPDX-License-Identifier: Apache-2.0
 *
 * status.h: the one way in which the core's files report a failure.
 */
#ifndef PP_STATUS_H
#define PP_STATUS_H

#include "pp.h"

/* Fill *error (which may be NULL) and return `status`. `format` is printf's; a message that is too long is cut. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
pp_status
pp_fail(pp_error *error, pp_status status, size_t offset, const char *format, ...);

/* PP_NOMEM, with the status' own text. */
pp_status pp_fail_memory(pp_error *error);

#endif
