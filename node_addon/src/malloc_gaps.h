/* SPDX-License-Identifier: Apache-2.0
 *
 * malloc_gaps.h: keeps the place of V8's sampling buffer free for the next one.
 *
 * Each start of V8's allocates 512 KB, aligned to 64 bytes, and each stop frees it. glibc cuts that from a piece that
 * is 96 bytes larger, and frees what is left before and behind. If a small object that gets these bytes, or some of the
 * free buffer's, lives until a garbage collection, the next start does not find room there and takes fresh memory: RSS
 * grew by hundreds of MB between two collections. Any other malloc sees some microseconds of harmless work.
 */
#ifndef PYPROF_MALLOC_GAPS_H
#define PYPROF_MALLOC_GAPS_H

#include <cstddef>
#include <cstdlib>

namespace pyprof {

class MallocGaps {
public:
  explicit MallocGaps(bool on) : on_(on) {} // if not on, none of it does anything
  ~MallocGaps() { std::free(reserved_); }
  MallocGaps(const MallocGaps &) = delete;
  MallocGaps &operator=(const MallocGaps &) = delete;

  // Around V8's start.
  void BeforeStart() {
    if (!on_)
      return;
    FillCaches(); // or what V8 needs before the buffer would be cut from its place
    std::free(reserved_);
    reserved_ = nullptr;
  }
  void AfterStart() {
    for (size_t i = 0; on_ && i < kSizes; ++i)
      gaps_[i] = std::malloc(SizeOf(i)); // what was freed last is given first
  }

  // Around V8's stop.
  void BeforeStop() {
    if (!on_)
      return;
    FillCaches();
    for (void *gap : gaps_)
      std::free(gap);
  }
  void AfterStop() { reserved_ = on_ ? std::malloc(kReserved) : nullptr; }

private:
  static constexpr size_t kSizes = 6;
  static constexpr size_t SizeOf(size_t i) { return 24 + 16 * i; } // what fits in pieces of 32, 48, … 112 bytes
  static constexpr size_t kReserved = 524736 + 96;

  // What a thread frees waits to be given again, up to 7 pieces of each size. Beyond, it is joined with its neighbours
  // as soon as something large is freed: the buffer.
  static void FillCaches() {
    for (size_t i = 0; i < kSizes; ++i) {
      void *pieces[7];
      for (void *&piece : pieces)
        piece = std::malloc(SizeOf(i));
      for (void *piece : pieces)
        std::free(piece);
    }
  }

  const bool on_;
  void *gaps_[kSizes] = {};
  void *reserved_ = nullptr;
};

} // namespace pyprof

#endif
