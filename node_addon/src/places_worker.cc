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
  std::copy(numbers.begin(), numbers.end(), array.Data());
  return array;
}

std::vector<std::string> TextsOf(const Napi::Value &given) {
  const Napi::Array array = given.As<Napi::Array>();
  std::vector<std::string> texts;
  for (uint32_t i = 0; i < array.Length(); ++i)
    texts.push_back(array.Get(i).As<Napi::String>().Utf8Value());
  return texts;
}

std::vector<int32_t> NumbersOf(const Napi::Value &given) {
  Napi::Int32Array array = given.As<Napi::Int32Array>();
  return std::vector<int32_t>(array.Data(), array.Data() + array.ElementLength());
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

Places PlacesOf(const Napi::Object &given) {
  return {TextsOf(given.Get("files")), TextsOf(given.Get("names")), NumbersOf(given.Get("functions")),
          NumbersOf(given.Get("places"))};
}

PlacesWorker::PlacesWorker(Napi::Env env, std::shared_ptr<Profile> profile)
    : ProfileWorker(env, "pyprof.places", std::move(profile)) {}

bool PlacesWorker::Work(Profile *profile, pp_error *error) { return profile->ReadPlaces(&places_, error); }

Napi::Value PlacesWorker::Result(Profile *) { return MakePlaces(Env(), places_); }

} // namespace pyprof
