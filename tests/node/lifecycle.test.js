// SPDX-License-Identifier: Apache-2.0
'use strict';
// start, stop and profile: their order, their errors, and that an error changes nothing.

const assert = require('assert');
const path = require('path');
const { ADDON, burn, decode, share, sleep } = require('./support.js');

const { time, encode, encodeSync } = require(ADDON);
const ALREADY_STARTED = { name: 'Error', code: 'ERR_PPROF_ALREADY_STARTED' };
const NOT_STARTED = { name: 'Error', code: 'ERR_PPROF_NOT_STARTED' };

function worksAfterwards() {
  const stop = time.start();
  burn(60);
  assert.ok(share(decode(encodeSync(stop())), 'burn') > 0.5);
}

module.exports = {
  'stop without start throws'() { // node-inspector/v8-profiler#102: a segfault
    assert.throws(() => time.stop(), NOT_STARTED);
    worksAfterwards();
  },

  'a second start throws and leaves the first one running'() {
    const stop = time.start();
    assert.throws(() => time.start(), ALREADY_STARTED);
    assert.throws(() => time.start({ policy: 'keep' }), ALREADY_STARTED);
    burn(30);
    assert.ok(share(decode(encodeSync(stop())), 'burn') > 0.5);
    worksAfterwards();
  },

  'a stop function stops once'() {
    const stop = time.start();
    stop();
    assert.throws(stop, NOT_STARTED);
    worksAfterwards();
  },

  'a used stop function does not stop the next profile'() {
    const first = time.start();
    first();
    const second = time.start();
    assert.throws(first, NOT_STARTED);
    second();
  },

  'time.stop stops what time.start started'() {
    const stop = time.start();
    encodeSync(time.stop());
    assert.throws(stop, NOT_STARTED);
    assert.throws(() => time.stop(), NOT_STARTED);
  },

  'another copy of the module refuses to stop what it has not started'() {
    const file = require.resolve(path.join(ADDON, 'lib', 'time.js'));
    const ours = require.cache[file];
    delete require.cache[file];
    const copy = require(file);
    require.cache[file] = ours;
    const stop = time.start();
    assert.throws(() => copy.start(), ALREADY_STARTED);
    assert.throws(() => copy.stop(), NOT_STARTED);
    burn(60);
    assert.ok(share(decode(encodeSync(stop())), 'burn') > 0.5);
  },

  async 'profile lasts as long as it is told'() {
    const began = Date.now();
    const { duration } = decode(await encode(await time.profile({ durationMillis: 60 })));
    assert.ok(Number(duration) / 1e6 >= 59, `${duration} ns`);
    assert.ok(Number(duration) / 1e6 <= Date.now() - began + 1, `${duration} ns`);
  },

  async 'of two profiles at once the second rejects'() {
    const first = time.profile({ durationMillis: 50 });
    await assert.rejects(time.profile({ durationMillis: 50 }), ALREADY_STARTED);
    assert.throws(() => time.start(), ALREADY_STARTED);
    await encode(await first);
    worksAfterwards();
  },

  async 'profile rejects if somebody else stops it'() {
    const profile = time.profile({ durationMillis: 20 });
    time.stop();
    await assert.rejects(profile, NOT_STARTED);
  },

  // V8 knows a profile by its title, keeps all titles, and has room for 100 profiles at once: none of it may be seen.
  'a profile may have any name, and many may have one'() {
    const ours = ['pyprof', 'pyprof calls', 'pyprof keep-alive'];
    const odd = [...ours, '', 'nul\0inside', 'lone\ud800surrogate', 'ü'.repeat(5000)];
    const names = [...odd, ...odd, ...Array.from({ length: 150 }, (_, i) => `profile ${i}`)];
    for (const name of names) {
      const stop = time.start({ policy: 'eager', callLines: true, name });
      assert.throws(() => time.start({ policy: 'eager', name: `${name}, too` }), ALREADY_STARTED);
      stop();
    }
    for (const name of ['', 'pyprof calls']) {
      const stop = time.start({ policy: 'eager', callLines: true, name });
      burn(60);
      assert.ok(share(decode(encodeSync(stop())), 'burn') > 0.5, name);
    }
    worksAfterwards();
  },

  'policies may change from profile to profile'() {
    const policies = ['keep', 'keep', 'recreate', 'eager', 'auto', 'recreate', 'recreate', 'auto', 'keep', 'eager'];
    for (const policy of policies) {
      const stop = time.start({ policy });
      burn(80);
      const profile = decode(encodeSync(stop()));
      assert.ok(share(profile, 'burn') > 0.5, `${policy}: ${share(profile, 'burn')}`);
    }
  },

  async 'a kept profiler sees functions made between profiles'() {
    const names = ['firstNewcomer', 'secondNewcomer'];
    for (const name of names) {
      const newcomer = new Function(`return function ${name}() { let s = 0; for (let i = 0; i < 3e7; i++) s += i; }`)();
      const stop = time.start({ policy: 'keep' });
      newcomer();
      newcomer();
      assert.ok(share(decode(encodeSync(stop())), name) > 0.5, name);
      await sleep(5);
    }
  },
};
