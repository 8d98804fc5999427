'use strict'

// Google's `pprof` package. 2.0.0 keeps one CpuProfiler for the life of the process, 3.0.0 and later make one for each
// profile. It must not be preloaded itself: under `--require` it starts a profile of its own.

module.exports = require('../../pprof_api.js')
