/* SPDX-License-Identifier: Apache-2.0
 *
 * validate.h: the rules that a profile's messages must keep among each other.
 */
#ifndef PP_VALIDATE_H
#define PP_VALIDATE_H

#include "profile.h"

/* Check the messages that were unpacked from `data`, and turn every id into a position (see profile.h). On failure the
 * error's offset is that of the message, at the top level of `data`, that breaks the rule. */
pp_status pp_validate(Pp__Profile *pb, const uint8_t *data, size_t size, pp_error *error) PP_MUST_CHECK;

#endif
