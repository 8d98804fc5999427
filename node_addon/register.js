// SPDX-License-Identifier: Apache-2.0
'use strict';
// node --require pyprof-node/register app.js: profiles the main thread from its start. Writes pprof-profile-<pid>.pb.gz
// when the process exits, or dies of SIGINT or SIGTERM, and on each SIGUSR2 what was gathered since the last to
// pprof-profile-<pid>-<n>.pb.gz, n from 1 on.

// Whatever the app replaces later:
const { renameSync, unlinkSync, writeFile, writeFileSync, writeSync } = require('fs');
const { signals } = require('os').constants;
const path = require('path');
const { promisify } = require('util');
const { isMainThread } = require('worker_threads');

const env = Object.assign({}, process.env);
const DEADLY = ['SIGINT', 'SIGTERM'];
const INVALID_ARGUMENT = 9; // Node's own exit code for what it is given and does not understand

function optionsOfEnvironment() {
  const { POLICIES, checkInteger, checkOneOf } = require('./lib/arguments.js');
  const { SourceMapper } = require('./lib/source_maps');
  const interval = env.PYPROF_INTERVAL_MICROS || '1000';
  const directories = (env.PYPROF_SOURCE_MAPS || '').split(path.delimiter).filter(Boolean);
  return {
    policy: checkOneOf('PYPROF_POLICY', POLICIES, env.PYPROF_POLICY || 'auto'),
    intervalMicros: checkInteger('PYPROF_INTERVAL_MICROS', Number.isNaN(+interval) ? interval : +interval),
    callLines: checkOneOf('PYPROF_CALL_LINES', ['0', '1'], env.PYPROF_CALL_LINES || '0') === '1',
    sourceMapper: directories.length > 0 ? new SourceMapper(directories) : null,
  };
}

function register() {
  const native = require('./lib/native.js');
  const { encode, encodeSync } = require('./lib/profile.js');
  const time = require('./lib/time.js');

  const options = optionsOfEnvironment();
  const prefix = path.resolve(env.PYPROF_DIRECTORY || '.', `pprof-profile-${process.pid}`);
  const unwritten = new Map(); // file -> profile
  let stop = time.start(options);
  let n = 0;
  let last = 'to come'; // the profile that the end brings

  const unfinished = (file) => `${file}.unfinished`; // who waits for the file is to find all of it

  function report(error) {
    try {
      writeSync(2, `pyprof-node: no profile was written: ${error.message}\n`);
    } catch (_) { // nobody reads it: no reason for the app to fail
    }
  }

  function discard(file) { // as the disk was full, perhaps
    try {
      unlinkSync(file);
    } catch (_) { // it was never made
    }
  }

  function writeNow(file, profile) {
    try {
      const bytes = encodeSync(profile);
      try {
        writeFileSync(file, bytes);
      } catch (error) {
        discard(file);
        throw error;
      }
    } catch (error) {
      report(error);
    }
  }

  function finish() {
    if (last !== 'to come') return;
    last = 'being written';
    native.holdSignals();
    unwritten.forEach((profile, file) => {
      writeNow(file, profile);
      discard(unfinished(file));
    });
    unwritten.clear();
    try {
      writeNow(`${prefix}.pb.gz`, stop());
    } catch (error) { // the app has stopped it
      report(error);
    }
    last = 'written';
  }

  async function writeOne(file, profile) {
    unwritten.set(file, profile);
    const bytes = await encode(profile);
    try {
      await promisify(writeFile)(unfinished(file), bytes);
      renameSync(unfinished(file), file);
    } catch (error) {
      discard(unfinished(file));
      throw error;
    }
  }

  function writeNext() {
    const file = `${prefix}-${n + 1}.pb.gz`;
    try {
      const profile = stop();
      n += 1;
      stop = time.start(options);
      writeOne(file, profile).catch(report).then(() => unwritten.delete(file));
    } catch (error) {
      report(error);
    }
  }

  process.on('exit', () => {
    finish();
    native.releaseSignals();
  });
  process.on('SIGUSR2', writeNext);

  // An app that listens for a signal decides itself what becomes of it; Node takes the guard's place then.
  function guard(name) {
    const ends = DEADLY.includes(name) && process.listenerCount(name) === 0;
    if (ends && last === 'to come') native.guardSignal(signals[name]);
  }

  function die() {
    if (last !== 'to come') return; // who writes also ends
    finish();
    native.releaseSignals();
    try { // It still lives, as process 1 does: so it would have without this module.
      stop = time.start(options);
      last = 'to come';
      DEADLY.forEach(guard);
    } catch (error) {
      report(error);
    }
  }

  native.startSignalGuard(die);
  DEADLY.forEach(guard);
  process.on('removeListener', guard);
}

// Workers preload the same modules.
if (isMainThread) {
  try {
    register();
  } catch (error) {
    if (error.code === undefined) throw error; // a defect of this file's, not of what it was given
    writeSync(2, `pyprof-node: ${error.message}\n`);
    process.exit(INVALID_ARGUMENT);
  }
}
