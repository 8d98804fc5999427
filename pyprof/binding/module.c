/* SPDX-License-Identifier: Apache-2.0
 *
 * module.c: the module pyprof._core: its state and how it comes up (multi-phase, so one state for each interpreter).
 */
#include "binding.h"

static int module_exec(PyObject *module) {
  core_state *state = PyModule_GetState(module);
  if (core_errors_init(state) < 0 || core_profile_init(module, state) < 0 || core_stats_init(module, state) < 0)
    return -1;
  if (PyModule_AddFunctions(module, core_profile_functions) < 0 ||
      PyModule_AddFunctions(module, core_build_functions) < 0)
    return -1;
  return PyModule_AddFunctions(module, core_stats_functions);
}

static int module_traverse(PyObject *module, visitproc visit, void *arg) {
  core_state *state = PyModule_GetState(module);
  Py_VISIT(state->format_error);
  Py_VISIT(state->limit_error);
  Py_VISIT(state->profile_type);
  for (size_t i = 0; i < N_RESULT_TYPES; i++)
    Py_VISIT(state->result_types[i]);
  return 0;
}

static int module_clear(PyObject *module) {
  core_state *state = PyModule_GetState(module);
  Py_CLEAR(state->format_error);
  Py_CLEAR(state->limit_error);
  Py_CLEAR(state->profile_type);
  for (size_t i = 0; i < N_RESULT_TYPES; i++)
    Py_CLEAR(state->result_types[i]);
  return 0;
}

static void module_free(void *module) { module_clear(module); }

static PyModuleDef_Slot slots[] = {{Py_mod_exec, module_exec}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "pyprof._core",
    .m_doc = "pyprof's C core: use pyprof.profile and pyprof.stats.",
    .m_size = sizeof(core_state),
    .m_slots = slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    .m_free = module_free,
};

PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&definition); }
