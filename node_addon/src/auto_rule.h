/* SPDX-License-Identifier: Apache-2.0
 *
 * auto_rule.h: when policy `auto` logs code eagerly, and when it does not.
 *
 * Logging eagerly costs 3 microseconds for each script that is made while no profile runs; not doing so costs a walk of
 * the heap, 0.8 ms per MB, at each start (measured, Node 12 to 26). So: lazily once more than 6,000 scripts a second
 * are made and their cost exceeds that of the walks, eagerly again below 1,500 a second.
 */
#ifndef PYPROF_AUTO_RULE_H
#define PYPROF_AUTO_RULE_H

namespace pyprof {

class AutoRule {
public:
  bool eager() const { return eager_; }

  // No profile runs. The time in seconds, and the number of scripts made so far, at least as it was a second ago.
  void Idle(double now, int scripts) {
    if (began_ >= 0 && now - began_ < kWindow)
      return;
    if (began_ >= 0) {
      const double elapsed = now - began_, made = scripts - scripts_;
      // how many of them fell outside of profiles, where they would have been logged in any case, is not known
      const double idle_made = made * (elapsed - profiled_) / elapsed;
      if (made < kQuiet * elapsed)
        eager_ = true;
      else if (made > kBusy * elapsed && idle_made * kSecondsPerScript > walks_)
        eager_ = false;
    }
    began_ = now;
    scripts_ = scripts;
    profiled_ = walks_ = 0;
  }

  // A profile starts, with `heap_bytes` in use. Idle() was told some seconds ago at most.
  void Started(double now, double heap_bytes) {
    started_ = now;
    walks_ += heap_bytes * kSecondsPerHeapByte;
  }

  void Stopped(double now) { profiled_ += now - started_; }

private:
  static constexpr double kWindow = 2, kBusy = 6000, kQuiet = 1500; // the count may be a second old: no shorter window
  static constexpr double kSecondsPerScript = 3e-6, kSecondsPerHeapByte = 0.8e-3 / (1 << 20);

  bool eager_ = true;
  double began_ = -1;   // the window's begin; -1 before the first
  double started_ = 0;  // the last profile's start
  double profiled_ = 0; // seconds within profiles in the window
  double walks_ = 0;    // seconds that its starts took or would have taken with lazy logging
  int scripts_ = 0;     // at its begin
};

} // namespace pyprof

#endif
