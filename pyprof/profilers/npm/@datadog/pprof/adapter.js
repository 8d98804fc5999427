'use strict'

// Datadog's fork of `pprof`, in its usual mode: a profiler for each profile.

module.exports = function (directory, options) {
  const { time, encode } = require(directory)
  return {
    start: () => time.start({ intervalMicros: options.intervalMicros }),
    // Its stop() also builds the profile as JavaScript objects: that is part of the pause that it causes.
    stop: () => time.stop(),
    encode: (profile) => encode(profile),
  }
}
