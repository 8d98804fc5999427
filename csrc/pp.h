/* SPDX-License-Identifier: Apache-2.0
 *
 * pp.h: the whole public interface of pyprof's C core.
 *
 * Conventions
 *   ownership  `_new`, `_parse`, `_merge` and `_top` return an object that the caller owns and frees with the
 *              function of the same type; NULL means failure. Functions that fill something return a pp_status.
 *              Getters cannot fail, and what they return is lent: it lives as long as the object it came from.
 *   inputs     are borrowed for the call only, unless said otherwise.
 *   errors     every function that can fail takes a pp_error as its last parameter, which lives on the caller's
 *              stack and may be NULL. It is written on failure only.
 *   threads    there are no globals. A pp_profile is read-only after it was made, so that any number of threads
 *              may read it at once; a pp_builder belongs to one thread at a time.
 *   strings    are bytes with a length: names may hold NUL and need not be valid UTF-8.
 */
#ifndef PP_H
#define PP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PP_MUST_CHECK __attribute__((warn_unused_result))
#else
#define PP_MUST_CHECK
#endif

/* ---- status and errors (status.c) ---------------------------------------------------------------------------- */

/* name, text, in one table: the enum, the names and the texts are made from it */
#define PP_STATUS_TABLE(X)                                                                                             \
  X(OK, "no error")                                                                                                    \
  X(NOMEM, "out of memory")                                                                                            \
  X(INVALID, "invalid argument")                                                                                       \
  X(TRUNCATED, "the data end too early")                                                                               \
  X(CORRUPT, "the data are not a valid profile")                                                                       \
  X(LIMIT, "a size limit was exceeded")

typedef enum pp_status {
#define PP_STATUS_ENUM(name, text) PP_##name,
  PP_STATUS_TABLE(PP_STATUS_ENUM)
#undef PP_STATUS_ENUM
      PP_N_STATUS
} pp_status;

typedef struct pp_error {
  pp_status status;
  size_t offset; /* where the cause lies: a byte of the (decompressed) input, of the compressed one where gzip itself
                    is wrong; 0 where it has no place */
  char message[240]; /* one line, without a trailing full stop */
} pp_error;

/* The status' short name ("NOMEM") and its text; both static. */
const char *pp_status_name(pp_status status);
const char *pp_status_text(pp_status status);

/* ---- bytes --------------------------------------------------------------------------------------------------- */

typedef struct pp_str { /* borrowed bytes; what the core lends is never NULL, even where the size is 0 */
  const char *data;
  size_t size;
} pp_str;

typedef struct pp_bytes { /* owned bytes: freed by pp_bytes_free */
  uint8_t *data;
  size_t size;
} pp_bytes;

void pp_bytes_free(pp_bytes *bytes); /* leaves {NULL, 0}; NULL and empty are fine */

typedef struct pp_value_type { /* e.g. {"samples", "count"} or {"wall", "nanoseconds"} */
  pp_str type, unit;
} pp_value_type;

/* ---- building a profile from stack events (builder.c) -------------------------------------------------------- */

typedef struct pp_builder pp_builder;

typedef struct pp_builder_options {
  const pp_value_type *sample_types; /* n_sample_types of them, 1 or more; the last is the default one */
  size_t n_sample_types;
  pp_value_type period_type; /* what one period counts, e.g. {"wall", "nanoseconds"} */
  int64_t period;            /* distance of two samples, in period_type's unit */
  int64_t time_nanos;        /* start, nanoseconds since 1970-01-01 UTC */
  int64_t duration_nanos;
} pp_builder_options;

/* One call frame. A function is one (name, filename, start_line, start_column): two functions of one name in one
 * file stay apart. Lines and columns count from 1; 0 means unknown and is not written. */
typedef struct pp_frame {
  pp_str name;
  pp_str filename;
  int64_t start_line;   /* where the function is defined */
  int64_t start_column; /* tells two functions of one line apart; not written to the profile */
  int64_t line;         /* where this frame is executing: the call site, for a frame that has callees */
  int64_t column;
} pp_frame;

/* What one sample says besides its stack: a text, or, where that is empty, a number in a unit (which may be empty).
 * Give the labels of a sample in one order throughout, PP_MAX_LABELS at most. */
#define PP_MAX_LABELS 8
typedef struct pp_label {
  pp_str key, text;
  int64_t number;
  pp_str unit;
} pp_label;

