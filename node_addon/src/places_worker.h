/* SPDX-License-Identifier: Apache-2.0
 *
 * places_worker.h: reads a profile's places off the event loop, and what they are in JavaScript.
 */
#ifndef PYPROF_PLACES_WORKER_H
#define PYPROF_PLACES_WORKER_H

#include <napi.h>

#include <memory>

#include "profile.h"

namespace pyprof {

// {files: string[], names: string[], functions: Int32Array, places: Int32Array}
Napi::Value MakePlaces(Napi::Env env, const Places &places);
Places PlacesOf(const Napi::Object &given);

// Owns itself from Queue() on.
class PlacesWorker : public Napi::AsyncWorker {
public:
  PlacesWorker(Napi::Env env, std::shared_ptr<Profile> profile);
  Napi::Promise promise() const { return deferred_.Promise(); } // of what MakePlaces makes

private:
  void Execute() override; // on a thread of libuv's pool
  void OnOK() override;
  void OnError(const Napi::Error &) override;

  const Napi::Promise::Deferred deferred_;
  const std::shared_ptr<Profile> profile_;
  Places places_;
  pp_error error_ = {};
};

} // namespace pyprof

#endif
