'use strict'

// What the built-in adapters share: pyprof's own addon under one life-cycle policy.

module.exports = (policy) => (directory, options) => {
  const addon = require(directory)
  const settings = { policy, intervalMicros: options.intervalMicros }
  let stop
  return {
    start() {
      stop = addon.time.start(settings)
    },
    stop: () => stop(),
    encode: (handle) => addon.encode(handle),
  }
}
