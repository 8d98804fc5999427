'use strict'

const { monitorEventLoopDelay } = require('perf_hooks')

const RESOLUTION_MS = 10

/**
 * Watches how late a timer of 10 ms fires while the event loop is busy or blocked.
 * Node records the time between two firings; the delay is what exceeds the timer's own period.
 */
module.exports = function watch() {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  const beyond = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
  histogram.enable()
  return {
    reset: () => histogram.reset(),
    // JSON has no NaN: the mean of an empty histogram arrives as null.
    read: () => ({
      mean_ms: beyond(histogram.mean),
      p50_ms: beyond(histogram.percentile(50)),
      p99_ms: beyond(histogram.percentile(99)),
      max_ms: beyond(histogram.max),
    }),
  }
}
