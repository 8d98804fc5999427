// SPDX-License-Identifier: Apache-2.0
'use strict';
// What eager and auto are for: right frames of optimised loops, and bounds on memory and on what making code costs.

const assert = require('assert');
const { ADDON, bigintSum, burn, decode, freshLoop, hits, leavesOf, runNode, share } = require('./support.js');

const { time, encodeSync } = require(ADDON);
const POLICIES = ['recreate', 'keep', 'eager', 'auto'];
const [MAJOR, MINOR] = process.versions.node.split('.').map(Number);
const V8_HOLDS_CODE = MAJOR < 16;
const EAGER = MAJOR === 12 && MINOR < 16 ? 'keep-alive' : 'eager';

// make(n): n scripts, each another
const MAKE = 'let made = 0; const make = (n) => { while (n-- > 0) new Function("return " + made++); };';

module.exports = {
  'a loop that was optimised before the profile is seen, if the profiler was prepared'() {
    for (const policy of ['eager', 'auto']) {
      time.prepare({ policy });
      const outer = freshLoop();
      outer(200);
      const stop = time.start({ policy });
      outer(200);
      const profile = decode(encodeSync(stop()));
      const within = profile.samples.filter(({ stack }) => stack.some(({ name }) => name === 'outer'));
      const right = hits(leavesOf(profile, 'spin')) / hits(within);
      assert.ok(hits(within) > 20 && right >= 0.95, `${policy}: ${right} of ${hits(within)}`);
    }
  },

  // googleapis/cloud-profiler-nodejs#683, getsentry/profiling-node#85, nodejs/diagnostics#444: V8's start goes through
  // all code, for up to seconds; hyj1991/v8-profiler-node8#31: profiles take up to 15 times as long.
  'a prepared start takes no longer, however much code there is'() {
    const { stdout, stderr } = runNode(`
      const live = Array.from({ length: 10000 }, (_, i) => new Function('return ' + i));
      live.forEach((f) => f());
      const fastest = (policy) => {
        addon.time.prepare({ policy });
        return Math.min(...Array.from({ length: 7 }, () => {
          const before = process.hrtime();
          const stop = addon.time.start({ policy });
          const [s, ns] = process.hrtime(before);
          stop();
          return s * 1e9 + ns;
        }));
      };
      console.log(JSON.stringify(['recreate', 'eager', 'auto'].map(fastest)));`);
    assert.ok(stdout !== '', stderr);
    const [through, ...prepared] = JSON.parse(stdout);
    for (const ns of prepared) assert.ok(through / ns > 15, `${through} ns, prepared ${prepared.join(' and ')} ns`);
  },

  'the state tells how code is noted'() {
    const expected = { recreate: ['none', 'lazy', 'none'], keep: ['none', 'lazy', 'lazy'] };
    for (const policy of POLICIES) {
      time.start({ policy: 'recreate' })(); // leaves no profiler
      const states = [time.state()];
      const stop = time.start({ policy });
      states.push(time.state());
      stop();
      states.push(time.state());
      assert.deepStrictEqual(states.map(({ running }) => running), [false, true, false]);
      assert.deepStrictEqual(states.map(({ logging }) => logging), expected[policy] || ['none', EAGER, EAGER]);
    }
  },

  'prepare creates a profiler for eager and auto alone, and not while one runs'() {
    for (const policy of POLICIES) {
      time.start({ policy: 'recreate' })();
      time.prepare({ policy });
      assert.strictEqual(time.state().logging, policy === 'eager' || policy === 'auto' ? EAGER : 'none');
    }
    const stop = time.start();
    assert.throws(() => time.prepare({ policy: 'auto' }), { code: 'ERR_PPROF_ALREADY_STARTED' });
    stop();
    assert.throws(() => time.prepare({ policy: 'none' }), { code: 'ERR_OUT_OF_RANGE' });
    assert.throws(() => time.prepare({ policy: 1 }), { code: 'ERR_INVALID_ARG_TYPE' });
  },

  'memory that V8 holds for code is shown, and auto gives it back at 32 MB'() {
    const { stdout, stderr } = runNode(`${MAKE}
      const held = [];
      const see = async () => {
        await new Promise((resolve) => setTimeout(resolve, 1100)); // what is shown may be a second old
        held.push(addon.time.state().heldBytes);
      };
      (async () => {
        addon.time.prepare({ policy: 'eager' }); // auto would turn away from so many
        await see();
        make(20000);
        await see();
        make(40000);
        await see();
        const stop = addon.time.start({ policy: 'auto' });
        await see();
        make(60000);
        await see();
        stop();
        console.log(JSON.stringify(held));
      })();`);
    assert.ok(stdout !== '', stderr);
    const millions = JSON.parse(stdout).map((bytes) => Math.round(bytes / 1e6));
    assert.deepStrictEqual(millions, V8_HOLDS_CODE ? [0, 14, 42, 0, 42] : [0, 0, 0, 0, 0]);
  },

  'auto stops noting code that is made without end, and takes it up again'() {
    const { stdout, stderr } = runNode(`${MAKE}
      const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      const seen = [];
      const see = () => seen.push(addon.time.state().logging);
      const profile = async () => {
        const stop = addon.time.start({ policy: 'auto' });
        see();
        await sleep(20);
        addon.encodeSync(stop());
      };
      (async () => {
        addon.time.prepare({ policy: 'auto' });
        see();
        for (const end = Date.now() + 5000; Date.now() < end;) {
          make(2000);
          await sleep(1);
        }
        see();
        await profile();
        see();
        await sleep(4500);
        see();
        await profile();
        see();
        console.log(JSON.stringify(seen));
      })();`);
    assert.ok(stdout !== '', stderr);
    assert.deepStrictEqual(JSON.parse(stdout), [EAGER, 'none', 'lazy', 'none', 'none', EAGER, EAGER]);
  },

  async 'profiles follow each other while the pool has no time to read them'() {
    for (const policy of POLICIES) {
      const { stdout, stderr } = runNode(`
        for (let i = 0; i < 4; i++) require('crypto').pbkdf2('p', 's', 100000, 64, 'sha512', () => {});
        const profiles = [];
        for (let i = 0; i < 20; i++) {
          const stop = addon.time.start({ policy: '${policy}' });
          burn(30);
          profiles.push(stop());
        }
        Promise.all(profiles.map(addon.encode))
          .then((all) => console.log(JSON.stringify(all.map((bytes) => bytes.toString('base64')))));
      `, { env: { UV_THREADPOOL_SIZE: '1' } });
      assert.ok(stdout !== '', stderr);
      const profiles = JSON.parse(stdout).map((text) => decode(Buffer.from(text, 'base64')));
      assert.strictEqual(profiles.length, 20);
      for (const profile of profiles) {
        const wall = bigintSum(profile.samples.map((sample) => sample.wall));
        assert.strictEqual(wall, profile.samples.length > 0 ? profile.duration : BigInt(0));
      }
      const sampled = profiles.filter((profile) => profile.samples.length > 0); // a busy machine may take none in 30 ms
      assert.ok(sampled.length > 15, `${policy}: ${sampled.length}`);
    }
  },

  'nothing of a profile that was walked late is lost'() {
    const stop = time.start({ policy: 'keep' });
    burn(100);
    const first = stop();
    const second = time.start({ policy: 'recreate' }); // the kept profiler has to go, and the tree with it
    burn(100);
    for (const profile of [first, second()].map(encodeSync).map(decode)) {
      assert.ok(share(profile, 'burn') > 0.5, `${share(profile, 'burn')} of ${hits(profile.samples)}`);
    }
  },
};
