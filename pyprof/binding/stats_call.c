/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_call.c: Python's arguments in, the statistic without the interpreter lock, Python's result out.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "statistic.h"

typedef struct choice { /* names in the order of the core's enum */
  char kind;
  const char *names[4];
} choice;

static const choice choices[] = {
    {'a', {"two-sided", "less", "greater", NULL}},
    {'d', {"welch", "student", "paired", NULL}},
    {'m', {"auto", "exact", "asymptotic", NULL}},
    {'c', {"difference", "ratio", NULL}},
};

static const choice *choice_of(char kind) {
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
    if (choices[i].kind == kind)
      return &choices[i];
  return NULL;
}

static int read_choice(const choice *choice, PyObject *object, const char *name, double *out) {
  if (!PyUnicode_Check(object))
    return core_wrong_type(name, "a str", object);
  char all[64] = "";
  for (int i = 0; choice->names[i]; i++) {
    if (PyUnicode_CompareWithASCIIString(object, choice->names[i]) == 0) {
      *out = i;
      return 0;
    }
    strcat(strcat(all, i ? ", " : ""), choice->names[i]); /* the longest of them is half as long */
  }
  PyErr_Format(PyExc_ValueError, "%s is %R, but must be one of: %s", name, object, all);
  return -1;
}

static int read_flag(PyObject *object, double *out) {
  int flag = PyObject_IsTrue(object);
  *out = flag;
  return flag < 0 ? -1 : 0;
}

static int read_argument(const core_statistic *statistic, int i, PyObject *object, core_arguments *in) {
  char kind = (char)tolower(statistic->kinds[i]);
  const char *name = statistic->names[i];
  switch (kind) {
  case 's':
    return core_series_from(object, name, &in->series[i]);
  case 'g':
    return core_groups_from(object, name, &in->groups[i]);
  case 'n':
    return core_number(object, name, &in->number[i]);
  case 'w':
    return core_unsigned(object, name, &in->whole[i]);
  case 'b':
    return read_flag(object, &in->number[i]);
  default:
    return read_choice(choice_of(kind), object, name, &in->number[i]);
  }
}

static int use_default(const core_statistic *statistic, int i, core_arguments *in) {
  double value = statistic->defaults[i];
  in->number[i] = value;
  if (statistic->kinds[i] != 'w')
    return 0;
  if (isnan(value)) { /* PyArg_ParseTupleAndKeywords() knows no keyword that must be given */
    PyErr_Format(PyExc_TypeError, "%s() missing required keyword-only argument: '%s'",
                 strchr(statistic->format, ':') + 1, statistic->names[i]);
    return -1;
  }
  in->whole[i] = (uint64_t)value;
  return 0;
}

static int read_arguments(const core_statistic *statistic, PyObject *args, PyObject *keywords, core_arguments *in) {
  PyObject *objects[MAX_PARAMETERS] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, statistic->format, (char **)statistic->names, &objects[0],
                                   &objects[1], &objects[2], &objects[3], &objects[4], &objects[5], &objects[6]))
    return -1;
  for (int i = 0; statistic->names[i]; i++) {
    bool is_given = objects[i] && !(isupper(statistic->kinds[i]) && objects[i] == Py_None);
    if ((is_given ? read_argument(statistic, i, objects[i], in) : use_default(statistic, i, in)) < 0)
      return -1;
  }
  return 0;
}

static PyObject *compute(const core_state *state, const core_statistic *statistic, const core_arguments *in) {
  core_results results = {{0}, {{NULL, 0}}};
  int n_lists = core_result_lists(statistic->result);
  PyObject *object = NULL;
  for (int i = 0; i < n_lists; i++)
    if (core_series_new(in->series[0].n, &results.list[i]) < 0)
      goto end;
  pp_error error;
  pp_status status;
  Py_BEGIN_ALLOW_THREADS;
  status = statistic->compute(in, &results, &error);
  Py_END_ALLOW_THREADS;
  object = status ? core_raise(state, &error) : core_result_object(state, statistic->result, &results);
end:
  for (int i = 0; i < n_lists; i++)
    core_series_free(&results.list[i]);
  return object;
}

PyObject *core_call(PyObject *module, PyObject *args, PyObject *keywords, const core_statistic *statistic) {
  core_arguments in = {0};
  PyObject *result = NULL;
  if (read_arguments(statistic, args, keywords, &in) == 0)
    result = compute(PyModule_GetState(module), statistic, &in);
  for (int i = 0; i < 2; i++) {
    core_series_free(&in.series[i]);
    core_groups_free(&in.groups[i]);
  }
  return result;
}
