/* SPDX-License-Identifier: Apache-2.0
 *
 * binding.h: what the files of pyprof._core share. Only the limited API of CPython 3.11 is used, so that one wheel
 * serves every later version.
 */
#ifndef PYPROF_BINDING_H
#define PYPROF_BINDING_H

#include <Python.h>

#include "pp.h"

enum { N_RESULT_TYPES = 11 };

typedef struct core_state { /* all references are owned by the module */
  PyObject *format_error, *limit_error;
  PyTypeObject *profile_type;
  PyTypeObject *result_types[N_RESULT_TYPES];
} core_state;

/* errors.c: sets the Python exception that `error` means; always returns NULL. */
PyObject *core_raise(const core_state *state, const pp_error *error);
/* errors.c: TypeError "`name` must be `wanted`, not <got's type>"; always returns -1. */
int core_wrong_type(const char *name, const char *wanted, PyObject *got);
int core_errors_init(core_state *state);

/* profile.c */
extern PyMethodDef core_profile_functions[];
int core_profile_init(PyObject *module, core_state *state);

/* build.c */
extern PyMethodDef core_build_functions[];

/* stats.c, stats_results.c */
extern PyMethodDef core_stats_functions[];
int core_stats_init(PyObject *module, core_state *state);

#endif
