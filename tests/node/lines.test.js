// SPDX-License-Identifier: Apache-2.0
'use strict';
// Function.start_line is the definition, Line.line is what was executing, and functions are told apart by both.

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { ADDON, NODE_MAJOR, fresh, hits, leavesOf, profileOf, repeat } = require('./support.js');

const FILE = path.join(__dirname, 'fixtures', 'lines.js');
const INLINED = path.join(__dirname, 'fixtures', 'inlined.js');
const SOURCE = fs.readFileSync(FILE, 'utf8').split('\n');
const lineOf = (text) => SOURCE.findIndex((line) => line.includes(text)) + 1;
const load = () => fresh(SOURCE.join('\n'), FILE);

const framesOf = (profile) => [].concat(...profile.samples.map((sample) => sample.stack));
const ownFrames = (profile) => framesOf(profile).filter((frame) => frame.filename === FILE);
const distinct = (values) => new Set(values).size;

module.exports = {
  // google/pprof-nodejs#361 wrote the latter for both
  async 'leaves have the executing line, functions the line of their definition'() {
    const { caller } = load();
    const profile = await profileOf(() => repeat(() => caller(1e5), 200));
    const leaves = leavesOf(profile, 'hot');
    assert.ok(hits(leaves) > 10, `${hits(leaves)} hits`);
    assert.strictEqual(distinct(leaves.map((sample) => sample.stack[0].functionId)), 1);
    for (const { stack } of leaves) {
      assert.strictEqual(stack[0].startLine, lineOf('function hot'));
      assert.strictEqual(stack[0].filename, FILE);
    }
    const loop = leaves.filter(({ stack }) => [lineOf('for (let i'), lineOf('sum +=')].includes(stack[0].line));
    assert.ok(hits(loop) / hits(leaves) > 0.8, `${hits(loop)} of ${hits(leaves)} hits are in the loop`);
  },

  async 'lines belong to their function, as far as V8 tells'() {
    const source = fs.readFileSync(INLINED, 'utf8');
    const ends = {}; // of each function, its last line
    source.split('\n').reduce((name, text, i) => {
      const [, begun] = text.match(/^function (\w+)/) || [null, name];
      if (text === '}') ends[begun] = i + 1;
      return begun;
    }, null);
    require(ADDON).time.prepare({ policy: 'auto' });
    const walk = fresh(source, INLINED);
    repeat(() => walk(1e5), 100);
    const profile = await profileOf(() => repeat(() => walk(1e5), 1000), { policy: 'auto' });
    const leaves = profile.samples.filter(({ stack }) => stack[0].filename === INLINED && stack[0].line > 0);
    const own = leaves.filter(({ stack: [{ name, startLine, line }] }) => line >= startLine && line <= ends[name]);
    const least = { 20: 0.85, 24: 0.4, 26: 0.99 }[NODE_MAJOR] || 0.93; // 24: see node_addon/README.md
    assert.ok(hits(leaves) > 50, `${hits(leaves)} hits`);
    assert.ok(hits(own) / hits(leaves) >= least, `${hits(own)} of ${hits(leaves)} hits`);
  },

  async 'columns are those that were executing, where V8 tells'() {
    const { caller } = load();
    const profile = await profileOf(() => repeat(() => caller(1e5), 200));
    const places = leavesOf(profile, 'hot').map(({ stack }) => stack[0]).filter(({ line }) => line > 0);
    assert.ok(places.length > 0);
    for (const { line, column } of places) {
      if (NODE_MAJOR < 26) assert.strictEqual(column, 0);
      else assert.ok(column >= 1 && column <= SOURCE[line - 1].length + 1, `${line}:${column}`); // behind a return
    }
  },

  async 'a frame that waits for its callee has no line'() {
    const { caller } = load();
    const profile = await profileOf(() => repeat(() => caller(1e5), 100));
    const waiting = leavesOf(profile, 'hot').map(({ stack }) => stack[1]).filter((frame) => frame.name === 'caller');
    assert.ok(waiting.length > 0);
    for (const frame of waiting) {
      assert.strictEqual(frame.line, 0);
      assert.strictEqual(frame.startLine, lineOf('function caller'));
    }
  },

  // davidmarkclements/0x#240: V8 gives -1 for unknown
  async 'no line lies above its function, and none is negative'() {
    const { caller, twins, neighbours } = load();
    const profile = await profileOf(() => repeat(() => {
      caller(1000);
      for (const work of [...twins, ...neighbours]) work(1000);
      JSON.parse(JSON.stringify(SOURCE));
    }, 300));
    for (const frame of framesOf(profile)) {
      assert.ok(frame.line === 0 || frame.line >= frame.startLine, JSON.stringify(frame));
      assert.ok(frame.line >= 0 && frame.startLine >= 0 && frame.column >= 0, JSON.stringify(frame));
    }
  },

  async 'lineNumbers: false leaves the executing lines out and nothing else'() {
    const { caller } = load();
    const profile = await profileOf(() => repeat(() => caller(1e5), 100), { lineNumbers: false });
    assert.ok(hits(leavesOf(profile, 'hot')) > 5);
    for (const frame of framesOf(profile)) assert.strictEqual(frame.line, 0);
    assert.strictEqual(leavesOf(profile, 'hot')[0].stack[0].startLine, lineOf('function hot'));
  },

  async 'callLines: true gives callers the line of the call, and takes nothing away'() {
    const { caller } = load();
    const drive = () => {
      caller(1e5);
      caller(2e5);
    };
    const here = Number(new Error().stack.split('\n')[1].match(/:(\d+):\d+\)?$/)[1]);
    const profile = await profileOf(() => repeat(drive, 300), { callLines: true });
    const leaves = leavesOf(profile, 'hot').filter(({ stack }) => stack[1].name === 'caller');
    assert.ok(hits(leaves) > 0.8 * hits(leavesOf(profile, 'hot')), `${hits(leaves)} hits`);
    for (const { stack } of leaves) {
      assert.strictEqual(stack[0].startLine, lineOf('function hot'));
      assert.strictEqual(stack[1].startLine, lineOf('function caller'));
    }
    const right = leaves.filter(({ stack }) => stack[1].line === lineOf('    hot(n)'));
    assert.ok(hits(right) / hits(leaves) > 0.8, `${hits(right)} of ${hits(leaves)} hits`);
    const drives = leaves.map(({ stack }) => stack[2]).filter(({ name }) => name === 'drive');
    const calls = new Set(drives.map(({ line }) => line));
    assert.ok([here - 3, here - 2].every((line) => calls.has(line)), `${[...calls]}, ${here}`);
    const executing = leaves.filter(({ stack }) => [lineOf('for (let i'), lineOf('sum +=')].includes(stack[0].line));
    assert.ok(hits(executing) / hits(leaves) > 0.8, `${hits(executing)} of ${hits(leaves)} hits`);
    for (const frame of framesOf(profile)) assert.ok(frame.line === 0 || frame.line >= frame.startLine);
  },

  async 'samples with times have them within the profile, and no others do'() {
    const { caller } = load();
    const profile = await profileOf(() => repeat(() => caller(1e5), 200), { timestamps: true, maxSamples: 20 });
    const times = [].concat(...profile.labels).map(([key, ns, unit]) => {
      assert.deepStrictEqual([key, unit], ['timestamp', 'nanoseconds']);
      return ns / 1e6 - profile.timeMs;
    });
    assert.ok(times.length > 10 && times.length <= 20, `${times.length} samples with times`);
    for (const time of times) assert.ok(time > -50 && time <= Number(profile.duration) / 1e6 + 50, `${time} ms`);
    const all = await profileOf(() => repeat(() => caller(1e5), 100), { timestamps: true });
    for (const sample of all.samples) assert.strictEqual(Number(sample.hits), 1);
    assert.ok(all.labels.every((labels) => labels.length === 1));
    const untimed = await profileOf(() => repeat(() => caller(1e5), 50), { maxSamples: 20 });
    assert.ok(untimed.labels.every((labels) => labels.length === 0));
  },

  // google/pprof-nodejs#361 took them for one; googleapis/cloud-profiler-nodejs#206: nor can functions without a name
  // be told apart. Methods whose key is a symbol get one name from V8.
  async 'functions of one name stay apart, on two lines'() {
    const cases = {
      twins: ['sink += Math.sin', 'sink -= Math.cos'],
      nameless: ['sink += Math.tan', 'sink -= Math.exp'],
      keyed: ['sink += Math.atan', 'sink -= Math.log1p'],
    };
    for (const callLines of [false, true]) {
      for (const [key, texts] of Object.entries(cases)) {
        const pair = load()[key];
        const lines = texts.map(lineOf);
        const profile = await profileOf(() => repeat(() => pair.forEach((f) => f(1e5)), 150), { callLines });
        const frames = ownFrames(profile).filter((frame) => lines.includes(frame.startLine));
        assert.strictEqual(distinct(frames.map((frame) => frame.name)), 1, key);
        assert.strictEqual(distinct(frames.map((frame) => frame.startLine)), 2, key);
        assert.strictEqual(distinct(frames.map((frame) => frame.functionId)), 2, key);
      }
    }
  },

  async 'functions of one name stay apart, on one line'() {
    const { neighbours } = load();
    const profile = await profileOf(() => repeat(() => neighbours.forEach((next) => next(1e6)), 200));
    const frames = ownFrames(profile).filter((frame) => frame.name === 'next');
    for (const frame of frames) assert.strictEqual(frame.startLine, lineOf('const neighbours'));
    assert.strictEqual(distinct(frames.map((frame) => frame.functionId)), 2);
  },
};
