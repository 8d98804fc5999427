/* SPDX-License-Identifier: Apache-2.0
 *
 * profile.h: a finished profile, as the handle that JavaScript holds keeps it.
 */
#ifndef PYPROF_PROFILE_H
#define PYPROF_PROFILE_H

#include <pp.h>

#include <mutex>

namespace pyprof {

// Holds the core's builder until it is encoded, and from then on the encoded bytes alone: a handle may live until the
// next full garbage collection, and V8 does not see what the builder weighs.
class Profile {
public:
  explicit Profile(pp_builder *owned) : builder_(owned) {}
  ~Profile() {
    pp_builder_free(builder_);
    pp_bytes_free(&bytes_);
  }
  Profile(const Profile &) = delete;
  Profile &operator=(const Profile &) = delete;

  // The gzip'ed pprof profile, lent as long as this lives; nullptr on failure. May be called on any thread.
  const pp_bytes *Encode(pp_error *error) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (builder_ != nullptr) {
      if (pp_builder_encode(builder_, kGzipLevel, &bytes_, error) != PP_OK)
        return nullptr;
      pp_builder_free(builder_);
      builder_ = nullptr;
    }
    return &bytes_;
  }

private:
  static constexpr int kGzipLevel = 6;

  std::mutex mutex_;
  pp_builder *builder_;
  pp_bytes bytes_ = {nullptr, 0};
};

} // namespace pyprof

#endif
