// SPDX-License-Identifier: Apache-2.0
'use strict';
// A client that was written for the `pprof` package, with this one in its place.

const assert = require('assert');
const { spawnSync } = require('child_process');
const path = require('path');
const zlib = require('zlib');
const { ADDON, NODE_MAJOR, bigintSum, decode, share, skip } = require('./support.js');

const CLIENT = path.join(__dirname, 'fixtures', 'cloud_profiler.js');

module.exports = {
  '@google-cloud/profiler collects a time and a heap profile and uploads them'() {
    if (NODE_MAJOR < 18) return skip('@google-cloud/profiler needs Node 18');
    const child = spawnSync(process.execPath, [CLIENT], {
      encoding: 'utf8', timeout: 100000, env: Object.assign({}, process.env, { PYPROF_ADDON: ADDON }),
    });
    assert.strictEqual(child.status, 0, child.stderr);
    const [time, heap, ...others] = JSON.parse(child.stdout.trim().split('\n').pop());
    assert.deepStrictEqual(others, []);
    for (const [upload, type] of [[time, 'WALL'], [heap, 'HEAP']]) {
      assert.strictEqual(upload.url, `/v2/projects/p/profiles/${type}`);
      assert.strictEqual(upload.authorization, 'Bearer secret');
      assert.deepStrictEqual(upload.body.labels, { instance: 'one' });
      assert.ok(zlib.gunzipSync(Buffer.from(upload.body.profileBytes, 'base64')).length > 0);
    }
    const profile = decode(Buffer.from(time.body.profileBytes, 'base64'));
    assert.deepStrictEqual(profile.sampleTypes, [['samples', 'count'], ['wall', 'nanoseconds']]);
    assert.ok(profile.duration >= BigInt(450e6), String(profile.duration));
    assert.ok(share(profile, 'burn') > 0.3);
    const alive = decode(Buffer.from(heap.body.profileBytes, 'base64'));
    assert.deepStrictEqual(alive.sampleTypes, [['objects', 'count'], ['space', 'bytes']]);
    const kept = alive.samples.filter(({ stack }) => stack.some(({ name }) => name === 'hoard'));
    assert.ok(bigintSum(kept.map((sample) => sample.wall)) > BigInt(200000 * 16));
    assert.ok(kept.every(({ stack }) => stack.some(({ filename }) => filename === CLIENT)));
  },
};
