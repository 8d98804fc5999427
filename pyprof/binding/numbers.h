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

typedef struct core_groups { /* owned: core_groups_free() */
  double *data;              /* one group after another */
  size_t *sizes;
  size_t n;
} core_groups;

/* All return -1 with an exception set on failure. */
int core_number(PyObject *object, const char *name, double *out);
/* A one-dimensional buffer of float64, else any sequence of numbers. On failure `out` is left empty. */
int core_series_from(PyObject *object, const char *name, core_series *out);
int core_series_new(size_t n, core_series *out); /* uninitialised */
void core_series_free(core_series *series);
/* A sequence of what core_series_from() takes. On failure `out` is left empty. */
int core_groups_from(PyObject *object, const char *name, core_groups *out);
void core_groups_free(core_groups *groups);
/* A whole number from 0 to 2^64 - 1. */
int core_unsigned(PyObject *object, const char *name, uint64_t *out);

#endif
