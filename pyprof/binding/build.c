/* SPDX-License-Identifier: Apache-2.0
 *
 * build.c: build(), a pprof profile out of frames and stacks that Python has: one call for a whole profile.
 */
#include "binding.h"

static const pp_value_type SAMPLE_TYPES[] = {{{"samples", 7}, {"count", 5}}, {{"wall", 4}, {"nanoseconds", 11}}};

/* Enters frames[index]; what it lends to the builder is borrowed from the tuple for the call only. */
static int enter(pp_builder *builder, PyObject *frames, PyObject *index) {
  Py_ssize_t i = PyLong_AsSsize_t(index);
  if (i == -1 && PyErr_Occurred())
    return -1;
  PyObject *tuple = i < 0 ? NULL : PyList_GetItem(frames, i);
  if (!tuple) {
    PyErr_Format(PyExc_ValueError, "a stack has frame %zd, but there are %zd", i, PyList_Size(frames));
    return -1;
  }
  const char *name, *filename;
  Py_ssize_t name_size, filename_size;
  long long start_line, line;
  if (!PyTuple_Check(tuple))
    return core_wrong_type("a frame", "a tuple", tuple);
  if (!PyArg_ParseTuple(tuple, "y#y#LL;a frame is (name, filename, start_line, line)", &name, &name_size, &filename,
                        &filename_size, &start_line, &line))
    return -1;
  pp_builder_enter(builder, &(pp_frame){.name = {name, (size_t)name_size},
                                        .filename = {filename, (size_t)filename_size},
                                        .start_line = start_line,
                                        .line = line});
  return 0;
}

/* One stack: its frames are entered, its sample is taken, and they are left. */
static int add_stack(pp_builder *builder, PyObject *frames, PyObject *stack) {
  PyObject *indices;
  long long count, nanos;
  if (!PyTuple_Check(stack))
    return core_wrong_type("a stack", "a tuple", stack);
  if (!PyArg_ParseTuple(stack, "OLL;a stack is (frames, count, nanoseconds)", &indices, &count, &nanos))
    return -1;
  if (!PyList_Check(indices))
    return core_wrong_type("a stack's frames", "a list", indices);
  Py_ssize_t depth = PyList_Size(indices);
  for (Py_ssize_t i = 0; i < depth; i++)
    if (enter(builder, frames, PyList_GetItem(indices, i)) < 0)
      return -1;
  pp_builder_sample(builder, 0, 0, (int64_t[]){count, nanos});
  for (Py_ssize_t i = 0; i < depth; i++)
    pp_builder_leave(builder);
  return 0;
}

static PyObject *encode(const core_state *state, pp_builder *builder, PyObject *frames, PyObject *stacks) {
  Py_ssize_t n = PyList_Size(stacks);
  for (Py_ssize_t i = 0; i < n; i++)
    if (add_stack(builder, frames, PyList_GetItem(stacks, i)) < 0)
      return NULL;
  pp_error error;
  pp_bytes bytes = {NULL, 0};
  if (pp_builder_encode(builder, 6, &bytes, &error))
    return core_raise(state, &error);
  PyObject *result = PyBytes_FromStringAndSize((const char *)bytes.data, (Py_ssize_t)bytes.size);
  pp_bytes_free(&bytes);
  return result;
}

static PyObject *build(PyObject *module, PyObject *args) {
  core_state *state = PyModule_GetState(module);
  PyObject *frames, *stacks;
  long long period, duration;
  if (!PyArg_ParseTuple(args, "OOLL:build", &frames, &stacks, &period, &duration))
    return NULL;
  if (!PyList_Check(frames) || !PyList_Check(stacks)) {
    core_wrong_type(PyList_Check(frames) ? "stacks" : "frames", "a list", PyList_Check(frames) ? stacks : frames);
    return NULL;
  }
  pp_error error;
  pp_builder *builder = pp_builder_new(&(pp_builder_options){.sample_types = SAMPLE_TYPES,
                                                             .n_sample_types = 2,
                                                             .period_type = SAMPLE_TYPES[1],
                                                             .period = period,
                                                             .duration_nanos = duration},
                                       &error);
  if (!builder)
    return core_raise(state, &error);
  PyObject *result = encode(state, builder, frames, stacks);
  pp_builder_free(builder);
  return result;
}

PyMethodDef core_build_functions[] = {
    {"build", build, METH_VARARGS,
     "build($module, frames, stacks, period, duration, /)\n--\n\n"
     "A gzip'ed pprof profile. Frames are (name, filename, start_line, line), lines 0 where unknown; stacks are\n"
     "(indices of frames, the outermost first; count; nanoseconds). Period and duration are in nanoseconds."},
    {NULL, NULL, 0, NULL},
};
