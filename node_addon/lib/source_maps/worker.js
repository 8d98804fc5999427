// SPDX-License-Identifier: Apache-2.0
'use strict';
// The thread on which a SourceMapper maps: reading a large map takes longer than an event loop should wait.

const { parentPort, workerData } = require('worker_threads');
const { SourceMaps } = require('./files.js');
const { mapPlaces } = require('./places.js');

const maps = new SourceMaps(workerData.directories, require(workerData.library));

parentPort.on('message', (places) => {
  parentPort.postMessage({ places: mapPlaces(places, maps), skipped: maps.skipped.splice(0) });
});
