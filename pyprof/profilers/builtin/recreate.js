'use strict'

// pyprof's own profiler, V8's CpuProfiler made for each profile and destroyed after it.

module.exports = require('../addon.js')('recreate')
