/* SPDX-License-Identifier: Apache-2.0 */
#include "profile.h"

#include <chrono>
#include <utility>

namespace pyprof {
namespace {

using Lock = std::lock_guard<std::mutex>;

const int kGzipLevel = 6;

} // namespace

Profile::~Profile() {
  pp_builder_free(builder_);
  pp_bytes_free(&bytes_);
}

void Profile::Walk() {
  const Lock lock(walking_);
  if (walked_)
    return;
  walked_ = true;
  builder_ = pyprof::Walk(trees_, options_, &walk_error_);
}

void Profile::Release() {
  const Lock lock(walking_);
  if (!walked_)
    walk_error_ = {PP_INVALID, 0, "the environment ended before this profile was read"};
  walked_ = true;
  trees_ = {};
  profiler_.reset();
}

void Profile::ReleaseInTurn() {
  if (release_ms_ == nullptr)
    return;
  const auto begin = std::chrono::steady_clock::now();
  Release();
  *release_ms_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

bool Profile::walked() {
  const std::unique_lock<std::mutex> lock(walking_, std::try_to_lock);
  return lock.owns_lock() && walked_;
}

bool Profile::ReadPlaces(Places *places, pp_error *error) {
  const Lock lock(encoding_);
  if (!Built(error))
    return false;
  *places = pyprof::ReadPlaces(builder_);
  return true;
}

void Profile::MovePlaces(Places moved) {
  const Lock lock(encoding_);
  moved_.reset(new Places(std::move(moved)));
}

const pp_bytes *Profile::Encode(pp_error *error) {
  const Lock lock(encoding_);
  if (bytes_.data != nullptr)
    return &bytes_;
  if (!Built(error))
    return nullptr;
  if (moved_ != nullptr && pyprof::MovePlaces(builder_, *moved_, error) != PP_OK)
    return nullptr;
  moved_.reset();
  if (pp_builder_encode(builder_, kGzipLevel, &bytes_, error) != PP_OK)
    return nullptr;
  pp_builder_free(builder_);
  builder_ = nullptr;
  return &bytes_;
}

bool Profile::Built(pp_error *error) {
  Walk();
  if (builder_ == nullptr) // nobody writes to it but the walk that is over, and Encode
    *error = walk_error_;
  return builder_ != nullptr;
}

} // namespace pyprof
