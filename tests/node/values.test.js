// SPDX-License-Identifier: Apache-2.0
'use strict';
// Sample types, values, times and periods.

const assert = require('assert');
const { ADDON, bigintSum, burn, decode, freshLoop, hits, profileOf, share, sleep } = require('./support.js');

const { time, encodeSync } = require(ADDON);
const elapsedNs = (since) => process.hrtime(since).reduce((s, ns) => s * 1e9 + ns);
const wallOf = (profile) => bigintSum(profile.samples.map((sample) => sample.wall));

module.exports = {
  async 'types and units'() {
    const profile = await profileOf(() => burn(20));
    assert.deepStrictEqual(profile.sampleTypes, [['samples', 'count'], ['wall', 'nanoseconds']]);
    assert.strictEqual(profile.defaultSampleType, 'wall');
    assert.deepStrictEqual(profile.periodType, ['wall', 'nanoseconds']);
    assert.strictEqual(profile.period, 1e6);
  },

  // googleapis/google-cloud-node#7205: 8.95 of 10 s; jlfwong/speedscope#80: times of samples can run backwards
  async 'the wall time of all samples is the duration, exactly'() {
    const cases = [
      {}, { intervalMicros: 100 }, { intervalMicros: 7000, lineNumbers: false },
      { timestamps: true }, { callLines: true },
    ];
    for (const options of cases) {
      const profile = await profileOf(() => burn(100), options);
      assert.strictEqual(wallOf(profile), profile.duration);
      for (const sample of profile.samples) assert.ok(sample.hits > 0 && sample.wall > 0);
    }
  },

  async 'wall time is proportional to hits'() {
    const profile = await profileOf(() => burn(200));
    const perHit = Number(profile.duration) / hits(profile.samples);
    for (const { hits: n, wall } of profile.samples) {
      // rounding costs each of the leaves that were added up less than 1 ns; the largest one gets what all others lost
      assert.ok(Math.abs(Number(wall) - Number(n) * perHit) < 1000, `${n} hits, ${wall} ns, ${perHit} ns a hit`);
    }
  },

  async 'the interval is followed'() {
    const coarse = await profileOf(() => burn(300), { intervalMicros: 10000 });
    const fine = await profileOf(() => burn(300), { intervalMicros: 1000 });
    assert.strictEqual(coarse.period, 1e7);
    const ratio = hits(fine.samples) / hits(coarse.samples);
    assert.ok(ratio > 3 && ratio < 15, `${hits(fine.samples)} against ${hits(coarse.samples)} hits`);
    assert.ok(hits(fine.samples) > 60 && hits(fine.samples) <= 310, `${hits(fine.samples)} hits in 300 ms`);
  },

  'time_nanos is the start, duration_nanos the time between start and stop'() {
    const before = Date.now();
    const outer = process.hrtime();
    const stop = time.start();
    const after = Date.now();
    const inner = process.hrtime();
    burn(50);
    const atLeast = elapsedNs(inner);
    const handle = stop();
    const atMost = elapsedNs(outer);
    const profile = decode(encodeSync(handle));
    assert.ok(profile.timeMs >= before && profile.timeMs <= after, `${before} <= ${profile.timeMs} <= ${after}`);
    assert.ok(profile.duration >= atLeast && profile.duration <= atMost, `${atLeast} ${profile.duration} ${atMost}`);
  },

  async 'a profile without hits is a profile'() {
    const profile = await profileOf(() => {}, { intervalMicros: 0x7fffffff });
    assert.ok(hits(profile.samples) <= 1); // woken to stop, V8's sampling thread may ask for one more
    assert.ok(profile.duration > 0);
    assert.strictEqual(profile.period, 0x7fffffff * 1000);
  },

  async 'a waiting event loop is (idle)'() { // googleapis/cloud-profiler-nodejs#38: it was (program)
    const profile = await profileOf(() => sleep(200));
    assert.ok(share(profile, '(idle)') > 0.7, `${share(profile, '(idle)')}`);
  },

  async 'V8\'s entries can be left out, and the other values stay what they are'() {
    const work = async () => {
      burn(100);
      await sleep(100);
    };
    const profile = await profileOf(work, { omit: ['(idle)', '(program)', '(garbage collector)'] });
    assert.deepStrictEqual(profile.samples.filter(({ stack }) => /^\(.*[^s]\)$/.test(stack[0].name)), []);
    const rest = Number(wallOf(profile)) / Number(profile.duration);
    assert.ok(rest > 0.1 && rest < 0.8, `${rest}`);
    const perHit = Number(wallOf(profile)) / hits(profile.samples);
    assert.ok(perHit > 0.9e6 && perHit < 4e6, `${perHit} ns a hit`);
  },

  async 'busy and idle are told apart'() {
    const shares = { burn: [], '(idle)': [] };
    for (let i = 0; i < 3; i++) { // one of them may meet a machine that does other things
      const profile = await profileOf(async () => {
        burn(150);
        await sleep(150);
      });
      Object.keys(shares).forEach((name) => shares[name].push(share(profile, name)));
    }
    for (const [name, values] of Object.entries(shares)) {
      const median = values.sort((a, b) => a - b)[1];
      assert.ok(median > 0.3 && median < 0.7, `${name}: ${values}`);
    }
  },

  async 'a loop that was optimised before the profile keeps its hits, at worst on its caller'() {
    const outer = freshLoop();
    outer(100);
    for (const policy of ['recreate', 'keep']) {
      const profile = await profileOf(() => outer(100), { policy });
      const both = share(profile, 'spin') + share(profile, 'outer');
      assert.ok(both > 0.8, `${policy}: ${both}`);
    }
  },

  async 'V8\'s root is no frame, and what was not sampled is not written'() {
    const profile = await profileOf(() => burn(20));
    for (const { stack } of profile.samples) assert.ok(!stack.some((frame) => frame.name === '(root)'));
    const sampled = [].concat(...profile.samples.map(({ stack }) => stack.map((frame) => frame.functionId)));
    assert.strictEqual(profile.nFunctions, new Set(sampled).size);
  },
};
