// SPDX-License-Identifier: Apache-2.0
'use strict';
// Profiles of what is alive in V8's heap, and where it was allocated.

const { checkInteger, checkType, withCode } = require('./arguments.js');
const native = require('./native.js');
const { createProfile } = require('./profile.js');
const { checkSourceMapper } = require('./source_maps');

const MAX_STACK_DEPTH = 512; // V8 follows them by recursion, on a stack that may be used up already

let running = null; // {intervalBytes, stackDepth}

function start(intervalBytes = 512 * 1024, stackDepth = 64) {
  checkInteger('intervalBytes', intervalBytes);
  checkInteger('stackDepth', stackDepth, MAX_STACK_DEPTH);
  if (running !== null) {
    throw withCode(new Error(
      `heap profiling is on already, with intervalBytes ${running.intervalBytes} and stackDepth ${running.stackDepth}`,
    ), 'ERR_PPROF_ALREADY_STARTED');
  }
  native.heapStart(intervalBytes, stackDepth);
  running = { intervalBytes, stackDepth };
}

/** Does nothing if it is off. */
function stop() {
  if (running === null) return;
  running = null;
  native.heapStop();
}

function profile(ignoreSamplePath = '', sourceMapper = null) {
  checkType('ignoreSamplePath', 'string', ignoreSamplePath);
  const mapping = checkSourceMapper('sourceMapper', sourceMapper);
  if (running === null) {
    throw withCode(new Error('heap profiling is off: call heap.start() first'), 'ERR_PPROF_NOT_STARTED');
  }
  return createProfile(native.heapProfile(ignoreSamplePath), mapping);
}

module.exports = { start, stop, profile };
