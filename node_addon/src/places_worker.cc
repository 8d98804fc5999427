/* SPDX-License-Identifier: Apache-2.0 */
#include "places_worker.h"

#include <algorithm>
#include <utility>

namespace pyprof {
namespace {

Napi::Array Texts(Napi::Env env, const std::vector<std::string> &texts) {
  Napi::Array array = Napi::Array::New(env, texts.size());
  for (size_t i = 0; i < texts.size(); ++i)
    array.Set(static_cast<uint32_t>(i), texts[i]);
  return array;
}

Napi::Int32Array Numbers(Napi::Env env, const std::vector<int32_t> &numbers) {
  Napi::Int32Array array = Napi::Int32Array::New(env, numbers.size());
  if (!array.IsEmpty()) // as it is where a worker is being terminated
    std::copy(numbers.begin(), numbers.end(), array.Data());
  return array;
}

bool ReadTexts(Napi::Env env, napi_value array, std::vector<std::string> *texts) {
  uint32_t n = 0;
  napi_value text = nullptr;
  if (napi_get_array_length(env, array, &n) != napi_ok)
    return false;
  for (uint32_t i = 0; i < n; ++i) {
    if (napi_get_element(env, array, i, &text) != napi_ok)
      return false;
    texts->push_back(Napi::String(env, text));
  }
  return true;
}

bool ReadNumbers(Napi::Env env, napi_value array, std::vector<int32_t> *numbers) {
  size_t n = 0;
  void *data = nullptr;
  if (napi_get_typedarray_info(env, array, nullptr, &n, &data, nullptr, nullptr) != napi_ok)
    return false;
  numbers->assign(static_cast<int32_t *>(data), static_cast<int32_t *>(data) + n);
  return true;
}

} // namespace

Napi::Value MakePlaces(Napi::Env env, const Places &places) {
  Napi::Object made = Napi::Object::New(env);
  made.Set("files", Texts(env, places.files));
  made.Set("names", Texts(env, places.names));
  made.Set("functions", Numbers(env, places.functions));
  made.Set("places", Numbers(env, places.places));
  return made;
}

bool ReadPlaces(const Napi::Object &given, Places *places) {
  const Napi::Env env = given.Env();
  napi_value value = nullptr;
  const auto find = [&](const char *name) { return napi_get_named_property(env, given, name, &value) == napi_ok; };
  return find("files") && ReadTexts(env, value, &places->files) && find("names") &&
         ReadTexts(env, value, &places->names) && find("functions") && ReadNumbers(env, value, &places->functions) &&
         find("places") && ReadNumbers(env, value, &places->places);
}

PlacesWorker::PlacesWorker(Napi::Env env, std::shared_ptr<Profile> profile)
    : ProfileWorker(env, "pyprof.places", std::move(profile)) {}

bool PlacesWorker::Work(Profile *profile, pp_error *error) { return profile->ReadPlaces(&places_, error); }

Napi::Value PlacesWorker::Result(Profile *) { return MakePlaces(Env(), places_); }

} // namespace pyprof
