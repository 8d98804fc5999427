'use strict'

// pyprof's own profiler, one CpuProfiler that logs code as it is compiled: starting does not walk the heap.

module.exports = require('../addon.js')('eager')
