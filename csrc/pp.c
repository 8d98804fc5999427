/* SPDX-License-Identifier: Apache-2.0
 *
 * pp.c: the whole core as one translation unit. The bindings compile this file only.
 */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#endif
#include "profile.pb-c.c"
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include "aggregate.c"
#include "arena.c"
#include "builder.c"
#include "frame.c"
#include "gzip.c"
#include "hash.c"
#include "merge.c"
#include "profile.c"
#include "reader.c"
#include "relocate.c"
#include "rng.c"
#include "sniff.c"
#include "stats_bootstrap.c"
#include "stats_common.c"
#include "stats_confidence_sequence.c"
#include "stats_describe.c"
#include "stats_ess.c"
#include "stats_hodges_lehmann.c"
#include "stats_linregress.c"
#include "stats_mannwhitney.c"
#include "stats_multiple.c"
#include "stats_permutation.c"
#include "stats_power.c"
#include "stats_ranks.c"
#include "stats_student_t.c"
#include "stats_theil_sen.c"
#include "stats_tost.c"
#include "stats_ttest.c"
#include "status.c"
#include "string_table.c"
#include "table.c"
#include "validate.c"
#include "wire.c"
#include "writer.c"
