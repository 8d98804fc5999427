/* SPDX-License-Identifier: Apache-2.0
 *
 * test.h: the harness. A test is a program: functions full of CHECKs, and a main that calls them and ends with
 * `return test_end();`.
 */
#ifndef TEST_H
#define TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int test_passed, test_failed;

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (condition) {                                                                                                   \
      test_passed++;                                                                                                   \
    } else {                                                                                                           \
      test_failed++;                                                                                                   \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                                          \
    }                                                                                                                  \
  } while (0)

/* For what the rest of the function cannot do without. */
#define REQUIRE(condition)                                                                                             \
  do {                                                                                                                 \
    CHECK(condition);                                                                                                  \
    if (!(condition))                                                                                                  \
      return;                                                                                                          \
  } while (0)

static int test_end(void) {
  printf("%d passed, %d failed\n", test_passed, test_failed);
  return test_failed != 0;
}

#endif
