/* SPDX-License-Identifier: Apache-2.0
 *
 * stats.c: the statistics of csrc/stats_*.c as functions. A new one is one row of STATISTICS and the few lines that
 * hand its arguments on.
 */
#include <math.h>
#include <string.h>

#include "numbers.h"

enum { MAX_SERIES = 2, MAX_PARAMETERS = 5, MAX_RESULTS = 7 };

typedef struct arguments {
  core_series series[MAX_SERIES]; /* the first parameters */
  double number[MAX_PARAMETERS];  /* the others, at the index of the parameter */
} arguments;

/* ---- one adaptor each: `out` takes the result's fields in order ------------------------------------------------- */

#define SERIES(i) in->series[i].data, in->series[i].n

static pp_status describe(const arguments *in, double *out, pp_error *error) {
  pp_description d;
  pp_status status = pp_stats_describe(SERIES(0), &d, error);
  if (status)
    return status;
  const double fields[] = {(double)d.n, d.mean, d.sd, d.se, d.min, d.max, d.median};
  memcpy(out, fields, sizeof fields);
  return PP_OK;
}

static void put_test(const pp_test *test, double *out) {
  const double fields[] = {test->statistic,  test->pvalue, test->log_pvalue, test->df,
                           test->difference, test->ci_low, test->ci_high};
  memcpy(out, fields, sizeof fields);
}

static pp_status student(const arguments *in, double *out, pp_error *error) {
  pp_test test;
  pp_status status = pp_stats_student(SERIES(0), SERIES(1), in->number[2], &test, error);
  if (!status)
    put_test(&test, out);
  return status;
}

static pp_status welch(const arguments *in, double *out, pp_error *error) {
  pp_test test;
  pp_status status = pp_stats_welch(SERIES(0), SERIES(1), in->number[2], &test, error);
  if (!status)
    put_test(&test, out);
  return status;
}

static pp_status invalid(pp_error *error, const char *format, ...) {
  va_list values;
  va_start(values, format);
  error->status = PP_INVALID;
  PyOS_vsnprintf(error->message, sizeof error->message, format, values);
  va_end(values);
  return PP_INVALID;
}

static pp_status check_equal_length(const arguments *in, pp_error *error) {
  if (in->series[0].n == in->series[1].n)
    return PP_OK;
  return invalid(error, "x and y must have the same length, but have %zu and %zu values", in->series[0].n,
                 in->series[1].n);
}

static pp_status paired(const arguments *in, double *out, pp_error *error) {
  pp_test test;
  pp_status status = check_equal_length(in, error);
  if (!status)
    status = pp_stats_paired(in->series[0].data, SERIES(1), in->number[2], &test, error);
  if (!status)
    put_test(&test, out);
  return status;
}

static pp_status theil_sen(const arguments *in, double *out, pp_error *error) {
  pp_slope slope;
  pp_status status = check_equal_length(in, error);
  if (!status)
    status = pp_stats_theil_sen(in->series[0].data, SERIES(1), in->number[2], &slope, error);
  if (status)
    return status;
  const double fields[] = {slope.slope, slope.intercept, slope.ci_low, slope.ci_high};
  memcpy(out, fields, sizeof fields);
  return PP_OK;
}

static pp_status effective_sample_size(const arguments *in, double *out, pp_error *error) {
  return pp_stats_effective_sample_size(SERIES(0), out, error);
}

static pp_status required_blocks(const arguments *in, double *out, pp_error *error) {
  size_t blocks = 0;
  pp_status status = pp_stats_required_blocks(in->number[0], in->number[1], in->number[2], in->number[3], in->number[4],
                                              &blocks, error);
  *out = (double)blocks;
  return status;
}

static pp_status settleable_margin(const arguments *in, double *out, pp_error *error) {
  double n = in->number[1];
  if (!(n >= 2 && n <= 1e9 && n == floor(n)))
    return invalid(error, "n is %g, but must be a whole number of blocks, 2 or more", n);
  return pp_stats_settleable_margin(in->number[0], (size_t)n, in->number[2], in->number[3], out, error);
}

static pp_status log_two_sided_t(const arguments *in, double *out, pp_error *error) {
  *out = pp_stats_t_log_two_sided(in->number[0], in->number[1]);
  return isnan(*out)
             ? invalid(error, "t is %g and df %g, but t must be a number, and df above 0", in->number[0], in->number[1])
             : PP_OK;
}

