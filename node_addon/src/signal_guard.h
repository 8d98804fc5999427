/* SPDX-License-Identifier: Apache-2.0
 *
 * signal_guard.h: lets JavaScript act before a signal ends the process.
 *
 * A listener of Node's would do more than that: it takes away the end that the signal would have put, other listeners
 * count it and leave the end to it, and while the loop is blocked it is never called.
 */
#ifndef PYPROF_SIGNAL_GUARD_H
#define PYPROF_SIGNAL_GUARD_H

#include <napi.h>

namespace pyprof {

// Once in a process, on its main thread, as all of this. `act` is called without arguments when a guarded signal has
// come: in a turn of the loop, or after a second that had none in the middle of what JavaScript is doing. It should end
// in ReleaseSignals. Where nothing can be called for three seconds more, as in a system call that waits, the signal
// ends the process.
void StartSignalGuard(Napi::Env env, Napi::Function act);

// From now on, until somebody sets another action for it. Does nothing if it is ignored.
void GuardSignal(int signal);

// `act` is not called from now on, nor does a signal end the process.
void HoldSignals();

// Puts back the actions that the guarded signals had. If one came since it was guarded, that ends the process now,
// unless the system spares it, as it does process 1.
void ReleaseSignals();

} // namespace pyprof

#endif
