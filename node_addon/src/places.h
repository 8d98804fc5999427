/* SPDX-License-Identifier: Apache-2.0
 *
 * places.h: the places of a profile, in the form in which they cross to what maps them to their sources, and back.
 */
#ifndef PYPROF_PLACES_H
#define PYPROF_PLACES_H

#include <pp.h>

#include <cstdint>
#include <string>
#include <vector>

namespace pyprof {

// Lines and columns count from 1; 0 is unknown.
struct Places {
  std::vector<std::string> files, names; // there is a name for each function
  std::vector<int32_t> functions;        // for each: the index of its file, the line and column of its definition
  std::vector<int32_t> places;           // for each: the index of its function, line and column
};

Places ReadPlaces(pp_builder *builder);

// Puts `moved` in the place of what ReadPlaces gave, in the same order. Functions are numbered from the end of the
// builder's own on; a place that has one of those keeps it. On failure nothing has changed.
pp_status MovePlaces(pp_builder *builder, const Places &moved, pp_error *error);

} // namespace pyprof

#endif