pp_builder *pp_builder_new(const pp_builder_options *options, pp_error *error) PP_MUST_CHECK;
void pp_builder_free(pp_builder *builder);

/* Walk a call tree: enter a frame, give the samples that ended in it, walk its callees, leave it. The errors of
 * these are sticky: after a failure they do nothing, and pp_builder_encode reports the first one: PP_INVALID for
 * a negative line or column or too many labels, PP_LIMIT for a stack of more than 65,536 frames or a sum of values
 * beyond int64. */
void pp_builder_enter(pp_builder *builder, const pp_frame *frame);
/* A sample whose leaf is the frame entered last, executing `line`:`column` (0: the frame's own). `values` has one value
 * for each sample type. Samples of equal stacks are added up. Without any frame entered the stack is empty. */
void pp_builder_sample(pp_builder *builder, int64_t line, int64_t column, const int64_t *values);
/* The same with labels, as for a sample's time. Samples are added up only if their labels are equal too. */
void pp_builder_labelled_sample(pp_builder *builder, int64_t line, int64_t column, const int64_t *values,
                                const pp_label *labels, size_t n_labels);
void pp_builder_leave(pp_builder *builder);

/* Every frame must have been left. `level` is zlib's (0 to 9). On success `out` holds a gzip'ed pprof profile that
 * the caller owns. The builder can be encoded again. */
pp_status pp_builder_encode(pp_builder *builder, int level, pp_bytes *out, pp_error *error) PP_MUST_CHECK;

/* What a source map changes, once every frame has been left: each place of the profile, by its index, and that of its
 * function (below pp_builder_n_functions). The strings are lent until the builder changes. */
size_t pp_builder_n_functions(const pp_builder *builder);
size_t pp_builder_n_locations(const pp_builder *builder);
pp_frame pp_builder_location(pp_builder *builder, size_t index, size_t *function);
/* Put `frames[i]` in the place of location i; there is one for each. Places that become equal become one. After a
 * failure nothing has changed. */
pp_status pp_builder_relocate(pp_builder *builder, const pp_frame *frames, pp_error *error) PP_MUST_CHECK;

/* ---- reading (reader.c, validate.c) -------------------------------------------------------------------------- */

typedef struct pp_profile pp_profile;

#define PP_DEFAULT_MAX_SIZE ((size_t)1 << 30)

/* `data` is a pprof profile, gzip'ed (one or several members) or raw protobuf. `max_size` bounds the decompressed
 * bytes (0: PP_DEFAULT_MAX_SIZE); beyond it the call fails with PP_LIMIT before that memory is taken. */
pp_profile *pp_profile_parse(const void *data, size_t size, size_t max_size, pp_error *error) PP_MUST_CHECK;
void pp_profile_free(pp_profile *profile);

size_t pp_profile_n_samples(const pp_profile *profile);
size_t pp_profile_n_locations(const pp_profile *profile);
size_t pp_profile_n_functions(const pp_profile *profile);
size_t pp_profile_n_sample_types(const pp_profile *profile);
pp_value_type pp_profile_sample_type(const pp_profile *profile, size_t index);
/* The sample type meant when none is named: default_sample_type by its name, else the last (there is at least one). */
size_t pp_profile_default_sample_type(const pp_profile *profile);
pp_value_type pp_profile_period_type(const pp_profile *profile);
int64_t pp_profile_period(const pp_profile *profile);
int64_t pp_profile_time_nanos(const pp_profile *profile);
int64_t pp_profile_duration_nanos(const pp_profile *profile);
size_t pp_profile_n_comments(const pp_profile *profile);
pp_str pp_profile_comment(const pp_profile *profile, size_t index);

/* Serialise and gzip (zlib's `level`, 0 to 9). The caller owns `out`. */
pp_status pp_profile_encode(const pp_profile *profile, int level, pp_bytes *out, pp_error *error) PP_MUST_CHECK;

/* ---- merging (merge.c) --------------------------------------------------------------------------------------- */

/* One profile out of `n` (1 or more) that have the same period type and the same ordered sample types (else
 * PP_INVALID). Samples of equal stacks and labels are added up, those that are zero in every column dropped; functions
 * of equal name, file and start line are one, as they may come from different profiles. Durations are summed; the time
 * is the earliest that is not zero; the period is the largest; comments are united in order; of the other texts the
 * first that says something stays. A sum beyond int64 is PP_LIMIT. */
pp_profile *pp_profile_merge(const pp_profile *const *profiles, size_t n, pp_error *error) PP_MUST_CHECK;

