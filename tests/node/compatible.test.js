// SPDX-License-Identifier: Apache-2.0
'use strict';
// What users of the `pprof` package call: positional arguments, fields of a profile, the heap, its protobuf module.

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { inspect } = require('util');
const zlib = require('zlib');
const pprof = require('pprof-format');
const { ADDON, burn, decode, inFolder, leavesOf, runNode, share } = require('./support.js');

const { time, heap, encode, encodeSync } = require(ADDON);
const { perftools } = require(path.join(ADDON, 'proto', 'profile'));
const { Profile } = perftools.profiles;

function take() {
  const stop = time.start({ timestamps: true, maxSamples: 5 });
  burn(60);
  return stop();
}

/** Allocates in a function called allocate; what it returns has to be kept. */
function allocate(n) {
  return Array.from({ length: n }, (_, i) => ({ i, list: [i] }));
}

module.exports = {
  'start takes positional arguments'() {
    const stop = time.start(2000, 'name', undefined, false);
    burn(60);
    const profile = decode(encodeSync(stop()));
    assert.strictEqual(profile.period, 2e6);
    assert.ok(profile.samples.every(({ stack }) => stack.every(({ line }) => line === 0)));
    assert.throws(() => time.start(0), { code: 'ERR_OUT_OF_RANGE' });
    assert.throws(() => time.start(1000, 7), { code: 'ERR_INVALID_ARG_TYPE' });
    assert.throws(() => time.start(1000, 'name', {}), { code: 'ERR_INVALID_ARG_TYPE' });
    assert.throws(() => time.start(1000, 'name', null, 'yes'), { code: 'ERR_INVALID_ARG_TYPE' });
    time.start()();
  },

  'the fields of a profile say what its bytes do'() {
    const profile = take();
    const bytes = zlib.gunzipSync(encodeSync(profile));
    const raw = pprof.Profile.decode(bytes);
    assert.deepStrictEqual(profile.stringTable, raw.stringTable.strings);
    for (const [ours, theirs] of [[profile.sample, raw.sample], [profile.location, raw.location]]) {
      assert.strictEqual(ours.length, theirs.length);
    }
    profile.sample.forEach((sample, i) => {
      assert.deepStrictEqual(sample.value.map(Number), raw.sample[i].value.map(Number));
      assert.deepStrictEqual(sample.locationId.map(Number), raw.sample[i].locationId.map(Number));
      const times = [sample, raw.sample[i]].map(({ label }) => label.map(({ num }) => BigInt(num)));
      assert.deepStrictEqual(times[0], times[1]);
    });
    const lines = [profile, raw].map((one) => one.function.map(({ startLine }) => Number(startLine)));
    assert.deepStrictEqual(lines[0], lines[1]);
    assert.strictEqual(BigInt(profile.timeNanos), BigInt(raw.timeNanos));
    assert.strictEqual(BigInt(profile.durationNanos), BigInt(raw.durationNanos));
    assert.ok(Profile.encode(profile).finish().equals(bytes));
  },

  async 'a changed profile is encoded as it is now'() {
    const profile = take();
    profile.comment = [profile.stringTable.push('a comment') - 1];
    profile.period = -1;
    for (const bytes of [await encode(profile), encodeSync(profile)]) {
      const raw = pprof.Profile.decode(zlib.gunzipSync(bytes));
      assert.strictEqual(raw.stringTable.strings[Number(raw.comment[0])], 'a comment');
      assert.strictEqual(BigInt.asIntN(64, BigInt(raw.period)), BigInt(-1));
    }
  },

  'the protobuf module encodes handles and plain objects'() {
    const profile = take();
    const bytes = Profile.encode(profile).finish();
    assert.ok(bytes.equals(zlib.gunzipSync(encodeSync(profile))));
    const message = Profile.decode(bytes);
    assert.ok(Profile.encode(message).finish().equals(bytes));
    assert.deepStrictEqual(Profile.decode(Profile.encode({ period: 5 }).finish()).period, 5);
    assert.strictEqual(Profile.encode(Profile.create()).finish().length, 0);
    const long = { toString: () => '12345678901234567' }; // as the package `long` has it
    const big = { period: BigInt('9007199254740993'), timeNanos: -7, durationNanos: long };
    const read = Profile.decode(Profile.encode(big).finish());
    assert.deepStrictEqual([read.period, read.timeNanos, read.durationNanos], [
      BigInt('9007199254740993'), -7, BigInt('12345678901234567'),
    ]);
    assert.throws(() => Profile.decode(bytes.slice(0, bytes.length - 1)), RangeError);
    assert.throws(() => Profile.decode(Buffer.alloc(20, 0xff)), RangeError);
    assert.throws(() => Profile.encode(null).finish(), { code: 'ERR_INVALID_ARG_TYPE' });
  },

  'the fields of a profile are its own: it can be copied'() {
    const profile = take();
    const bytes = zlib.gunzipSync(encodeSync(profile));
    assert.ok(Object.keys(profile).includes('stringTable'));
    assert.ok(zlib.gunzipSync(encodeSync(Object.assign({}, profile))).equals(bytes));
  },

  async 'profiles that the caller has made are encoded, and what is wrong with them is said'() {
    const message = Profile.decode(Profile.encode(take()).finish());
    for (const bytes of [await encode(message), encodeSync(message)]) {
      assert.deepStrictEqual(Profile.decode(zlib.gunzipSync(bytes)), message);
    }
    const wrong = [
      undefined, null, 7, {}, { sample: [] }, { stringTable: 'abc' }, { stringTable: [7] },
      { stringTable: [''], sample: {} }, { stringTable: [''], sample: [null] },
      { stringTable: [''], period: 'soon' }, { stringTable: [''], period: 0.5 }, { stringTable: [''], period: NaN },
      { stringTable: [''], sample: [{ value: [null] }] }, { stringTable: [''], comment: 1 },
    ];
    for (const profile of wrong) {
      assert.throws(() => encodeSync(profile), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' }, inspect(profile));
      await assert.rejects(encode(profile), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' }, inspect(profile));
    }
    assert.throws(() => encodeSync({ stringTable: [''], sample: [{ value: ['x'] }] }), /"Sample.value".*integer.*'x'/);
  },

  'the heap profile finds who allocated'() {
    assert.throws(() => heap.profile(), { code: 'ERR_PPROF_NOT_STARTED' });
    heap.stop();
    assert.throws(() => heap.start(0), { code: 'ERR_OUT_OF_RANGE' });
    assert.throws(() => heap.start(1024, '32'), { code: 'ERR_INVALID_ARG_TYPE' });
    assert.throws(() => heap.start(1024, 513), { code: 'ERR_OUT_OF_RANGE' });
    heap.start(1024, 32);
    try {
      assert.throws(() => heap.start(2048, 16), /intervalBytes 1024 and stackDepth 32/);
      const kept = allocate(20000);
      const profile = decode(encodeSync(heap.profile()));
      assert.deepStrictEqual(profile.sampleTypes, [['objects', 'count'], ['space', 'bytes']]);
      assert.deepStrictEqual([profile.periodType, profile.period], [['space', 'bytes'], 1024]);
      const within = profile.samples.filter(({ stack }) => stack.some(({ name }) => name === 'allocate'));
      const bytes = within.reduce((sum, { wall }) => sum + Number(wall), 0);
      assert.ok(bytes > 20000 * 40 && bytes < 20000 * 300, `${bytes} bytes`);
      const without = decode(encodeSync(heap.profile(__filename)));
      assert.deepStrictEqual(leavesOf(without, 'allocate'), []);
      assert.strictEqual(kept.length, 20000);
    } finally {
      heap.stop();
    }
    assert.throws(() => heap.profile(), { code: 'ERR_PPROF_NOT_STARTED' });
  },

  'heap sampling that somebody else has started is left alone'() {
    return inFolder((folder) => {
      const code = 'addon.time.start()(); addon.heap.stop();';
      const { stderr } = runNode(code, { args: ['--heap-prof', `--heap-prof-dir=${folder}`] });
      assert.strictEqual(stderr, '');
      assert.strictEqual(fs.readdirSync(folder).length, 1);
    });
  },

  'time and heap profiles at once'() {
    heap.start();
    const stop = time.start();
    burn(80);
    const profile = decode(encodeSync(stop()));
    encodeSync(heap.profile());
    heap.stop();
    assert.ok(share(profile, 'burn') > 0.3);
  },
};
