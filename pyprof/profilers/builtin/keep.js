'use strict'

// pyprof's own profiler, one CpuProfiler kept for the life of the process: the behaviour that leaked.

module.exports = require('../addon.js')('keep')