/* ---- flat and cumulative values (aggregate.c) ---------------------------------------------------------------- */

typedef enum pp_granularity { PP_FUNCTIONS, PP_FILEFUNCTIONS, PP_FILES, PP_LINES, PP_ADDRESSES } pp_granularity;

typedef struct pp_top_row {
  pp_str name;      /* function; `[mapping]` or `<unknown>` where that has no name; "" for PP_FILES */
  pp_str filename;  /* "" for PP_FUNCTIONS; for PP_FILES, where it is not known, what `name` would be */
  int64_t line;     /* PP_LINES only, else 0 */
  uint64_t address; /* PP_ADDRESSES only, else 0 */
  int64_t flat;     /* the values of samples whose leaf this is */
  int64_t cum;      /* the values of samples that have it anywhere: once per sample, however often it recurs */
} pp_top_row;

typedef struct pp_top {
  pp_top_row *rows; /* of what samples with a value have: by |flat| descending, then |cum| descending, then name */
  size_t n_rows;
  int64_t total; /* sum of |value| over all samples, of which those with equal stacks and labels count as one */
} pp_top;

/* `sample_type` is a column's index. The rows and their strings live as long as the result, whatever becomes of the
 * profile. A sum beyond int64 is PP_LIMIT. */
pp_top *pp_profile_top(const pp_profile *profile, size_t sample_type, pp_granularity granularity,
                       pp_error *error) PP_MUST_CHECK;
void pp_top_free(pp_top *top);

/* ---- statistics (stats_*.c) ---------------------------------------------------------------------------------- */
/* All inputs must be finite, else PP_INVALID. `confidence` is a share between 0 and 1, such as 0.95. Values so large
 * that a result exceeds a double are PP_INVALID. */

typedef struct pp_description {
  size_t n;
  double mean, sd, se, min, max, median; /* sd and se with n - 1; both NaN where n is 1 */
} pp_description;

/* n of 1 or more. Two passes with compensated sums: no cancellation (NIST StRD, NumAcc4). */
pp_status pp_stats_describe(const double *x, size_t n, pp_description *out, pp_error *error) PP_MUST_CHECK;

typedef enum pp_alternative { PP_TWO_SIDED, PP_LESS, PP_GREATER } pp_alternative; /* what a test would show */

typedef struct pp_test {
  double statistic;       /* Student's t */
  double df;              /* degrees of freedom */
  double pvalue;          /* computed in the tail itself; 0 only where it underflows a double */
  double log_pvalue;      /* its natural logarithm, accurate where pvalue underflows */
  double difference;      /* mean(x) - mean(y); of pairs: the mean of x - y */
  double ci_low, ci_high; /* one-sided alternatives have one limit at `confidence`, and infinity for the other */
} pp_test;

typedef enum pp_design {
  PP_WELCH,   /* two independent samples, whose variances may differ: Welch-Satterthwaite degrees of freedom */
  PP_STUDENT, /* two independent samples with one variance */
  PP_PAIRED   /* x[i] belongs with y[i]; nx and ny must be equal */
} pp_design;

typedef struct pp_ttest_options {
  pp_design design;
  pp_alternative alternative;
  bool log;    /* test the natural logarithms of the values, which must be above 0: `difference`, its limits and `null`
                  are logarithms of a ratio then */
  double null; /* the difference that is tested against */
  double confidence;
} pp_ttest_options;

/* n of 2 or more in each. Where nothing spreads (a standard deviation that does not exceed the rounding of the values
 * counts as 0), a difference equal to `null` gives t NaN, p NaN and an interval without width; any other is PP_INVALID
 * (the data cannot tell). PP_LESS against a margin is the test for non-inferiority. */
pp_status pp_stats_ttest(const double *x, size_t nx, const double *y, size_t ny, const pp_ttest_options *options,
                         pp_test *out, pp_error *error) PP_MUST_CHECK;

typedef struct pp_tost {
  double pvalue, log_pvalue; /* the larger of the two below */
  double pvalue_low;         /* that the difference does not exceed `low` */
  double pvalue_high;        /* that it does not fall short of `high` */
  double df, difference;
  double ci_low, ci_high; /* confidence 1 - 2 alpha: within (low, high) exactly where pvalue < alpha */
} pp_tost;

/* Two one-sided t tests for equivalence: that the difference lies between `low` and `high` (low < high; with `log`,
 * logarithms of ratios, and low < 0 < high). 0 < alpha < 0.5. Inputs and edges as pp_stats_ttest. */
