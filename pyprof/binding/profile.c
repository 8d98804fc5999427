/* SPDX-License-Identifier: Apache-2.0
 *
 * profile.c: the type pyprof._core.Profile, base class of pyprof.Profile. A profile never changes after it was made, so
 * every long call runs without the interpreter lock.
 */
#include "binding.h"

typedef struct ProfileObject {
  PyObject_HEAD pp_profile *profile; /* owned; never NULL once the object is reachable */
} ProfileObject;

static const pp_profile *profile_of(PyObject *self) { return ((ProfileObject *)self)->profile; }

static void profile_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  pp_profile_free(((ProfileObject *)self)->profile);
  release(self);
  Py_DECREF(type);
}

/* ---- made by parse() and merge() ------------------------------------------------------------------------------- */

static int check_class(const core_state *state, PyObject *class) {
  if (PyType_Check(class) && PyType_IsSubtype((PyTypeObject *)class, state->profile_type))
    return 0;
  return core_wrong_type("cls", "a subclass of Profile", class);
}

/* Takes `profile` over, also on failure. */
static PyObject *wrap(PyObject *class, pp_profile *profile) {
  allocfunc allocate = (allocfunc)PyType_GetSlot((PyTypeObject *)class, Py_tp_alloc);
  ProfileObject *self = (ProfileObject *)allocate((PyTypeObject *)class, 0);
  if (!self) {
    pp_profile_free(profile);
    return NULL;
  }
  self->profile = profile;
  return (PyObject *)self;
}

static PyObject *parse(PyObject *module, PyObject *args) {
  core_state *state = PyModule_GetState(module);
  PyObject *class, *data; /* bytes only: a buffer that another thread can write must not be parsed without the lock */
  Py_ssize_t max_size;
  if (!PyArg_ParseTuple(args, "OSn:parse", &class, &data, &max_size) || check_class(state, class) < 0)
    return NULL;
  if (max_size < 0) {
    PyErr_Format(PyExc_ValueError, "max_size is %zd, but must not be negative", max_size);
    return NULL;
  }
  char *bytes;
  Py_ssize_t size;
  if (PyBytes_AsStringAndSize(data, &bytes, &size) < 0)
    return NULL;
  pp_error error;
  pp_profile *profile;
  Py_BEGIN_ALLOW_THREADS;
  profile = pp_profile_parse(bytes, (size_t)size, (size_t)max_size, &error);
  Py_END_ALLOW_THREADS;
  return profile ? wrap(class, profile) : core_raise(state, &error);
}

static PyObject *merge_list(const core_state *state, PyObject *class, PyObject *list) {
  size_t n = (size_t)PyList_Size(list);
  const pp_profile **profiles = PyMem_Calloc(n ? n : 1, sizeof *profiles);
  if (!profiles)
    return PyErr_NoMemory();
  for (size_t i = 0; i < n; i++) {
    PyObject *item = PyList_GetItem(list, (Py_ssize_t)i);
    if (!PyObject_TypeCheck(item, state->profile_type)) {
      char name[40];
      PyOS_snprintf(name, sizeof name, "profiles[%zu]", i);
      core_wrong_type(name, "a Profile", item);
      PyMem_Free(profiles);
      return NULL;
    }
    profiles[i] = profile_of(item);
  }
  pp_error error;
  pp_profile *merged;
  Py_BEGIN_ALLOW_THREADS;
  merged = pp_profile_merge(profiles, n, &error);
  Py_END_ALLOW_THREADS;
  PyMem_Free(profiles);
  return merged ? wrap(class, merged) : core_raise(state, &error);
}

static PyObject *merge(PyObject *module, PyObject *args) {
  core_state *state = PyModule_GetState(module);
  PyObject *class, *profiles;
  if (!PyArg_ParseTuple(args, "OO:merge", &class, &profiles) || check_class(state, class) < 0)
    return NULL;
  PyObject *list = PySequence_List(profiles); /* a list of our own keeps the profiles alive without the lock */
  if (!list)
    return NULL;
  PyObject *merged = merge_list(state, class, list);
  Py_DECREF(list);
  return merged;
}

