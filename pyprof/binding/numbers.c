/* SPDX-License-Identifier: Apache-2.0
 *
 * numbers.c: Python's numbers become doubles. Always copied: the statistics run without the interpreter lock, and what
 * another thread changes meanwhile must not reach them.
 */
#include "numbers.h"

#include <string.h>

int core_number(PyObject *object, const char *name, double *out) {
  *out = PyFloat_AsDouble(object);
  if (!PyErr_Occurred())
    return 0;
  if (!PyErr_ExceptionMatches(PyExc_TypeError))
    return -1;
  PyErr_Clear();
  return core_wrong_type(name, "a number", object);
}

static int allocate(core_series *out, Py_ssize_t n) {
  if ((size_t)n > PY_SSIZE_T_MAX / sizeof *out->data) {
    PyErr_NoMemory();
    return -1;
  }
  out->n = (size_t)n;
  out->data = PyMem_Malloc(out->n ? out->n * sizeof *out->data : 1);
  if (out->data)
    return 0;
  PyErr_NoMemory();
  return -1;
}

static int is_native_double(const Py_buffer *view) {
  const char *format = view->format ? view->format : "B";
#if PY_LITTLE_ENDIAN
  const char *own = "@=<";
#else
  const char *own = "@=>!";
#endif
  if (*format && strchr(own, *format))
    format++;
  return strcmp(format, "d") == 0;
}

/* 1: copied, 0: not a buffer of doubles, -1: error */
static int from_buffer(PyObject *object, const char *name, core_series *out) {
  Py_buffer view;
  if (!PyObject_CheckBuffer(object))
    return 0;
  if (PyObject_GetBuffer(object, &view, PyBUF_FULL_RO) < 0) {
    PyErr_Clear(); /* an exporter that refuses may still be a sequence of numbers */
    return 0;
  }
  int result = 0;
  if (view.ndim != 1) {
    PyErr_Format(PyExc_ValueError, "%s must have one dimension, not %d", name, view.ndim);
    result = -1;
  } else if (is_native_double(&view)) {
    result = allocate(out, view.shape[0]) < 0 || PyBuffer_ToContiguous(out->data, &view, view.len, 'C') < 0 ? -1 : 1;
  }
  PyBuffer_Release(&view);
  return result;
}

static int from_sequence(PyObject *object, const char *name, core_series *out) {
  PyObject *list = PySequence_List(object);
  if (!list)
    return -1;
  Py_ssize_t n = PyList_Size(list);
  int result = allocate(out, n);
  for (Py_ssize_t i = 0; result == 0 && i < n; i++) {
    char item_name[80];
    PyOS_snprintf(item_name, sizeof item_name, "%.40s[%zd]", name, i);
    result = core_number(PyList_GetItem(list, i), item_name, &out->data[i]);
  }
  Py_DECREF(list);
  return result;
}

int core_series_from(PyObject *object, const char *name, core_series *out) {
  if (!PySequence_Check(object) || PyUnicode_Check(object) || PyBytes_Check(object) || PyByteArray_Check(object))
    return core_wrong_type(name, "a sequence of numbers", object);
  int copied = from_buffer(object, name, out);
  if (copied == 0)
    copied = from_sequence(object, name, out);
  if (copied >= 0)
    return 0;
  core_series_free(out);
  return -1;
}

void core_series_free(core_series *series) {
  PyMem_Free(series->data);
  *series = (core_series){NULL, 0};
}