pp_status pp_stats_tost(const double *x, size_t nx, const double *y, size_t ny, pp_design design, bool log, double low,
                        double high, double alpha, pp_tost *out, pp_error *error) PP_MUST_CHECK;

typedef enum pp_method { PP_AUTO, PP_EXACT, PP_ASYMPTOTIC } pp_method;

typedef struct pp_mannwhitney {
  double statistic; /* U of x: pairs in which x is larger, those that are equal counting half */
  double pvalue, log_pvalue;
  bool exact; /* else by the normal distribution, corrected for ties and continuity */
} pp_mannwhitney;

/* Mann-Whitney U test; n of 1 or more in each. Exact p are those of all ways to deal these very values to two samples,
 * ties included. PP_AUTO is exact up to nx * ny of PP_MANNWHITNEY_AUTO_MAX; beyond PP_MANNWHITNEY_EXACT_MAX, PP_EXACT
 * is PP_INVALID. Where all values are equal, p is 1. */
#define PP_MANNWHITNEY_AUTO_MAX 2500
#define PP_MANNWHITNEY_EXACT_MAX 10000
pp_status pp_stats_mannwhitneyu(const double *x, size_t nx, const double *y, size_t ny, pp_alternative alternative,
                                pp_method method, pp_mannwhitney *out, pp_error *error) PP_MUST_CHECK;

typedef struct pp_shift {
  double estimate;
  double ci_low, ci_high; /* infinite where n is too small for the confidence asked */
  double confidence;      /* that the interval has: at least what was asked, and exact where n is small */
} pp_shift;

/* Hodges-Lehmann: the median of all x[i] - y[j], with the interval that inverts the Mann-Whitney test; n of 1 or more
 * in each. And of one sample (of pairs: their differences) the median of all (x[i] + x[j])/2, i <= j, with the interval
 * that inverts Wilcoxon's signed-rank test. O(n log n) time, O(n) memory. */
pp_status pp_stats_hodges_lehmann(const double *x, size_t nx, const double *y, size_t ny, double confidence,
                                  pp_shift *out, pp_error *error) PP_MUST_CHECK;
pp_status pp_stats_pseudomedian(const double *x, size_t n, double confidence, pp_shift *out,
                                pp_error *error) PP_MUST_CHECK;

typedef struct pp_permutation {
  double statistic; /* mean of x - y */
  double pvalue;
  double n_resamples; /* sign patterns looked at: all 2^n, or those drawn */
  bool exact;
} pp_permutation;

/* Flips the signs of n differences x - y, n of 2 or more: all patterns up to PP_PERMUTATION_EXACT_N, else `n_resamples`
 * (1 to PP_MAX_RESAMPLES) random ones, of which b as extreme give p = (b + 1) / (n_resamples + 1). */
#define PP_PERMUTATION_EXACT_N 32
#define PP_MAX_RESAMPLES 10000000
pp_status pp_stats_permutation_test(const double *x, const double *y, size_t n, pp_alternative alternative,
                                    size_t n_resamples, uint64_t seed, pp_permutation *out,
                                    pp_error *error) PP_MUST_CHECK;

/* Limits for the mean of differences d[0..i] after each i, all of which may be looked at: each side is wrong at any
 * time with a probability of at most alpha. `low` and `high` have room for n values. Infinite while i is too small, and
 * where the differences do not spread. n of 1 or more; 0 < alpha < 0.5; c > 0 (4: first finite at n = 7 for 0.05). */
pp_status pp_stats_confidence_sequence(const double *d, size_t n, double alpha, double c, double *low, double *high,
                                       pp_error *error) PP_MUST_CHECK;

typedef struct pp_processes { /* borrowed: the samples of n processes, one process after another */
  const double *samples;
  const size_t *n_samples; /* of each process, 1 or more */
  size_t n;                /* 2 or more */
} pp_processes;

typedef enum pp_contrast { PP_DIFFERENCE, PP_RATIO } pp_contrast;

typedef struct pp_bootstrap {
  double estimate, standard_error;
  double ci_low, ci_high; /* percentiles */
} pp_bootstrap;

/* Two-level bootstrap of the mean over processes of each process' mean (every process weighs the same): of x alone
 * where y is NULL, else of x against y, mean(x) - mean(y) or mean(x) / mean(y) (all of y above 0). Processes are drawn
 * with replacement, and within each drawn one its samples. n_resamples: 100 to PP_MAX_RESAMPLES. */
