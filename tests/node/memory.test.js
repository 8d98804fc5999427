// SPDX-License-Identifier: Apache-2.0
'use strict';
// Memory over many profiles, in a process of its own. What V8 leaks with a kept CpuProfiler is the reason for this addon.

const assert = require('assert');
const { runNode } = require('./support.js');

const [MAJOR, MINOR] = process.versions.node.split('.').map(Number);
const V8_LEAKS = (MAJOR === 12 && MINOR >= 16) || (MAJOR > 12 && MAJOR < 16);

/**
 * KiB of RSS per profile, over 300 profiles, with functions for V8 to log again and again. RSS jumps by what the young generation takes and gives back, so the lowest
 * values of two windows are compared.
 */
function growth(policy, finish) {
  const { stdout, stderr } = runNode(`
    const busy = (n) => { let s = 0; for (let i = 0; i < n; i++) s += Math.sqrt(i); return s; };
    const live = Array.from({ length: 1000 }, (_, i) => new Function('return ' + i));
    const lowest = [Infinity, Infinity];
    (async () => {
      for (let i = 1; i <= 400; i++) {
        const stop = addon.time.start({ policy: '${policy}' });
        live.forEach((f) => f());
        busy(1e5);
        await (${finish})(stop());
        if (i % 100 > 50 && i % 5 === 0 && (i < 100 || i > 300)) {
          gc();
          const window = i < 100 ? 0 : 1;
          lowest[window] = Math.min(lowest[window], process.memoryUsage().rss / 1024);
        }
      }
      console.log((lowest[1] - lowest[0]) / 300);
    })();
  `, { args: ['--expose-gc'] });
  assert.ok(stdout !== '', stderr);
  return Number(stdout);
}

module.exports = {
  'recreate does not leak'() {
    const kib = growth('recreate', 'addon.encode');
    assert.ok(kib < 15, `${kib} KiB per profile`);
  },

  'keep leaks where V8 does, and only there'() {
    const kib = growth('keep', 'addon.encode');
    assert.ok(V8_LEAKS ? kib > 20 : kib < 15, `${kib} KiB per profile`);
  },

  'profiles that are never encoded are collected'() {
    const kib = growth('recreate', '() => new Promise(setImmediate)'); // finalizers run between turns of the loop
    assert.ok(kib < 15, `${kib} KiB per profile`);
  },
};
