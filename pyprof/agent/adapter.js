'use strict'

/**
 * The profiler of an adapter file: an object with start, stop and encode; null for none.
 * `adapter` is the file, `directory` what it has to `require()`, `interval` the microseconds between two samples.
 */
module.exports = function load(adapter, directory, interval) {
  const create = require(adapter)
  if (typeof create !== 'function') throw new TypeError(`${adapter} must export a function (directory, options)`)
  const profiler = create(directory, { intervalMicros: interval })
  if (profiler === null) return null
  for (const name of ['start', 'stop', 'encode']) {
    if (!profiler || typeof profiler[name] !== 'function') {
      throw new TypeError(`the function that ${adapter} exports must return {start, stop, encode}; it has no ${name}()`)
    }
  }
  return profiler
}
