// SPDX-License-Identifier: Apache-2.0
'use strict';
// The profiler's JavaScript face: checks arguments, and gives out handles that cannot be forged.

const path = require('path');
const { inspect } = require('util');

const POLICIES = ['recreate', 'keep'];
const MAX_INT32 = 0x7fffffff; // what V8 and timers take

const native = load();
const handles = new WeakMap(); // Profile -> what the addon holds
let running = null; // identifies the profile that runs, for its stop function

function load() {
  const file = path.join(__dirname, 'build', 'Release', 'pyprof.node');
  let addon;
  let reason;
  try {
    addon = require(file);
    // Node-API addons are loaded whatever they were built for, but this one uses V8 as well.
    if (addon.abi === Number(process.versions.modules)) return addon;
    reason = `it was built for Node ${addon.builtFor} (ABI ${addon.abi})`;
  } catch (error) {
    reason = error.message;
  }
  const prefix = path.dirname(path.dirname(process.execPath));
  throw withCode(new Error(
    `pyprof-node: ${file} does not run in Node ${process.version} (ABI ${process.versions.modules}): ${reason}. ` +
    `Build it: cd ${__dirname} && npm install --ignore-scripts && npm_config_nodedir=${prefix} npx node-gyp rebuild`,
  ), 'ERR_PPROF_NOT_BUILT');
}

function withCode(error, code) {
  error.code = code;
  return error;
}

function invalidType(name, expected, value) {
  return withCode(new TypeError(`"${name}" must be ${expected}. Received ${inspect(value)}`), 'ERR_INVALID_ARG_TYPE');
}

function outOfRange(name, expected, value) {
  return withCode(new RangeError(`"${name}" must be ${expected}. Received ${inspect(value)}`), 'ERR_OUT_OF_RANGE');
}

function checkType(name, type, value) {
  if (typeof value !== type) throw invalidType(name, `a ${type}`, value);
  return value;
}

function checkInteger(name, value) {
  checkType(name, 'number', value);
  if (!Number.isInteger(value) || value < 1 || value > MAX_INT32) {
    throw outOfRange(name, `an integer from 1 to ${MAX_INT32}`, value);
  }
  return value;
}

function checkObject(name, value) {
  if (typeof value !== 'object' || value === null) throw invalidType(name, 'an object', value);
  return value;
}

function nativeHandle(profile) {
  const handle = handles.get(profile);
  if (handle === undefined) throw invalidType('profile', 'a Profile, as stop() returns it', profile);
  return handle;
}

// Node 12 counts a waiting event loop as (program) until it is told to tell V8. Later versions always tell, and workers
// of 12 cannot.
function notifyIdle(wanted) {
  const notify = wanted ? process._startProfilerIdleNotifier : process._stopProfilerIdleNotifier;
  if (typeof notify === 'function') notify.call(process);
}

class Profile {}

function start(options = {}) {
  const { policy = 'recreate', intervalMicros = 1000, lineNumbers = true, name = '' } = checkObject('options', options);
  checkType('options.policy', 'string', policy);
  if (!POLICIES.includes(policy)) throw outOfRange('options.policy', `one of ${POLICIES.join(', ')}`, policy);
  checkInteger('options.intervalMicros', intervalMicros);
  checkType('options.lineNumbers', 'boolean', lineNumbers);
  checkType('options.name', 'string', name);

  native.start(policy === 'keep', intervalMicros, lineNumbers);
  notifyIdle(true);
  const token = {};
  running = token;
  return function stopThisProfile() {
    // Called a second time, it must not stop a profile that was started since.
    if (running !== token) throw withCode(new Error('this profile was stopped already'), 'ERR_PPROF_NOT_STARTED');
    return stop();
  };
}

function stop() {
  const handle = native.stop();
  running = null;
  notifyIdle(false);
  const profile = new Profile();
  handles.set(profile, handle);
  return profile;
}

async function profile(options) {
  const durationMillis = checkInteger('options.durationMillis', checkObject('options', options).durationMillis);
  const stopThisProfile = start(options);
  await new Promise((resolve) => setTimeout(resolve, durationMillis));
  return stopThisProfile();
}

async function encode(profile) {
  return native.encode(nativeHandle(profile));
}

function encodeSync(profile) {
  return native.encodeSync(nativeHandle(profile));
}

module.exports = { time: { start, stop, profile }, encode, encodeSync };
