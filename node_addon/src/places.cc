/* SPDX-License-Identifier: Apache-2.0 */
#include "places.h"

#include <unordered_map>

namespace pyprof {
namespace {

pp_str Borrow(const std::string &text) { return {text.data(), text.size()}; }

bool Below(int32_t index, size_t size) { return index >= 0 && static_cast<size_t>(index) < size; }

// They have been to JavaScript, where an app may have changed what its builtins do.
bool Fits(const Places &moved, size_t n_functions, size_t n_places) {
  const size_t n_new = moved.names.size();
  if (moved.functions.size() != 3 * n_new || moved.places.size() != 3 * n_places)
    return false;
  for (size_t i = 0; i < n_new; ++i) {
    if (!Below(moved.functions[3 * i], moved.files.size()))
      return false;
  }
  for (size_t i = 0; i < n_places; ++i) {
    if (!Below(moved.places[3 * i], n_functions + n_new))
      return false;
  }
  return true;
}

} // namespace

Places ReadPlaces(pp_builder *builder) {
  Places read;
  std::unordered_map<std::string, int32_t> files;
  const size_t n_functions = pp_builder_n_functions(builder), n_places = pp_builder_n_locations(builder);
  read.names.resize(n_functions);
  read.functions.resize(3 * n_functions);
  read.places.reserve(3 * n_places);
  std::vector<bool> known(n_functions);
  for (size_t i = 0; i < n_places; ++i) {
    size_t function = 0;
    const pp_frame frame = pp_builder_location(builder, i, &function);
    for (const int64_t number : {static_cast<int64_t>(function), frame.line, frame.column})
      read.places.push_back(static_cast<int32_t>(number)); // V8's own are int
    if (known[function])
      continue;
    known[function] = true;
    const auto file =
        files.emplace(std::string(frame.filename.data, frame.filename.size), static_cast<int32_t>(files.size()));
    if (file.second)
      read.files.push_back(file.first->first);
    read.names[function].assign(frame.name.data, frame.name.size);
    int32_t *const defined = &read.functions[3 * function];
    defined[0] = file.first->second;
    defined[1] = static_cast<int32_t>(frame.start_line);
    defined[2] = static_cast<int32_t>(frame.start_column);
  }
  return read;
}

pp_status MovePlaces(pp_builder *builder, const Places &moved, pp_error *error) {
  const size_t n_own = pp_builder_n_functions(builder);
  std::vector<pp_frame> frames(pp_builder_n_locations(builder));
  if (!Fits(moved, n_own, frames.size())) {
    *error = {PP_INVALID, 0, "the places that the source mapper gave are not those of this profile"};
    return PP_INVALID;
  }
  for (size_t i = 0; i < frames.size(); ++i) {
    size_t own = 0;
    pp_frame &frame = frames[i] = pp_builder_location(builder, i, &own);
    const int32_t *const place = &moved.places[3 * i];
    const size_t function = static_cast<size_t>(place[0]);
    frame.line = place[1];
    frame.column = place[2];
    if (function < n_own)
      continue;
    const int32_t *const defined = &moved.functions[3 * (function - n_own)];
    frame.name = Borrow(moved.names[function - n_own]);
    frame.filename = Borrow(moved.files[static_cast<size_t>(defined[0])]);
    frame.start_line = defined[1];
    frame.start_column = defined[2];
  }
  return pp_builder_relocate(builder, frames.data(), error);
}

} // namespace pyprof
