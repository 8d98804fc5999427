'use strict'

// Datadog's fork of `pprof`, in the mode of its tracer: stop(true) ends a profile and begins the next one, so that one
// profiler runs from the first start() on. A profile also covers the gap before it.

module.exports = function (directory, options) {
  const { time, encode } = require(directory)
  return {
    start() {
      if (!time.isStarted()) time.start({ intervalMicros: options.intervalMicros })
    },
    stop: () => time.stop(true),
    encode: (profile) => encode(profile),
  }
}
