'use strict'

// The control: no profiler at all, the same loop.

module.exports = () => null
