// SPDX-License-Identifier: Apache-2.0
'use strict';
// What users of source maps hold, and the two ways of mapping: on a thread, or at once.

const { promises, realpathSync } = require('fs');
const path = require('path');
const { Worker, isMainThread } = require('worker_threads');
const { checkType, invalidType } = require('../arguments.js');
const { SourceMaps } = require('./files.js');
const { mapPlaces } = require('./places.js');

// Node 12 crashes when a worker that is being terminated starts a thread of its own.
const MAY_START_THREADS = isMainThread || parseInt(process.versions.node, 10) >= 14;

const records = new WeakMap(); // SourceMapper -> Mapping

class Mapping {
  constructor(directories) {
    this.directories = directories;
    this.library = require.resolve('@jridgewell/trace-mapping');
    this.skipped = new Map(); // file -> reason
    this.maps = null; // for mapping at once
    this.worker = null;
    this.pending = []; // {resolve, reject} in the order asked
  }

  /** null if it fails, which must not cost the profile. */
  now(places) {
    try {
      if (this.maps === null) this.maps = new SourceMaps(this.directories, require(this.library));
      const mapped = mapPlaces(places, this.maps);
      this.note(this.maps.skipped.splice(0));
      return mapped;
    } catch (error) {
      process.emitWarning(`a profile is not mapped to its sources: ${error.message}`, { code: 'PYPROF_SOURCE_MAP' });
      return null;
    }
  }

  async soon(places) {
    if (!MAY_START_THREADS) return this.now(places);
    try {
      return await this.ask(places);
    } catch (error) { // no thread may be started, or it died: then here
      return this.now(places);
    }
  }

  ask(places) {
    if (this.worker === null) this.worker = this.startWorker();
    return new Promise((resolve, reject) => {
      this.pending.push({ resolve, reject });
      this.worker.ref();
      this.worker.postMessage(places);
    });
  }

  startWorker() {
    const { directories, library } = this;
    // Neither what the app preloads nor its environment is any use there.
    const worker = new Worker(path.join(__dirname, 'worker.js'), {
      workerData: { directories, library }, execArgv: [], env: {},
    });
    let failure = new Error('the thread that maps sources has ended');
    worker.on('message', ({ places, skipped }) => {
      this.note(skipped);
      this.pending.shift().resolve(places);
      if (this.pending.length === 0) worker.unref();
    });
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', () => {
      this.worker = null;
      for (const { reject } of this.pending.splice(0)) reject(failure);
    });
    return worker;
  }

  note(skipped) {
    for (const { file, reason, broken } of skipped) {
      if (this.skipped.has(file)) continue;
      this.skipped.set(file, reason);
      if (broken) process.emitWarning(`${file} is not mapped to its sources: ${reason}`, { code: 'PYPROF_SOURCE_MAP' });
    }
  }
}

function checkDirectories(searchDirs) {
  if (!Array.isArray(searchDirs)) throw invalidType('searchDirs', 'an array of directories', searchDirs);
  searchDirs.forEach((directory, i) => checkType(`searchDirs[${i}]`, 'string', directory));
  return searchDirs;
}

class SourceMapper {
  static async create(searchDirs) {
    for (const directory of checkDirectories(searchDirs)) await promises.readdir(directory);
    return new SourceMapper(searchDirs);
  }

  constructor(searchDirs = []) {
    // V8 names files by their real paths.
    records.set(this, new Mapping(checkDirectories(searchDirs).map((directory) => realpathSync(directory))));
  }

  get skipped() {
    return Array.from(records.get(this).skipped, ([file, reason]) => ({ file, reason }));
  }
}

/** undefined and null mean none. @returns what maps places, or null */
function checkSourceMapper(name, value) {
  if (value === undefined || value === null) return null;
  if (!records.has(value)) throw invalidType(name, 'a SourceMapper', value);
  return records.get(value);
}

module.exports = { SourceMapper, checkSourceMapper };
