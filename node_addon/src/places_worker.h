/* SPDX-License-Identifier: Apache-2.0
 *
 * places_worker.h: reads a profile's places off the event loop, and what they are in JavaScript.
 */
#ifndef PYPROF_PLACES_WORKER_H
#define PYPROF_PLACES_WORKER_H

#include <napi.h>

#include <memory>

#include "profile_worker.h"

namespace pyprof {

// {files: string[], names: string[], functions: Int32Array, places: Int32Array}
Napi::Value MakePlaces(Napi::Env env, const Places &places);
// False where a worker is being terminated, and properties cannot be read any more: node-addon-api, which goes on with
// an empty value then, would end the process.
bool ReadPlaces(const Napi::Object &given, Places *places);

// Promises what MakePlaces makes.
class PlacesWorker : public ProfileWorker {
public:
  PlacesWorker(Napi::Env env, std::shared_ptr<Profile> profile);

private:
  bool Work(Profile *profile, pp_error *error) override;
  Napi::Value Result(Profile *profile) override;

  Places places_;
};

} // namespace pyprof

#endif
