/* SPDX-License-Identifier: Apache-2.0
 *
 * signal_guard.h: sees to it that a signal is acted upon though the event loop is blocked. Node tells JavaScript of a
 * signal in a turn of the loop: who listens for one takes away the end that it would have put to an endless loop.
 */
#ifndef PYPROF_SIGNAL_GUARD_H
#define PYPROF_SIGNAL_GUARD_H

#include <napi.h>

#include <vector>

namespace pyprof {

// Has `act` called with the number of each of `signals` that comes and is not declared handled within a second, in the
// middle of what this thread is doing then: of JavaScript, not of a system call. Once in a process, on its main thread,
// when Node listens for them already.
void GuardSignals(Napi::Env env, const std::vector<int> &signals, Napi::Function act);

// All that came of `signal` so far is seen to.
void SignalHandled(int signal);

} // namespace pyprof

#endif
