/* SPDX-License-Identifier: Apache-2.0
 *
 * test.h: the harness. A test is a program: functions full of CHECKs, and a main that calls them and ends with
 * `return test_end();`.
 */
#ifndef TEST_H
#define TEST_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int test_passed, test_failed;

#define CHECK(condition) (void)test_check((condition) != 0, __FILE__, __LINE__, #condition)

/* For what the rest of the function cannot do without. */
#define REQUIRE(condition)                                                                                             \
  do {                                                                                                                 \
    if (!test_check((condition) != 0, __FILE__, __LINE__, #condition))                                                 \
      return;                                                                                                          \
  } while (0)

static inline bool test_check(bool holds, const char *file, int line, const char *condition) {
  if (holds) {
    test_passed++;
  } else {
    test_failed++;
    fprintf(stderr, "%s:%d: failed: %s\n", file, line, condition);
  }
  return holds;
}

static inline int test_end(void) {
  printf("%d passed, %d failed\n", test_passed, test_failed);
  return test_failed != 0;
}

#endif