pp_status pp_stats_bootstrap(const pp_processes *x, const pp_processes *y, pp_contrast contrast, size_t n_resamples,
                             double confidence, uint64_t seed, pp_bootstrap *out, pp_error *error) PP_MUST_CHECK;

/* p-values adjusted for n tests at once, in the order of `p` (each from 0 to 1; n of 1 or more): Holm's keep the chance
 * of any false one, Benjamini and Hochberg's the expected share of false ones below the level asked. */
pp_status pp_stats_holm(const double *p, size_t n, double *adjusted, pp_error *error) PP_MUST_CHECK;
pp_status pp_stats_benjamini_hochberg(const double *p, size_t n, double *adjusted, pp_error *error) PP_MUST_CHECK;

typedef struct pp_line {
  double slope, intercept, stderr_slope, stderr_intercept;
} pp_line;

/* Least squares; n of 3 or more, not all x equal. */
pp_status pp_stats_linregress(const double *x, const double *y, size_t n, pp_line *out, pp_error *error) PP_MUST_CHECK;

/* Student's t distribution: ln of the two-sided tail P(|T| >= |t|), and the quantile t with P(T <= t) = p.
 * df > 0; infinite df is the normal distribution. NaN for what makes no sense. */
double pp_stats_t_log_two_sided(double t, double df);
double pp_stats_t_quantile(double p, double df);

typedef struct pp_slope {
  double slope, intercept; /* slope: median of the pairwise slopes; intercept: median(y) - slope * median(x) */
  double ci_low, ci_high;  /* Sen 1968; infinite where n is too small for the confidence asked (below 5 at 0.95) */
} pp_slope;

/* Theil-Sen; n of 2 or more, not all x equal. O(n^2) time, O(n) memory; beyond PP_THEIL_SEN_MAX_N: PP_INVALID. */
#define PP_THEIL_SEN_MAX_N 20000
pp_status pp_stats_theil_sen(const double *x, const double *y, size_t n, double confidence, pp_slope *out,
                             pp_error *error) PP_MUST_CHECK;

/* n / (1 + 2 sum of rho_k), the sum cut at Geyer's first non-positive pair: how many independent values n correlated
 * ones are worth; from 1 to n. n of 2 or more, up to PP_EFFECTIVE_SAMPLE_SIZE_MAX_N (else PP_INVALID); a constant
 * series is worth 1. O(n^2) time at worst. */
#define PP_EFFECTIVE_SAMPLE_SIZE_MAX_N 100000
pp_status pp_stats_effective_sample_size(const double *x, size_t n, double *out, pp_error *error) PP_MUST_CHECK;

/* Autocorrelation at `lag` (1 to n - 1): sum of products of deviations over their sum of squares; NaN for a constant
 * series. */
pp_status pp_stats_autocorrelation(const double *x, size_t n, size_t lag, double *out, pp_error *error) PP_MUST_CHECK;

/* Planning by the paired t test on differences with standard deviation `sd`. The verdict is "below `high`", by a
 * one-sided limit at `alpha`, or where `low` is finite "between `low` and `high`", by two of them. */
typedef struct pp_plan {
  double sd;        /* of the differences; 0 or more */
  double low, high; /* low: -INFINITY for one side */
  double cost;      /* the true difference, low < cost < high */
  double alpha;     /* 0 < alpha < 0.5 */
} pp_plan;

/* The chance of that verdict after n blocks (2 or more). */
pp_status pp_stats_power(const pp_plan *plan, size_t n, double *out, pp_error *error) PP_MUST_CHECK;
/* The least number of blocks, 2 or more, for a power between alpha and 1; PP_INVALID beyond PP_REQUIRED_BLOCKS_MAX. */
#define PP_REQUIRED_BLOCKS_MAX 1000000
pp_status pp_stats_required_blocks(const pp_plan *plan, double power, size_t *out, pp_error *error) PP_MUST_CHECK;
/* The smallest `high` that n blocks settle with that power when the true cost is 0 (one-sided). */
pp_status pp_stats_settleable_margin(double sd, size_t n, double alpha, double power, double *out,
                                     pp_error *error) PP_MUST_CHECK;
/* Confidence limits of the standard deviation of which n normal values (2 or more) showed `sd`. */
pp_status pp_stats_sd_limits(double sd, size_t n, double confidence, double *low, double *high,
                             pp_error *error) PP_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
