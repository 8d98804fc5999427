'use strict'

// The profiler under Sentry's SDK. It samples 99 times a second, whatever is asked, and logs code eagerly.

const TITLE = 'pyprof'

module.exports = function (directory) {
  const { CpuProfilerBindings: profiler, ProfileFormat } = require(directory)
  return {
    start: () => profiler.startProfiling(TITLE),
    // It gives JavaScript objects: that is part of the pause that it causes.
    stop: () => profiler.stopProfiling(TITLE, ProfileFormat.THREAD),
    // As the SDK sends it; pyprof makes it a pprof profile when the trial is over.
    encode: (profile) => Buffer.from(JSON.stringify(profile)),
  }
}
