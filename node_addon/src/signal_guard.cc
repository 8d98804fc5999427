/* SPDX-License-Identifier: Apache-2.0 */
#include "signal_guard.h"

#include <semaphore.h>
#include <signal.h>
#include <v8.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <thread>

namespace pyprof {
namespace {

const std::chrono::seconds kPatience{1};

struct Guarded {
  struct sigaction before; // libuv's
  std::atomic<unsigned> received{0}, handled{0};
};

// Of the process, as signals are, and never freed: its thread may live until the last moment.
struct Guard {
  std::vector<int> signals;
  Guarded of[NSIG];
  sem_t arrived;
  Napi::FunctionReference act;
  std::mutex mutex;     // guards
  v8::Isolate *isolate; // nullptr from the end of its environment on
};

Guard *guard = nullptr;

void OnSignal(int signal, siginfo_t *info, void *context) {
  const int error = errno;
  Guarded &guarded = guard->of[signal];
  ++guarded.received;
  sem_post(&guard->arrived);
  errno = error;
  if ((guarded.before.sa_flags & SA_SIGINFO) != 0)
    guarded.before.sa_sigaction(signal, info, context);
  else
    guarded.before.sa_handler(signal);
}

bool Waits(int signal) { return guard->of[signal].handled != guard->of[signal].received; }

void Interrupt(v8::Isolate *, void *) {
  if (guard->isolate == nullptr)
    return;
  const Napi::Env env = guard->act.Env();
  const Napi::HandleScope scope(env);
  for (const int signal : guard->signals) {
    if (!Waits(signal))
      continue;
    guard->act.Call({Napi::Number::New(env, signal)});
    if (env.IsExceptionPending()) // which must not reach what was interrupted
      env.GetAndClearPendingException();
  }
}

void Watch() {
  for (;;) {
    while (sem_wait(&guard->arrived) != 0)
      continue;
    std::this_thread::sleep_for(kPatience);
    const std::lock_guard<std::mutex> lock(guard->mutex);
    for (const int signal : guard->signals) {
      if (guard->isolate != nullptr && Waits(signal)) {
        guard->isolate->RequestInterrupt(Interrupt, nullptr);
        break;
      }
    }
  }
}

void StartWatching() { // by a thread that no signal is delivered to
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(Watch).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

} // namespace

void GuardSignals(Napi::Env env, const std::vector<int> &signals, Napi::Function act) {
  guard = new Guard;
  guard->signals = signals;
  guard->act = Napi::Persistent(act);
  guard->act.SuppressDestruct();
  guard->isolate = v8::Isolate::GetCurrent();
  sem_init(&guard->arrived, 0, 0);
  for (const int signal : signals) {
    sigaction(signal, nullptr, &guard->of[signal].before);
    struct sigaction ours = guard->of[signal].before;
    ours.sa_flags |= SA_SIGINFO;
    ours.sa_sigaction = OnSignal;
    sigaction(signal, &ours, nullptr);
  }
  env.AddCleanupHook([] {
    const std::lock_guard<std::mutex> lock(guard->mutex);
    guard->isolate = nullptr;
  });
  StartWatching();
}

void SignalHandled(int signal) {
  Guarded &guarded = guard->of[signal];
  guarded.handled = guarded.received.load();
}

} // namespace pyprof
