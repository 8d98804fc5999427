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
  if (PyErr_ExceptionMatches(PyExc_OverflowError)) { /* a whole number that no double holds */
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "%s is too large: it must be finite as a double", name);
  } else if (PyErr_ExceptionMatches(PyExc_TypeError)) {
    PyErr_Clear();
    return core_wrong_type(name, "a number", object);
  }
  return -1;
}

int core_unsigned(PyObject *object, const char *name, uint64_t *out) {
  PyObject *index = PyNumber_Index(object);
  if (!index) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError))
      return -1;
    PyErr_Clear();
    return core_wrong_type(name, "a whole number", object);
  }
  *out = PyLong_AsUnsignedLongLong(index);
  Py_DECREF(index);
  if (!PyErr_Occurred())
    return 0;
  if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "%s is %S, but must lie between 0 and 2**64 - 1", name, object);
  }
  return -1;
}

int core_series_new(size_t n, core_series *out) {
  if (n > PY_SSIZE_T_MAX / sizeof *out->data) {
    PyErr_NoMemory();
    return -1;
  }
  out->n = n;
  out->data = PyMem_Malloc(n ? n * sizeof *out->data : 1);
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
    result =
        core_series_new((size_t)view.shape[0], out) < 0 || PyBuffer_ToContiguous(out->data, &view, view.len, 'C') < 0
            ? -1
            : 1;
  }
  PyBuffer_Release(&view);
  return result;
}

static int from_sequence(PyObject *object, const char *name, core_series *out) {
  PyObject *list = PySequence_List(object);
  if (!list)
    return -1;
  Py_ssize_t n = PyList_Size(list);
  int result = core_series_new((size_t)n, out);
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

/* The series of every item; those that are set must be freed, also on failure. */
static int read_items(PyObject *list, const char *name, core_series *items, size_t n) {
  for (size_t i = 0; i < n; i++) {
    char item_name[80];
    PyOS_snprintf(item_name, sizeof item_name, "%.40s[%zu]", name, i);
    if (core_series_from(PyList_GetItem(list, (Py_ssize_t)i), item_name, &items[i]) < 0)
      return -1;
  }
  return 0;
}

static int join_items(const core_series *items, size_t n, core_groups *out) {
  core_series joined = {NULL, 0};
  size_t total = 0;
  for (size_t i = 0; i < n; i++)
    total += items[i].n;
  out->sizes = PyMem_Malloc(n ? n * sizeof *out->sizes : 1);
  if (!out->sizes) {
    PyErr_NoMemory();
    return -1;
  }
  if (core_series_new(total, &joined) < 0)
    return -1;
  out->data = joined.data;
  out->n = n;
  for (size_t i = 0, at = 0; i < n; at += items[i++].n) {
    out->sizes[i] = items[i].n;
    memcpy(out->data + at, items[i].data, items[i].n * sizeof *out->data);
  }
  return 0;
}

int core_groups_from(PyObject *object, const char *name, core_groups *out) {
  if (!PySequence_Check(object) || PyUnicode_Check(object) || PyBytes_Check(object) || PyByteArray_Check(object))
    return core_wrong_type(name, "a sequence of sequences of numbers", object);
  PyObject *list = PySequence_List(object);
  if (!list)
    return -1;
  size_t n = (size_t)PyList_Size(list);
  core_series *items = PyMem_Calloc(n ? n : 1, sizeof *items);
  int result = items ? read_items(list, name, items, n) : (PyErr_NoMemory(), -1);
  if (result == 0)
    result = join_items(items, n, out);
  for (size_t i = 0; items && i < n; i++)
    core_series_free(&items[i]);
  PyMem_Free(items);
  Py_DECREF(list);
  if (result < 0)
    core_groups_free(out);
  return result;
}

void core_groups_free(core_groups *groups) {
  PyMem_Free(groups->data);
  PyMem_Free(groups->sizes);
  *groups = (core_groups){NULL, NULL, 0};
}
