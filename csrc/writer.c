/* SPDX-License-Identifier: Apache-2.0 */
#include "gzip.h"
#include "profile.h"
#include "status.h"

#include <stdlib.h>

pp_status pp_pb_encode(const Pp__Profile *pb, int level, pp_bytes *out, pp_error *error) {
  uint8_t *raw = malloc(pp__profile__get_packed_size(pb) + 1);
  if (!raw)
    return pp_fail_memory(error);
  size_t size = pp__profile__pack(pb, raw);
  pp_status status = pp_gzip(raw, size, level, out, error);
  free(raw);
  return status;
}

pp_status pp_profile_encode(const pp_profile *profile, int level, pp_bytes *out, pp_error *error) {
  return pp_pb_encode(profile->pb, level, out, error);
}
