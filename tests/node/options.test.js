// SPDX-License-Identifier: Apache-2.0
'use strict';
// Bad arguments are told as Node tells them, and change nothing.

const assert = require('assert');
const { ADDON, decode } = require('./support.js');

const { time, encode, encodeSync } = require(ADDON);
const TYPE = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' };
const RANGE = { name: 'RangeError', code: 'ERR_OUT_OF_RANGE' };

const BAD_OPTIONS = [
  [null, TYPE],
  ['recreate', TYPE],
  [{ intervalMicros: '1000' }, TYPE],
  [{ intervalMicros: null }, TYPE],
  [{ intervalMicros: {} }, TYPE],
  [{ intervalMicros: BigInt(1000) }, TYPE],
  [{ intervalMicros: 0 }, RANGE],
  [{ intervalMicros: -1 }, RANGE],
  [{ intervalMicros: 0.5 }, RANGE],
  [{ intervalMicros: NaN }, RANGE],
  [{ intervalMicros: Infinity }, RANGE],
  [{ intervalMicros: Math.pow(2, 31) }, RANGE],
  [{ policy: 'forget' }, RANGE],
  [{ policy: 'toString' }, RANGE],
  [{ policy: 1 }, TYPE],
  [{ policy: null }, TYPE],
  [{ lineNumbers: 1 }, TYPE],
  [{ lineNumbers: 'true' }, TYPE],
  [{ lineNumbers: null }, TYPE],
  [{ name: 7 }, TYPE],
  [{ callLines: 1 }, TYPE],
  [{ naming: 'none' }, RANGE],
  [{ naming: null }, TYPE],
  [{ omit: '(idle)' }, TYPE],
  [{ omit: [1] }, TYPE],
  [{ omit: ['idle'] }, RANGE],
  [{ timestamps: 'yes' }, TYPE],
  [{ maxSamples: 0 }, RANGE],
  [{ maxSamples: '10' }, TYPE],
];

const BAD_DURATIONS = [
  [undefined, TYPE],
  ['50', TYPE],
  [null, TYPE],
  [0, RANGE],
  [-5, RANGE],
  [1.5, RANGE],
  [NaN, RANGE],
  [Math.pow(2, 31), RANGE],
];

module.exports = {
  'start refuses bad options and stays usable'() {
    for (const [options, expected] of BAD_OPTIONS) {
      assert.throws(() => time.start(options), expected, require('util').inspect(options));
      time.start()(); // would throw if the failed call had left anything behind
    }
  },

  'start passes on what a getter throws'() {
    const cause = new Error('from a getter');
    assert.throws(() => time.start({ get intervalMicros() { throw cause; } }), cause);
    time.start()();
  },

  async 'profile refuses bad options and stays usable'() {
    await assert.rejects(time.profile(), TYPE);
    for (const [durationMillis, expected] of BAD_DURATIONS) {
      await assert.rejects(time.profile({ durationMillis }), expected, String(durationMillis));
    }
    await assert.rejects(time.profile({ durationMillis: 5, intervalMicros: 0 }), RANGE);
    await time.profile({ durationMillis: 5 });
  },

  'undefined means the default'() {
    const stop = time.start({ policy: undefined, intervalMicros: undefined, lineNumbers: undefined, name: undefined });
    assert.strictEqual(decode(encodeSync(stop())).period, 1e6);
    time.start(undefined)();
  },

  'messages name the option and the value'() {
    assert.throws(() => time.start({ intervalMicros: '1000' }), /"options\.intervalMicros" must be .*'1000'/);
    assert.throws(() => time.start({ policy: 'forget' }), /"options\.policy" must be one of recreate, keep, eager, auto.*'forget'/);
  },

  async 'encode takes nothing but profiles: no forged handles'() {
    const profile = time.start()();
    const forged = Object.create(Object.getPrototypeOf(profile));
    for (const value of [undefined, null, 1, 'profile', {}, [], Buffer.alloc(8), forged]) {
      await assert.rejects(encode(value), TYPE);
      assert.throws(() => encodeSync(value), TYPE);
    }
  },
};
