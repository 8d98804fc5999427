/* SPDX-License-Identifier: Apache-2.0
 *
 * statistic.h: what stats.c, stats_call.c and stats_results.c share: one statistic as a Python function.
 */
#ifndef PYPROF_STATISTIC_H
#define PYPROF_STATISTIC_H

#include "numbers.h"

enum { MAX_PARAMETERS = 7, MAX_FIELDS = 8, MAX_LISTS = 2 };

/* The first ones are classes, in the order of stats_results.c. */
enum result_kind {
  RESULT_BOOTSTRAP,
  RESULT_DESCRIPTION,
  RESULT_LINE,
  RESULT_MANN_WHITNEY,
  RESULT_PERMUTATION,
  RESULT_SD_LIMITS,
  RESULT_SEQUENCE,
  RESULT_SHIFT,
  RESULT_SLOPE,
  RESULT_T_TEST,
  RESULT_TOST,
  RESULT_FLOAT,
  RESULT_INT,
  RESULT_LIST
};

typedef struct core_arguments { /* each at the index of the parameter */
  core_series series[2];
  core_groups groups[2];
  double number[MAX_PARAMETERS]; /* also the index of what was chosen, of a flag 0 or 1, of an optional one NAN */
  uint64_t whole[MAX_PARAMETERS];
} core_arguments;

typedef struct core_results { /* the result's fields in order, lists among them counted apart */
  double value[MAX_FIELDS];
  core_series list[MAX_LISTS]; /* as long as the first series, for the statistic to fill */
} core_results;

typedef struct core_statistic {
  pp_status (*compute)(const core_arguments *in, core_results *out, pp_error *error);
  /* One letter for each parameter: s series, g groups, n number, w whole number, b flag; chosen by name: a alternative,
   * d design, m method, c contrast. A capital letter may be left out or None; a w without
   * default (NAN) must be given. */
  const char *kinds;
  const char *format; /* PyArg_ParseTupleAndKeywords' */
  const char *names[MAX_PARAMETERS + 1];
  double defaults[MAX_PARAMETERS];
  enum result_kind result;
} core_statistic;

/* stats_call.c: reads the arguments, computes without the interpreter lock, makes the result. */
PyObject *core_call(PyObject *module, PyObject *args, PyObject *keywords, const core_statistic *statistic);

/* stats_results.c */
int core_result_lists(enum result_kind kind);
PyObject *core_result_object(const core_state *state, enum result_kind kind, const core_results *results);

#endif
