/* SPDX-License-Identifier: Apache-2.0
 *
 * numbers.h: Python's numbers become doubles. `name` is the parameter's, for the error.
 */
#ifndef PYPROF_NUMBERS_H
#define PYPROF_NUMBERS_H

#include "binding.h"

typedef struct core_series { /* owned: core_series_free() */
  double *data;
  size_t n;
} core_series;

/* Both return -1 with an exception set on failure. */
int core_number(PyObject *object, const char *name, double *out);
/* A one-dimensional buffer of float64, else any sequence of numbers. On failure `out` is left empty. */
int core_series_from(PyObject *object, const char *name, core_series *out);
void core_series_free(core_series *series);

#endif