static pp_status t_quantile(const arguments *in, double *out, pp_error *error) {
  *out = pp_stats_t_quantile(in->number[0], in->number[1]);
  return isnan(*out) ? invalid(error, "p is %g and df %g, but p must lie between 0 and 1, and df above 0",
                               in->number[0], in->number[1])
                     : PP_OK;
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

#define NAMES(...)                                                                                                     \
  { __VA_ARGS__, NULL }
#define DEFAULTS(...)                                                                                                  \
  { __VA_ARGS__ }
#define REQUIRED NAN

/* adaptor and name, number of series, parse format, parameters, their defaults, result, signature, text */
#define STATISTICS(X)                                                                                                  \
  X(describe, 1, "O", NAMES("x"), DEFAULTS(REQUIRED), RESULT_DESCRIPTION, "x",                                         \
    "Number, mean, standard deviation and error (n - 1; NaN for one value), extremes and median of x.")                \
  X(student, 2, "OO|$O", NAMES("x", "y", "confidence"), DEFAULTS(REQUIRED, REQUIRED, 0.95), RESULT_T_TEST,             \
    "x, y, *, confidence=0.95", "Student's test of two independent samples with one variance: mean(x) - mean(y).")     \
  X(welch, 2, "OO|$O", NAMES("x", "y", "confidence"), DEFAULTS(REQUIRED, REQUIRED, 0.95), RESULT_T_TEST,               \
    "x, y, *, confidence=0.95", "Welch's test of two independent samples: mean(x) - mean(y).")                         \
  X(paired, 2, "OO|$O", NAMES("x", "y", "confidence"), DEFAULTS(REQUIRED, REQUIRED, 0.95), RESULT_T_TEST,              \
    "x, y, *, confidence=0.95", "Student's test of pairs: the mean of x - y.")                                         \
  X(theil_sen, 2, "OO|$O", NAMES("x", "y", "confidence"), DEFAULTS(REQUIRED, REQUIRED, 0.95), RESULT_SLOPE,            \
    "x, y, *, confidence=0.95",                                                                                        \
    "Median of the pairwise slopes of y over x, with Sen's interval; infinite limits for few points.")                 \
  X(effective_sample_size, 1, "O", NAMES("x"), DEFAULTS(REQUIRED), RESULT_FLOAT, "x",                                  \
    "How many independent values the correlated series x is worth: from 1 to len(x).")                                 \
  X(required_blocks, 0, "OO|$OOO", NAMES("sd", "margin", "cost", "alpha", "power"),                                    \
    DEFAULTS(REQUIRED, REQUIRED, 0.0, 0.05, 0.9), RESULT_INT, "sd, margin, *, cost=0.0, alpha=0.05, power=0.9",        \
    "Blocks for the verdict \"costs at most margin\", where block differences have standard deviation sd.")            \
  X(settleable_margin, 0, "OO|$OO", NAMES("sd", "n", "alpha", "power"), DEFAULTS(REQUIRED, REQUIRED, 0.05, 0.9),       \
    RESULT_FLOAT, "sd, n, *, alpha=0.05, power=0.9", "The smallest margin that n blocks settle when the cost is 0.")   \
  X(log_two_sided_t, 0, "OO", NAMES("t", "df"), DEFAULTS(REQUIRED, REQUIRED), RESULT_FLOAT, "t, df",                   \
    "Natural logarithm of P(|T| >= |t|) for Student's t; df may be infinite (normal).")                                \
  X(t_quantile, 0, "OO", NAMES("p", "df"), DEFAULTS(REQUIRED, REQUIRED), RESULT_FLOAT, "p, df",                        \
    "The t with P(T <= t) = p for Student's t; df may be infinite (normal).")

typedef struct statistic {
  pp_status (*compute)(const arguments *in, double *out, pp_error *error);
  int n_series;
  const char *format;
  const char *names[MAX_PARAMETERS + 1];
  double defaults[MAX_PARAMETERS];
  enum result_kind result;
} statistic;

static PyObject *call(PyObject *module, PyObject *args, PyObject *keywords, const statistic *statistic);

#define DEFINE(name, n_series, format, names, defaults, result, signature, text)                                       \
  static PyObject *bound_##name(PyObject *module, PyObject *args, PyObject *keywords) {                                \
    static const statistic row = {name, n_series, format ":" #name, names, defaults, result};                          \
    return call(module, args, keywords, &row);                                                                         \
  }
STATISTICS(DEFINE)

#define DECLARE(name, n_series, format, names, defaults, result, signature, text)                                      \
  {#name, (PyCFunction)(void (*)(void))bound_##name, METH_VARARGS | METH_KEYWORDS,                                     \
   #name "($module, " signature ")\n--\n\n" text},
PyMethodDef core_stats_functions[] = {STATISTICS(DECLARE){NULL, NULL, 0, NULL}};

/* ---- calling ---------------------------------------------------------------------------------------------------- */

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
static PyStructSequence_Field t_test_fields[] = {
    {"statistic", "Student's t"},
    {"pvalue", "two-sided; 0 only where it underflows"},
    {"log_pvalue", "natural logarithm of pvalue, also where that underflows"},
    {"df", "degrees of freedom"},
    {"difference", "mean(x) - mean(y)"},
    {"ci_low", "lower confidence limit of the difference"},
    {"ci_high", "upper confidence limit of the difference"},
    {NULL, NULL},
};
static PyStructSequence_Field slope_fields[] = {
    {"slope", "median of the pairwise slopes"},
    {"intercept", "median(y) - slope * median(x)"},
    {"ci_low", "lower confidence limit of the slope"},
    {"ci_high", "upper confidence limit of the slope"},
    {NULL, NULL},
};

static PyStructSequence_Desc result_types[N_RESULT_TYPES] = {
    [RESULT_T_TEST] = {"pyprof.stats.TTestResult", "What a t test found.", t_test_fields, 7},
    [RESULT_DESCRIPTION] = {"pyprof.stats.Description", "One series in numbers.", description_fields, 7},
    [RESULT_SLOPE] = {"pyprof.stats.SlopeResult", "A robust line.", slope_fields, 4},
};

int core_stats_init(PyObject *module, core_state *state) {
  for (size_t i = 0; i < N_RESULT_TYPES; i++) {
    state->result_types[i] = PyStructSequence_NewType(&result_types[i]);
    if (!state->result_types[i] || PyModule_AddType(module, state->result_types[i]) < 0)
      return -1;
  }
  return 0;
}

static PyObject *result_object(const core_state *state, enum result_kind kind, const double *values) {
  if (kind == RESULT_FLOAT)
    return PyFloat_FromDouble(values[0]);
  if (kind == RESULT_INT)
    return PyLong_FromDouble(values[0]);
  PyObject *result = PyStructSequence_New(state->result_types[kind]);
  for (int i = 0; result && i < result_types[kind].n_in_sequence; i++) {
    int is_count = kind == RESULT_DESCRIPTION && i == 0;
    PyObject *value = is_count ? PyLong_FromDouble(values[i]) : PyFloat_FromDouble(values[i]);
    if (!value)
      Py_CLEAR(result);
    else
      PyStructSequence_SetItem(result, i, value);
  }
  return result;
}

static int read_arguments(const statistic *statistic, PyObject *args, PyObject *keywords, arguments *in) {
  PyObject *objects[MAX_PARAMETERS] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, statistic->format, (char **)statistic->names, &objects[0],
                                   &objects[1], &objects[2], &objects[3], &objects[4]))
    return -1;
  for (int i = 0; i < MAX_PARAMETERS && statistic->names[i]; i++) {
    in->number[i] = statistic->defaults[i];
    if (i < statistic->n_series) {
      if (core_series_from(objects[i], statistic->names[i], &in->series[i]) < 0)
        return -1;
    } else if (objects[i] && core_number(objects[i], statistic->names[i], &in->number[i]) < 0) {
      return -1;
    }
  }
  return 0;
}

static PyObject *call(PyObject *module, PyObject *args, PyObject *keywords, const statistic *statistic) {
  const core_state *state = PyModule_GetState(module);
  arguments in = {0};
  PyObject *result = NULL;
  if (read_arguments(statistic, args, keywords, &in) == 0) {
    double values[MAX_RESULTS] = {0};
    pp_error error;
    pp_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = statistic->compute(&in, values, &error);
    Py_END_ALLOW_THREADS;
    result = status ? core_raise(state, &error) : result_object(state, statistic->result, values);
  }
  for (int i = 0; i < MAX_SERIES; i++)
    core_series_free(&in.series[i]);
  return result;
}
