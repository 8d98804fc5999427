// SPDX-License-Identifier: Apache-2.0
'use strict';
// Function.start_line is the definition, Line.line is what was executing, and functions are told apart by both.

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { fresh, hits, leavesOf, profileOf, repeat } = require('./support.js');

const FILE = path.join(__dirname, 'fixtures', 'lines.js');
const SOURCE = fs.readFileSync(FILE, 'utf8').split('\n');
const lineOf = (text) => SOURCE.findIndex((line) => line.includes(text)) + 1;
const load = () => fresh(SOURCE.join('\n'), FILE);

const framesOf = (profile) => [].concat(...profile.samples.map((sample) => sample.stack));
const ownFrames = (profile) => framesOf(profile).filter((frame) => frame.filename === FILE);
const distinct = (values) => new Set(values).size;

module.exports = {
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

  async 'functions of one name stay apart, on two lines'() {
    const { twins } = load();
    const profile = await profileOf(() => repeat(() => twins.forEach((twin) => twin(1e5)), 200));
    const frames = ownFrames(profile).filter((frame) => frame.name === 'twin');
    const lines = new Set(frames.map((frame) => frame.startLine));
    assert.deepStrictEqual([...lines].sort(), [lineOf('sink += Math.sin'), lineOf('sink -= Math.cos')].sort());
    assert.strictEqual(distinct(frames.map((frame) => frame.functionId)), 2);
  },

  async 'functions of one name stay apart, on one line'() {
    const { neighbours } = load();
    const profile = await profileOf(() => repeat(() => neighbours.forEach((next) => next(1e6)), 200));
    const frames = ownFrames(profile).filter((frame) => frame.name === 'next');
    for (const frame of frames) assert.strictEqual(frame.startLine, lineOf('const neighbours'));
    assert.strictEqual(distinct(frames.map((frame) => frame.functionId)), 2);
  },
};
