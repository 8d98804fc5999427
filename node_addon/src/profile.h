/* SPDX-License-Identifier: Apache-2.0
 *
 * profile.h: a finished profile, as the handle that JavaScript holds keeps it.
 */
#ifndef PYPROF_PROFILE_H
#define PYPROF_PROFILE_H

#include <pp.h>

#include <memory>
#include <mutex>

#include "places.h"
#include "v8_profiler.h"
#include "walk.h"

namespace pyprof {

// Holds V8's tree until it is walked and released, then the core's builder until it is encoded, then the encoded bytes
// until they are forgotten: a handle may live until the next full garbage collection, V8 does not see what it weighs,
// and even little that stays among what the pool's threads have freed keeps malloc from using that again. V8's part is
// touched by one thread at a time: it may be walked on any, and goes on the loop.
class Profile {
public:
  // Adds to `*release_ms` what ReleaseInTurn() takes.
  Profile(std::shared_ptr<V8Profiler> profiler, V8Trees trees, const WalkOptions &options,
          std::shared_ptr<double> release_ms)
      : options_(options), release_ms_(std::move(release_ms)), profiler_(std::move(profiler)),
        trees_(std::move(trees)) {}
  explicit Profile(pp_builder *owned) : walked_(true), builder_(owned) {}
  ~Profile(); // on the loop
  Profile(const Profile &) = delete;
  Profile &operator=(const Profile &) = delete;

  // Reads V8's tree, the first time; if another thread is at it, waits.
  void Walk();

  // On the loop: gives V8's tree back, and its profiler if nothing else holds it. A tree that nobody has walked yet is
  // lost. Waits if it is being walked.
  void Release();

  // The same in a turn of the loop that no caller waits for: it blocks the loop all the same, and so is counted.
  void ReleaseInTurn();

  bool walked();

  // For those who map places to their sources, before the profile is encoded. Any thread; false on failure.
  bool ReadPlaces(Places *places, pp_error *error);
  // What becomes of them when it is encoded.
  void MovePlaces(Places moved);

  // The gzip'ed pprof profile, lent until it is forgotten; nullptr on failure. Any thread.
  const pp_bytes *Encode(pp_error *error);

  // On the loop, when nobody will ask for the bytes again.
  void Forget() { pp_bytes_free(&bytes_); }

private:
  bool Built(pp_error *error); // walks, if need be

  const WalkOptions options_ = {};
  const std::shared_ptr<double> release_ms_; // of the loop; nullptr where there is nothing to release

  std::mutex walking_; // guards these:
  bool walked_ = false;
  std::shared_ptr<V8Profiler> profiler_;
  V8Trees trees_; // go before profiler_
  pp_error walk_error_ = {};
  pp_builder *builder_ = nullptr;

  std::mutex encoding_; // guards these; taken before the other
  std::unique_ptr<const Places> moved_;
  pp_bytes bytes_ = {nullptr, 0};
};

} // namespace pyprof

#endif
