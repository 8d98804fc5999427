/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_results.c: the classes of what the statistics return: named tuples of numbers, flags and lists.
 */
#include "statistic.h"

#define TEST_FIELDS                                                                                                    \
  {"pvalue", "0 only where it underflows"}, { "log_pvalue", "natural logarithm of pvalue, also where that underflows" }

static PyStructSequence_Field bootstrap_fields[] = {
    {"estimate", "of the data as they are"},
    {"standard_error", "standard deviation over the resamples"},
    {"ci_low", "lower percentile"},
    {"ci_high", "upper percentile"},
    {NULL, NULL},
};
static PyStructSequence_Field description_fields[] = {
    {"n", "number of values"},
    {"mean", "arithmetic mean"},
    {"sd", "standard deviation (n - 1)"},
    {"se", "standard error: sd/sqrt(n)"},
    {"min", "smallest"},
    {"max", "largest"},
    {"median", "median"},
    {NULL, NULL},
};
static PyStructSequence_Field line_fields[] = {
    {"slope", "least squares"},
    {"intercept", "of the line at x = 0"},
    {"stderr", "standard error of the slope"},
    {"intercept_stderr", "standard error of the intercept"},
    {NULL, NULL},
};
static PyStructSequence_Field mann_whitney_fields[] = {
    {"statistic", "U of x: pairs in which x is larger, equal ones counting half"},
    TEST_FIELDS,
    {"exact", "whether pvalue counts every way to deal the values"},
    {NULL, NULL},
};
static PyStructSequence_Field permutation_fields[] = {
    {"statistic", "mean of x - y"},
    {"pvalue", "share of sign patterns at least as extreme"},
    {"n_resamples", "sign patterns looked at"},
    {"exact", "whether those are all"},
    {NULL, NULL},
};
static PyStructSequence_Field sd_limits_fields[] = {
    {"ci_low", "lower confidence limit of the standard deviation"},
    {"ci_high", "upper confidence limit of the standard deviation"},
    {NULL, NULL},
};
static PyStructSequence_Field sequence_fields[] = {
    {"n", "number of differences"},
    {"mean", "their mean"},
    {"ci_low", "lower limit now"},
    {"ci_high", "upper limit now"},
    {"ci_lows", "lower limits after each difference"},
    {"ci_highs", "upper limits after each difference"},
    {NULL, NULL},
};
static PyStructSequence_Field shift_fields[] = {
    {"estimate", "median of the pairs"},
    {"ci_low", "lower confidence limit"},
    {"ci_high", "upper confidence limit"},
    {"confidence", "that the interval has"},
    {NULL, NULL},
};
static PyStructSequence_Field slope_fields[] = {
    {"slope", "median of the pairwise slopes"},
    {"intercept", "median(y) - slope * median(x)"},
    {"ci_low", "lower confidence limit of the slope"},
    {"ci_high", "upper confidence limit of the slope"},
    {NULL, NULL},
};
static PyStructSequence_Field t_test_fields[] = {
    {"statistic", "Student's t"},
    TEST_FIELDS,
    {"df", "degrees of freedom"},
    {"difference", "mean(x) - mean(y)"},
    {"ci_low", "lower confidence limit of the difference"},
    {"ci_high", "upper confidence limit of the difference"},
    {NULL, NULL},
};
static PyStructSequence_Field tost_fields[] = {
    TEST_FIELDS,
    {"df", "degrees of freedom"},
    {"difference", "mean(x) - mean(y)"},
    {"ci_low", "lower limit of the difference, confidence 1 - 2 alpha"},
    {"ci_high", "upper limit of the difference, confidence 1 - 2 alpha"},
    {"pvalue_low", "that the difference is low or less"},
    {"pvalue_high", "that the difference is high or more"},
    {NULL, NULL},
};

typedef struct result_class {
  PyStructSequence_Desc description;
  const char *kinds; /* of each field: f float, i int, b bool, l list of floats */
} result_class;

#define CLASS(name, text, fields, kinds)                                                                               \
  { {"pyprof.stats." name, text, fields, sizeof(kinds) - 1}, kinds }
static result_class classes[N_RESULT_TYPES] = {
    [RESULT_BOOTSTRAP] = CLASS("BootstrapResult", "What resampling showed.", bootstrap_fields, "ffff"),
    [RESULT_DESCRIPTION] = CLASS("Description", "One series in numbers.", description_fields, "iffffff"),
    [RESULT_LINE] = CLASS("LinregressResult", "A line by least squares.", line_fields, "ffff"),
    [RESULT_MANN_WHITNEY] = CLASS("MannwhitneyuResult", "What a rank test found.", mann_whitney_fields, "fffb"),
    [RESULT_PERMUTATION] = CLASS("PermutationTestResult", "What flipping signs found.", permutation_fields, "ffib"),
    [RESULT_SD_LIMITS] = CLASS("SdLimits", "How well a standard deviation is known.", sd_limits_fields, "ff"),
    [RESULT_SEQUENCE] = CLASS("ConfidenceSequence", "Limits that hold at every look.", sequence_fields, "ifffll"),
    [RESULT_SHIFT] = CLASS("HodgesLehmannResult", "A robust shift.", shift_fields, "ffff"),
    [RESULT_SLOPE] = CLASS("SlopeResult", "A robust line.", slope_fields, "ffff"),
    [RESULT_T_TEST] = CLASS("TTestResult", "What a t test found.", t_test_fields, "fffffff"),
    [RESULT_TOST] = CLASS("TostResult", "What a test for equivalence found.", tost_fields, "ffffffff"),
};

int core_stats_init(PyObject *module, core_state *state) {
  for (size_t i = 0; i < N_RESULT_TYPES; i++) {
    state->result_types[i] = PyStructSequence_NewType(&classes[i].description);
    if (!state->result_types[i] || PyModule_AddType(module, state->result_types[i]) < 0)
      return -1;
  }
  return 0;
}

static PyObject *list_object(const core_series *series) {
  PyObject *list = PyList_New((Py_ssize_t)series->n);
  for (size_t i = 0; list && i < series->n; i++) {
    PyObject *value = PyFloat_FromDouble(series->data[i]);
    if (!value || PyList_SetItem(list, (Py_ssize_t)i, value) < 0)
      Py_CLEAR(list);
  }
  return list;
}

static PyObject *field_object(char kind, double value, const core_series *list) {
  switch (kind) {
  case 'i':
    return PyLong_FromDouble(value);
  case 'b':
    return PyBool_FromLong(value != 0);
  case 'l':
    return list_object(list);
  default:
    return PyFloat_FromDouble(value);
  }
}

int core_result_lists(enum result_kind kind) { return kind == RESULT_LIST ? 1 : kind == RESULT_SEQUENCE ? 2 : 0; }

PyObject *core_result_object(const core_state *state, enum result_kind kind, const core_results *results) {
  if (kind == RESULT_LIST)
    return list_object(&results->list[0]);
  if (kind == RESULT_FLOAT || kind == RESULT_INT)
    return field_object(kind == RESULT_INT ? 'i' : 'f', results->value[0], NULL);
  PyObject *object = PyStructSequence_New(state->result_types[kind]);
  int n_values = 0, n_lists = 0;
  const char *kinds = classes[kind].kinds;
  for (int i = 0; object && kinds[i]; i++) {
    bool is_list = kinds[i] == 'l';
    PyObject *field = field_object(kinds[i], is_list ? 0 : results->value[n_values], &results->list[n_lists]);
    n_values += !is_list;
    n_lists += is_list;
    if (!field)
      Py_CLEAR(object);
    else
      PyStructSequence_SetItem(object, i, field);
  }
  return object;
}
