/* SPDX-License-Identifier: Apache-2.0 */
#include "signal_guard.h"

#include <semaphore.h>
#include <signal.h>
#include <unistd.h>
#include <v8.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace pyprof {
namespace {

const std::chrono::seconds kForTheLoop{1}, kForJavaScript{3};

// Of the process, as signals are, and never freed: its thread may live until the last moment.
struct Guard {
  std::vector<int> signals;      // of the main thread
  struct sigaction before[NSIG]; // of `signals`
  std::atomic<int> arrived{0};   // the first that did; 0 if none
  std::atomic<bool> held{false};
  sem_t wake;
  Napi::FunctionReference act;
  std::mutex mutex; // guards these:
  Napi::ThreadSafeFunction turn;
  v8::Isolate *isolate; // nullptr from the end of its environment on
};

Guard *guard = nullptr;

void OnSignal(int signal) {
  const int error = errno;
  int none = 0;
  guard->arrived.compare_exchange_strong(none, signal);
  sem_post(&guard->wake);
  errno = error;
}

bool IsOurs(const struct sigaction &action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == OnSignal;
}

void Act() {
  if (guard->arrived == 0 || guard->held.exchange(true))
    return;
  const Napi::Env env = guard->act.Env();
  const Napi::HandleScope scope(env);
  guard->act.Call(std::initializer_list<napi_value>{});
  if (env.IsExceptionPending()) // which must not reach what was interrupted
    env.GetAndClearPendingException();
}

void Interrupt(v8::Isolate *, void *) {
  if (guard->isolate != nullptr)
    Act();
}

void Die() {
  const int signal = guard->arrived;
  sigaction(signal, &guard->before[signal], nullptr);
  kill(getpid(), signal);
}

// Whether `ask` was called: not once the environment has ended, nor if somebody else sees to the signal.
template <typename Ask>
bool Asked(Ask ask) {
  const std::lock_guard<std::mutex> lock(guard->mutex);
  if (guard->isolate != nullptr && !guard->held)
    ask();
  return guard->isolate != nullptr;
}

void Watch() {
  for (;;) {
    while (sem_wait(&guard->wake) != 0)
      continue;
    bool alive = Asked([] { guard->turn.NonBlockingCall([](Napi::Env, Napi::Function) { Act(); }); });
    if (alive)
      std::this_thread::sleep_for(kForTheLoop);
    alive = alive && Asked([] { guard->isolate->RequestInterrupt(Interrupt, nullptr); });
    if (alive && !guard->held)
      std::this_thread::sleep_for(kForJavaScript);
    if (!guard->held && guard->arrived != 0)
      Die();
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

void StartSignalGuard(Napi::Env env, Napi::Function act) {
  guard = new Guard;
  sem_init(&guard->wake, 0, 0);
  guard->act = Napi::Persistent(act);
  guard->act.SuppressDestruct();
  guard->turn = Napi::ThreadSafeFunction::New(env, act, "pyprof.signal", 0, 1);
  guard->turn.Unref(env);
  guard->isolate = v8::Isolate::GetCurrent();
  env.AddCleanupHook([] { // before that of `turn`, which was added earlier
    const std::lock_guard<std::mutex> lock(guard->mutex);
    guard->isolate = nullptr;
  });
  StartWatching();
}

void GuardSignal(int signal) {
  struct sigaction now;
  sigaction(signal, nullptr, &now);
  if (IsOurs(now) || ((now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_IGN))
    return;
  guard->before[signal] = now;
  guard->signals.push_back(signal);
  struct sigaction ours = {};
  ours.sa_handler = OnSignal;
  ours.sa_flags = SA_RESTART;
  sigfillset(&ours.sa_mask);
  sigaction(signal, &ours, nullptr);
}

void HoldSignals() { guard->held = true; }

void ReleaseSignals() {
  for (const int signal : guard->signals) {
    struct sigaction now;
    sigaction(signal, nullptr, &now);
    if (IsOurs(now))
      sigaction(signal, &guard->before[signal], nullptr);
  }
  guard->signals.clear();
  const int arrived = guard->arrived.exchange(0);
  guard->held = false;
  if (arrived != 0)
    raise(arrived);
}

} // namespace pyprof
