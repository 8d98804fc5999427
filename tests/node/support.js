// SPDX-License-Identifier: Apache-2.0
'use strict';
// What the tests share: the addon under test, work to profile, an independent reader of pprof, folders, and child
// processes.

const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const vm = require('vm');
const zlib = require('zlib');
const pprof = require('pprof-format');

const ADDON = path.resolve(process.env.PYPROF_ADDON || path.join(__dirname, '..', '..', 'node_addon'));
const NODE_MAJOR = Number(process.versions.node.split('.')[0]);

class Skip {
  constructor(reason) {
    this.reason = reason;
  }
}

const skip = (reason) => new Skip(reason);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const bigintSum = (values) => values.reduce((sum, value) => sum + BigInt(value), BigInt(0));

/** Calls `work` again and again for `ms` milliseconds. */
function repeat(work, ms) {
  const end = Date.now() + ms;
  while (Date.now() < end) work();
}

let copies = 0;

/**
 * The exports of a CommonJS `source`, compiled anew and so never optimised before: V8 does not show a profiler that is
 * created later the loops that it optimised while they ran, and counts their hits on the caller.
 */
function fresh(source, filename) {
  const module = { exports: {} };
  vm.runInThisContext(`(function (module) {${source}\n}) // ${++copies}`, { filename })(module);
  return module.exports;
}

const BURN = `module.exports = function burn(ms) {
  const end = Date.now() + ms;
  let sum = 0;
  while (Date.now() < end) for (let i = 0; i < 20000; i++) sum += Math.sqrt(i);
  return sum;
}`;

/** A new function called outer, which spends `ms` milliseconds in the long loop of one called spin. */
const freshLoop = () => fresh(`
  function spin(ms) {
    let sum = 0;
    for (const end = Date.now() + ms; Date.now() < end;) for (let i = 0; i < 20000; i++) sum += Math.sqrt(i);
    return sum;
  }
  module.exports = function outer(ms) { return spin(ms) + 1; };`, '/loop.js');

/** Spends `ms` milliseconds in a function called burn. */
const burn = (ms) => fresh(BURN, __filename)(ms);

/**
 * Reads pprof bytes. Samples have `stack`, innermost frame first, of {name, filename, startLine, line, column,
 * functionId}, and `hits` and `wall` (BigInt).
 */
function decode(bytes) {
  const raw = pprof.Profile.decode(zlib.gunzipSync(bytes));
  const text = (index) => raw.stringTable.strings[Number(index)];
  const valueType = (type) => [text(type.type), text(type.unit)];
  const functions = new Map(raw.function.map((f) => [String(f.id), f]));
  const locations = new Map(raw.location.map((l) => [String(l.id), l]));
  const frame = (id) => {
    const line = locations.get(String(id)).line[0];
    const fn = functions.get(String(line.functionId));
    return {
      name: text(fn.name),
      filename: text(fn.filename),
      startLine: Number(fn.startLine),
      line: Number(line.line),
      column: Number(line.column),
      functionId: String(fn.id),
    };
  };
  return {
    sampleTypes: raw.sampleType.map(valueType),
    defaultSampleType: text(raw.defaultSampleType),
    periodType: valueType(raw.periodType),
    period: Number(raw.period),
    timeMs: Number(BigInt(raw.timeNanos) / BigInt(1e6)),
    duration: BigInt(raw.durationNanos),
    labels: raw.sample.map((sample) => sample.label.map((l) => [text(l.key), Number(l.num), text(l.numUnit)])),
    nFunctions: raw.function.length,
    samples: raw.sample.map((sample) => ({
      stack: sample.locationId.map(frame),
      hits: BigInt(sample.value[0]),
      wall: BigInt(sample.value[1]),
    })),
  };
}

const hits = (samples) => Number(bigintSum(samples.map((sample) => sample.hits)));
/** The samples whose innermost function is called `name`. */
const leavesOf = (profile, name) => profile.samples.filter((s) => s.stack.length > 0 && s.stack[0].name === name);
/** Which share of all hits that function got. */
const share = (profile, name) => hits(leavesOf(profile, name)) / hits(profile.samples);

/** Profiles what `work` does, which may be asynchronous. */
async function profileOf(work, options) {
  const addon = require(ADDON);
  const stop = addon.time.start(options);
  try {
    await work();
  } catch (error) {
    stop();
    throw error;
  }
  return decode(await addon.encode(stop()));
}

/** What `use` returns of a folder that goes afterwards. */
async function inFolder(use) {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'pyprof-'));
  try {
    return await use(folder);
  } finally {
    spawnSync('rm', ['-r', folder]);
  }
}

/** Runs JavaScript in a new process, where `addon` is the addon and burn() as above. */
function runNode(code, { args = [], env = {} } = {}) {
  const prelude = `'use strict'; const addon = require(${JSON.stringify(ADDON)}); const module = {};\n${BURN}\nconst burn = module.exports;\n`;
  const child = spawnSync(process.execPath, [...args, '-e', prelude + code], {
    encoding: 'utf8',
    timeout: 100000,
    env: Object.assign({}, process.env, env),
  });
  return { status: child.status, signal: child.signal, stdout: child.stdout, stderr: child.stderr };
}

module.exports = {
  ADDON, NODE_MAJOR, Skip, bigintSum, burn, decode, fresh, freshLoop, hits, inFolder, leavesOf, profileOf, repeat, runNode,
  share, skip, sleep,
};
