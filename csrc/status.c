/* SPDX-License-Identifier: Apache-2.0 */
#include "status.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const status_names[] = {
#define PP_STATUS_NAME(name, text) #name,
    PP_STATUS_TABLE(PP_STATUS_NAME)
#undef PP_STATUS_NAME
};

static const char *const status_texts[] = {
#define PP_STATUS_TEXT(name, text) text,
    PP_STATUS_TABLE(PP_STATUS_TEXT)
#undef PP_STATUS_TEXT
};

static bool status_known(pp_status status) { return (unsigned)status < PP_N_STATUS; }

const char *pp_status_name(pp_status status) { return status_known(status) ? status_names[status] : "UNKNOWN"; }

const char *pp_status_text(pp_status status) { return status_known(status) ? status_texts[status] : "unknown status"; }

pp_status pp_fail(pp_error *error, pp_status status, size_t offset, const char *format, ...) {
  if (error) {
    va_list arguments;
    error->status = status;
    error->offset = offset;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
  }
  return status;
}

pp_status pp_fail_memory(pp_error *error) { return pp_fail(error, PP_NOMEM, 0, "%s", pp_status_text(PP_NOMEM)); }
