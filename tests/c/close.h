/* SPDX-License-Identifier: Apache-2.0
 *
 * close.h: comparison of doubles, for the tests of the statistics.
 */
#ifndef CLOSE_H
#define CLOSE_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

/* `digits` significant digits agree */
static inline bool agrees(double got, double wanted, double digits) {
  bool close = fabs(got - wanted) <= 0.5 * pow(10, 1 - digits) * fabs(wanted);
  if (!close)
    fprintf(stderr, "got %.17g, wanted %.17g\n", got, wanted);
  return close;
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

#endif
