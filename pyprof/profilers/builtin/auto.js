'use strict'

// pyprof's own profiler, `eager` within a budget of memory, and without what it costs where code is made all the time.

module.exports = require('../addon.js')('auto')
