'use strict'

// Google's `pprof` package. 2.0.0 keeps one CpuProfiler for the life of the process, 3.0.0 makes one for each profile.
// It must not be preloaded itself: under `--require` it starts a profile of its own.

module.exports = function (directory, options) {
  const pprof = require(directory)
  let stop
  return {
    start() {
      stop = pprof.time.start(options.intervalMicros)
    },
    // Its stop() also builds the profile as JavaScript objects: that is part of the pause that it causes.
    stop: () => stop(),
    encode: (profile) => pprof.encode(profile),
  }
}
