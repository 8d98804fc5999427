'use strict'

// What the built-in adapters share: pyprof's own addon under one life-cycle policy.

module.exports = (policy) => (directory, options) => {
  const addon = require(directory)
  const settings = { policy, intervalMicros: options.intervalMicros }
  addon.time.prepare(settings) // eager and auto are to know all code that is compiled from now on
  let stop
  return {
    start() {
      stop = addon.time.start(settings)
    },
    stop: () => stop(),
    encode: (handle) => addon.encode(handle),
    released: () => addon.time.state().releaseMillis,
  }
}
