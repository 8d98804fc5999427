/* SPDX-License-Identifier: Apache-2.0
 *
 * errors.c: the one place where the core's statuses become Python's exceptions.
 */
#include "binding.h"

int core_errors_init(core_state *state) {
  PyObject *errors = PyImport_ImportModule("pyprof.errors");
  if (!errors)
    return -1;
  state->format_error = PyObject_GetAttrString(errors, "ProfileFormatError");
  state->limit_error = PyObject_GetAttrString(errors, "ProfileLimitError");
  Py_DECREF(errors);
  return state->format_error && state->limit_error ? 0 : -1;
}

int core_wrong_type(const char *name, const char *wanted, PyObject *got) {
  PyObject *type = PyType_GetName(Py_TYPE(got));
  if (type)
    PyErr_Format(PyExc_TypeError, "%s must be %s, not %U", name, wanted, type);
  Py_XDECREF(type);
  return -1;
}

static PyObject *raise_at(PyObject *type, const pp_error *error) {
  PyObject *exception = PyObject_CallFunction(type, "s", error->message);
  PyObject *offset = exception ? PyLong_FromSize_t(error->offset) : NULL;
  if (offset && PyObject_SetAttrString(exception, "offset", offset) == 0)
    PyErr_SetObject(type, exception);
  Py_XDECREF(offset);
  Py_XDECREF(exception);
  return NULL;
}

PyObject *core_raise(const core_state *state, const pp_error *error) {
  switch (error->status) {
  case PP_NOMEM:
    return PyErr_NoMemory();
  case PP_INVALID:
    PyErr_SetString(PyExc_ValueError, error->message);
    return NULL;
  case PP_TRUNCATED:
  case PP_CORRUPT:
    return raise_at(state->format_error, error);
  case PP_LIMIT:
    return raise_at(state->limit_error, error);
  case PP_OK:
  case PP_N_STATUS:
    break;
  }
  PyErr_Format(PyExc_SystemError, "the core failed without an error (status %d)", (int)error->status);
  return NULL;
}
