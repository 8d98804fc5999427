/* SPDX-License-Identifier: Apache-2.0 */
#include "profile.h"

#include <stdlib.h>
#include <string.h>

void pp_profile_free(pp_profile *profile) {
  if (!profile)
    return;
  pp_arena_free(&profile->arena);
  free(profile);
}

static pp_value_type profile_value_type(const pp_profile *profile, const Pp__ValueType *type) {
  static const Pp__ValueType none = PP__VALUE_TYPE__INIT;
  if (!type)
    type = &none;
  return (pp_value_type){pp_pb_string(profile->pb, type->type), pp_pb_string(profile->pb, type->unit)};
}

size_t pp_profile_n_samples(const pp_profile *profile) { return profile->pb->n_sample; }
size_t pp_profile_n_locations(const pp_profile *profile) { return profile->pb->n_location; }
size_t pp_profile_n_functions(const pp_profile *profile) { return profile->pb->n_function; }
size_t pp_profile_n_sample_types(const pp_profile *profile) { return profile->pb->n_sample_type; }

pp_value_type pp_profile_sample_type(const pp_profile *profile, size_t index) {
  return profile_value_type(profile, profile->pb->sample_type[index]);
}

size_t pp_profile_default_sample_type(const pp_profile *profile) {
  pp_str name = pp_pb_string(profile->pb, profile->pb->default_sample_type);
  for (size_t i = 0; i < profile->pb->n_sample_type && name.size; i++) {
    pp_str type = pp_profile_sample_type(profile, i).type;
    if (type.size == name.size && !memcmp(type.data, name.data, name.size))
      return i;
  }
  return profile->pb->n_sample_type - 1;
}

pp_value_type pp_profile_period_type(const pp_profile *profile) {
  return profile_value_type(profile, profile->pb->period_type);
}

int64_t pp_profile_period(const pp_profile *profile) { return profile->pb->period; }
int64_t pp_profile_time_nanos(const pp_profile *profile) { return profile->pb->time_nanos; }
int64_t pp_profile_duration_nanos(const pp_profile *profile) { return profile->pb->duration_nanos; }
size_t pp_profile_n_comments(const pp_profile *profile) { return profile->pb->n_comment; }

pp_str pp_profile_comment(const pp_profile *profile, size_t index) {
  return pp_pb_string(profile->pb, profile->pb->comment[index]);
}
