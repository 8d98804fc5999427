// SPDX-License-Identifier: Apache-2.0
'use strict';
// encode and encodeSync: equal bytes, as often as wanted, and off the event loop.

const assert = require('assert');
const { ADDON, burn, runNode } = require('./support.js');

const { time, encode, encodeSync } = require(ADDON);
const POLICIES = ['recreate', 'keep', 'eager', 'auto'];

function take() {
  const stop = time.start();
  burn(40);
  return stop();
}

module.exports = {
  async 'a profile is encoded to the same bytes every time'() {
    const profile = take();
    const [first, second] = await Promise.all([encode(profile), encode(profile)]);
    const third = encodeSync(profile);
    assert.ok(Buffer.isBuffer(first) && Buffer.isBuffer(third));
    assert.strictEqual(first.readUInt16BE(0), 0x1f8b); // gzip
    assert.ok(first.equals(second) && first.equals(third));
  },

  async 'buffers belong to their callers'() {
    const profile = take();
    const spoilt = await encode(profile);
    const before = Buffer.from(spoilt);
    spoilt.fill(0);
    assert.ok(encodeSync(profile).equals(before));
  },

  async 'what giving trees back takes of the loop is counted, and over when the bytes are there'() {
    const before = time.state().releaseMillis;
    await encode(take());
    const after = time.state().releaseMillis;
    assert.ok(after > before && after < before + 100, `${before}, ${after}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.strictEqual(time.state().releaseMillis, after);
    encodeSync(take());
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok(time.state().releaseMillis < after + 1); // done by encodeSync: there was nothing left
  },

  async 'encodes while the next profile runs'() {
    const pending = [];
    for (let i = 0; i < 20; i++) {
      const stop = time.start({ policy: POLICIES[i % 4] });
      burn(5);
      pending.push(encode(stop()));
    }
    for (const bytes of await Promise.all(pending)) assert.strictEqual(bytes.readUInt16BE(0), 0x1f8b);
  },

  'encode works on a thread of the pool'() { // googleapis/cloud-profiler-nodejs#683
    // The pool's only thread is busy with a slow hash; encode must queue behind it, encodeSync must not.
    const { stdout, stderr } = runNode(`
      const profile = addon.time.start()();
      const order = [];
      require('crypto').pbkdf2('p', 's', 200000, 64, 'sha512', () => order.push('hash'));
      addon.encode(profile).then(() => { order.push('encode'); console.log(order.join()); });
      addon.encodeSync(addon.time.start()());
      order.push('encodeSync');
    `, { env: { UV_THREADPOOL_SIZE: '1' } });
    assert.strictEqual(stdout, 'encodeSync,hash,encode\n', stderr);
  },
};
