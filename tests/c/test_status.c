/* SPDX-License-Identifier: Apache-2.0 */
#include "status.h"
#include "test.h"

static void names_and_texts(void) {
  CHECK(!strcmp(pp_status_name(PP_OK), "OK"));
  CHECK(!strcmp(pp_status_name(PP_LIMIT), "LIMIT"));
  CHECK(!strcmp(pp_status_text(PP_NOMEM), "out of memory"));
  CHECK(!strcmp(pp_status_name(PP_N_STATUS), "UNKNOWN"));
  CHECK(!strcmp(pp_status_name((pp_status)-1), "UNKNOWN"));
}

static void fills_the_error(void) {
  pp_error error = {0};
  CHECK(pp_fail(&error, PP_CORRUPT, 7, "field %d", 3) == PP_CORRUPT);
  CHECK(error.status == PP_CORRUPT && error.offset == 7 && !strcmp(error.message, "field 3"));
  CHECK(pp_fail(NULL, PP_LIMIT, 0, "nobody listens") == PP_LIMIT);
}

static void cuts_long_messages(void) {
  char text[1000];
  pp_error error = {0};
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = 0;
  pp_fail(&error, PP_INVALID, 0, "%s", text);
  CHECK(strlen(error.message) == sizeof error.message - 1);
}

int main(void) {
  names_and_texts();
  fills_the_error();
  cuts_long_messages();
  return test_end();
}
