// SPDX-License-Identifier: Apache-2.0
'use strict';

const heap = require('./lib/heap.js');
const { encode, encodeSync } = require('./lib/profile.js');
const { SourceMapper } = require('./lib/source_maps');
const time = require('./lib/time.js');

module.exports = { time, heap, encode, encodeSync, SourceMapper };
