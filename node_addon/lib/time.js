// SPDX-License-Identifier: Apache-2.0
'use strict';
// Profiles of where this thread spends its time.

const { clearInterval, setInterval, setTimeout } = require('timers'); // whatever the app replaces later
const {
  POLICIES, checkInteger, checkObject, checkOneOf, checkType, invalidType, withCode,
} = require('./arguments.js');
const native = require('./native.js');
const { createProfile } = require('./profile.js');
const { checkSourceMapper } = require('./source_maps');

const NAMINGS = ['debug', 'standard'];
const ENTRIES = ['(program)', '(idle)', '(garbage collector)']; // in the order of native.start
const TICK_MS = 2000;

let running = null; // the profile that runs, for its stop function: {mapping: what maps its sources, or null}
let ticking = null; // the timer of policy `auto`

// Node 12 counts a waiting event loop as (program) until it is told to tell V8. Later versions always tell, and workers
// of 12 cannot.
function notifyIdle(wanted) {
  const notify = wanted ? process._startProfilerIdleNotifier : process._stopProfilerIdleNotifier;
  if (typeof notify === 'function') notify.call(process);
}

function tickIf(wanted) {
  if (wanted) {
    if (ticking === null) ticking = setInterval(native.tick, TICK_MS);
    ticking.unref(); // each time, since the stack may have been full at this very point
  } else if (ticking !== null) {
    clearInterval(ticking);
    ticking = null;
  }
}

function prepare(options = {}) {
  const { policy = 'auto', naming = 'debug' } = checkObject('options', options);
  checkOneOf('options.policy', POLICIES, policy);
  checkOneOf('options.naming', NAMINGS, naming);
  native.prepare(POLICIES.indexOf(policy), naming === 'standard');
  tickIf(policy === 'auto');
}

function optionsOf([first = {}, name, sourceMapper, lineNumbers]) {
  if (typeof first !== 'number') return first;
  return { intervalMicros: first, name, sourceMapper, lineNumbers };
}

/** The arguments of native.start. */
function nativeArguments(options) {
  const {
    policy = 'auto', intervalMicros = 1000, lineNumbers = true, callLines = false, naming = 'debug', omit = [],
    timestamps = false, maxSamples = 100000, name = '',
  } = checkObject('options', options);
  checkOneOf('options.policy', POLICIES, policy);
  checkInteger('options.intervalMicros', intervalMicros);
  checkType('options.lineNumbers', 'boolean', lineNumbers);
  checkType('options.callLines', 'boolean', callLines);
  checkOneOf('options.naming', NAMINGS, naming);
  if (!Array.isArray(omit)) throw invalidType('options.omit', 'an array', omit);
  omit.forEach((entry, i) => checkOneOf(`options.omit[${i}]`, ENTRIES, entry));
  checkType('options.timestamps', 'boolean', timestamps);
  checkInteger('options.maxSamples', maxSamples);
  checkType('options.name', 'string', name);
  return [
    POLICIES.indexOf(policy), intervalMicros, timestamps ? maxSamples : 0, naming === 'standard', callLines, lineNumbers,
    ...ENTRIES.map((entry) => omit.includes(entry)),
  ];
}

/** Either one object of options, or what the `pprof` package takes. */
function start(...given) {
  const options = optionsOf(given);
  const checked = nativeArguments(options);
  const mapping = checkSourceMapper('options.sourceMapper', options.sourceMapper);
  const token = { mapping };
  native.start(...checked);
  running = token;
  tickIf(POLICIES[checked[0]] === 'auto');
  notifyIdle(true);
  return function stopThisProfile() {
    // Called a second time, it must not stop a profile that was started since.
    if (running !== token) throw withCode(new Error('this profile was stopped already'), 'ERR_PPROF_NOT_STARTED');
    return stop();
  };
}

function stop() {
  if (running === null) { // maybe another copy of this module has started one
    throw withCode(new Error('no profile is running: start one first'), 'ERR_PPROF_NOT_STARTED');
  }
  const handle = native.stop();
  const { mapping } = running;
  running = null;
  notifyIdle(false);
  return createProfile(handle, mapping);
}

async function profile(options) {
  const durationMillis = checkInteger('options.durationMillis', checkObject('options', options).durationMillis);
  const stopThisProfile = start(options);
  await new Promise((resolve) => setTimeout(resolve, durationMillis));
  return stopThisProfile();
}

function state() {
  return native.state();
}

module.exports = { prepare, start, stop, profile, state };