PyMethodDef core_profile_functions[] = {
    {"parse", parse, METH_VARARGS,
     "parse($module, cls, data, max_size, /)\n--\n\nA profile of class `cls` from the bytes of a pprof file."},
    {"merge", merge, METH_VARARGS,
     "merge($module, cls, profiles, /)\n--\n\nOne profile of class `cls` out of one or more."},
    {NULL, NULL, 0, NULL},
};

/* ---- methods --------------------------------------------------------------------------------------------------- */

static PyObject *encode(PyObject *self, PyTypeObject *class, PyObject *const *args, Py_ssize_t n_args,
                        PyObject *keywords) {
  if (n_args != 1 || keywords) {
    PyErr_SetString(PyExc_TypeError, "encode() takes one positional argument");
    return NULL;
  }
  long level = PyLong_AsLong(args[0]);
  if (level == -1 && PyErr_Occurred())
    return NULL;
  if (level < 0 || level > 9) {
    PyErr_Format(PyExc_ValueError, "level is %ld, but must lie between 0 (fast) and 9 (small)", level);
    return NULL;
  }
  pp_error error;
  pp_bytes bytes = {NULL, 0};
  pp_status status;
  Py_BEGIN_ALLOW_THREADS;
  status = pp_profile_encode(profile_of(self), (int)level, &bytes, &error);
  Py_END_ALLOW_THREADS;
  if (status)
    return core_raise(PyType_GetModuleState(class), &error);
  PyObject *result = PyBytes_FromStringAndSize((const char *)bytes.data, (Py_ssize_t)bytes.size);
  pp_bytes_free(&bytes);
  return result;
}

static PyObject *text(pp_str string) { /* bytes that are not UTF-8 survive as lone surrogates */
  return PyUnicode_DecodeUTF8(string.data, (Py_ssize_t)string.size, "surrogateescape");
}

static PyObject *row_tuple(const pp_top_row *row) {
  return Py_BuildValue("(NNLKLL)", text(row->name), text(row->filename), (long long)row->line,
                       (unsigned long long)row->address, (long long)row->flat, (long long)row->cum);
}

static PyObject *top_tuple(const pp_top *top, Py_ssize_t limit) {
  size_t n = limit < 0 || (size_t)limit > top->n_rows ? top->n_rows : (size_t)limit;
  PyObject *rows = PyList_New((Py_ssize_t)n);
  for (size_t i = 0; rows && i < n; i++) {
    PyObject *row = row_tuple(&top->rows[i]);
    if (!row || PyList_SetItem(rows, (Py_ssize_t)i, row) < 0) /* takes `row` over, also on failure */
      Py_CLEAR(rows);
  }
  return rows ? Py_BuildValue("(LN)", (long long)top->total, rows) : NULL;
}

static PyObject *top(PyObject *self, PyTypeObject *class, PyObject *const *args, Py_ssize_t n_args,
                     PyObject *keywords) {
  if (n_args != 3 || keywords) {
    PyErr_SetString(PyExc_TypeError, "top() takes three positional arguments");
    return NULL;
  }
  size_t sample_type = PyLong_AsSize_t(args[0]);
  if (PyErr_Occurred())
    return NULL;
  long granularity = PyLong_AsLong(args[1]);
  Py_ssize_t limit = PyErr_Occurred() ? -1 : PyLong_AsSsize_t(args[2]);
  if (PyErr_Occurred())
    return NULL;
  if (granularity < PP_FUNCTIONS || granularity > PP_ADDRESSES) {
    PyErr_Format(PyExc_ValueError, "granularity is %ld, but must lie between 0 and %d", granularity, PP_ADDRESSES);
    return NULL;
  }
  pp_error error;
  pp_top *result;
  Py_BEGIN_ALLOW_THREADS;
  result = pp_profile_top(profile_of(self), sample_type, (pp_granularity)granularity, &error);
  Py_END_ALLOW_THREADS;
  if (!result)
    return core_raise(PyType_GetModuleState(class), &error);
  PyObject *tuple = top_tuple(result, limit);
  pp_top_free(result);
  return tuple;
}

#define METHOD_WITH_CLASS (METH_METHOD | METH_FASTCALL | METH_KEYWORDS)

