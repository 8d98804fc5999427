// SPDX-License-Identifier: Apache-2.0
'use strict';
// Made addon.pb.gz, a profile as the addon wrote it, and addon.json, what an independent reader (pprof-format) finds in
// it. From this directory, so that the script has no path that would end up in the profile:
//
//     node - ../../node_addon ../node/support.js < make_addon_profile.js

const fs = require('fs');
const path = require('path');
const vm = require('vm');
const zlib = require('zlib');

const [ADDON, SUPPORT] = process.argv.slice(2).map((file) => path.resolve(file));
const { time, encodeSync } = require(ADDON);
const { decode } = require(SUPPORT);

const WORK = `
function fibonacci(n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

function sort(n) {
  return Array.from({ length: n }, (_, i) => (i * 7919) % n).sort((a, b) => a - b);
}

(function work(ms) {
  for (const end = Date.now() + ms; Date.now() < end;) {
    fibonacci(20);
    sort(1000);
  }
})`;

function take() {
  const work = vm.runInThisContext(WORK, { filename: '/golden/work.js' });
  const stop = time.start();
  work(300);
  return encodeSync(stop());
}

/** Sums over the samples, by function name: flat of the innermost frame, cum once per sample. */
function sums(samples) {
  const rows = {};
  const row = (name) => (rows[name] = rows[name] || { flat: [0, 0], cum: [0, 0] });
  const add = (sum, { hits, wall }) => [hits, wall].forEach((value, i) => (sum[i] += Number(value)));
  for (const sample of samples) {
    if (sample.stack.length > 0) add(row(sample.stack[0].name).flat, sample);
    for (const name of new Set(sample.stack.map((frame) => frame.name))) add(row(name).cum, sample);
  }
  return rows;
}

let bytes;
do bytes = take(); while (zlib.gunzipSync(bytes).includes(path.dirname(ADDON))); // a sample in the addon's own code

const profile = decode(bytes);
const ours = [].concat(...profile.samples.map(({ stack }) => stack)).filter((f) => f.filename === '/golden/work.js');
const description = {
  node: process.version,
  sample_types: profile.sampleTypes,
  default_sample_type: profile.defaultSampleType,
  period_type: profile.periodType,
  period: profile.period,
  time_ms: profile.timeMs,
  duration_nanos: Number(profile.duration),
  n_samples: profile.samples.length,
  start_lines: ours.reduce((lines, frame) => Object.assign(lines, { [frame.name]: frame.startLine }), {}),
  functions: sums(profile.samples),
};
fs.writeFileSync('addon.pb.gz', bytes);
fs.writeFileSync('addon.json', `${JSON.stringify(description, null, 1)}\n`);
