'use strict'

// Packages that are used as `pprof` is: time.start() returns a function that stops, encode() makes a profile bytes.

module.exports = function (directory, options) {
  const { time, encode } = require(directory)
  if (!time || typeof time.start !== 'function' || typeof encode !== 'function') {
    throw new TypeError('it does not have the API of pprof (time.start and encode): put a pyprof-adapter.js into its folder')
  }
  let stop
  return {
    start() {
      stop = time.start(options.intervalMicros)
    },
    // pprof's stop() also builds the profile as JavaScript objects: that is part of the pause that it causes.
    stop: () => stop(),
    encode: (profile) => encode(profile),
  }
}