static PyMethodDef methods[] = {
    {"_encode", (PyCFunction)(void (*)(void))encode, METHOD_WITH_CLASS,
     "_encode($self, level, /)\n--\n\nThe profile as gzip'ed pprof bytes."},
    {"_top", (PyCFunction)(void (*)(void))top, METHOD_WITH_CLASS,
     "_top($self, sample_type, granularity, limit, /)\n--\n\n"
     "(total, rows): row tuples of name, filename, line, address, flat, cum; all of them where limit is negative."},
    {NULL, NULL, 0, NULL},
};

/* ---- attributes ------------------------------------------------------------------------------------------------ */

static PyObject *value_type(pp_value_type type) { return Py_BuildValue("(NN)", text(type.type), text(type.unit)); }

static PyObject *value_type_at(const pp_profile *profile, size_t i) {
  return value_type(pp_profile_sample_type(profile, i));
}

static PyObject *comment_at(const pp_profile *profile, size_t i) { return text(pp_profile_comment(profile, i)); }

static PyObject *list_of(PyObject *self, size_t n, PyObject *(*item_at)(const pp_profile *, size_t)) {
  PyObject *list = PyList_New((Py_ssize_t)n);
  for (size_t i = 0; list && i < n; i++) {
    PyObject *item = item_at(profile_of(self), i);
    if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0)
      Py_CLEAR(list);
  }
  return list;
}

static Py_ssize_t length(PyObject *self) { return (Py_ssize_t)pp_profile_n_samples(profile_of(self)); }

static PyObject *get_sample_types(PyObject *self, void *Py_UNUSED(closure)) {
  return list_of(self, pp_profile_n_sample_types(profile_of(self)), value_type_at);
}

static PyObject *get_comments(PyObject *self, void *Py_UNUSED(closure)) {
  return list_of(self, pp_profile_n_comments(profile_of(self)), comment_at);
}

static PyObject *get_period_type(PyObject *self, void *Py_UNUSED(closure)) {
  return value_type(pp_profile_period_type(profile_of(self)));
}

static PyObject *get_int64(PyObject *self, void *getter) {
  int64_t (*const *get)(const pp_profile *) = getter;
  return PyLong_FromLongLong((*get)(profile_of(self)));
}

static PyObject *get_count(PyObject *self, void *getter) {
  size_t (*const *get)(const pp_profile *) = getter;
  return PyLong_FromSize_t((*get)(profile_of(self)));
}

/* A closure is a pointer to data, and ISO C does not turn a function into one: hence these constants. */
static int64_t (*const period)(const pp_profile *) = pp_profile_period;
static int64_t (*const time_nanos)(const pp_profile *) = pp_profile_time_nanos;
static int64_t (*const duration_nanos)(const pp_profile *) = pp_profile_duration_nanos;
static size_t (*const default_sample_type)(const pp_profile *) = pp_profile_default_sample_type;
static size_t (*const n_locations)(const pp_profile *) = pp_profile_n_locations;
static size_t (*const n_functions)(const pp_profile *) = pp_profile_n_functions;

static PyGetSetDef attributes[] = {
    {"sample_types", get_sample_types, NULL, "List of (type, unit), one for each column of values.", NULL},
    {"default_sample_type", get_count, NULL, "Index of the one that is meant when none is named.",
     (void *)&default_sample_type},
    {"period_type", get_period_type, NULL, "(type, unit) of what a period counts.", NULL},
    {"period", get_int64, NULL, "Distance of two samples, in period_type's unit.", (void *)&period},
    {"time_nanos", get_int64, NULL, "Start, nanoseconds since 1970-01-01 UTC.", (void *)&time_nanos},
    {"duration_nanos", get_int64, NULL, "Duration in nanoseconds.", (void *)&duration_nanos},
    {"comments", get_comments, NULL, "List of the comments.", NULL},
    {"n_locations", get_count, NULL, "Number of locations.", (void *)&n_locations},
    {"n_functions", get_count, NULL, "Number of functions.", (void *)&n_functions},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A parsed pprof profile: made by parse() and merge() only."},
    {Py_tp_dealloc, profile_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {Py_sq_length, length},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "pyprof._core.Profile",
    .basicsize = sizeof(ProfileObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

int core_profile_init(PyObject *module, core_state *state) {
  state->profile_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
  return state->profile_type ? PyModule_AddType(module, state->profile_type) : -1;
}
