// SPDX-License-Identifier: Apache-2.0
'use strict';
// Memory over many profiles, in a process of its own. What V8 leaks with a kept CpuProfiler is the reason for this addon:
// googleapis/cloud-profiler-nodejs#697, hyj1991/v8-profiler-next#28.

const assert = require('assert');
const buildMalloc = require('./malloc.js');
const { runNode, skip } = require('./support.js');

const [MAJOR, MINOR] = process.versions.node.split('.').map(Number);
const V8_LEAKS = (MAJOR === 12 && MINOR >= 16) || (MAJOR > 12 && MAJOR < 16);

/**
 * What 150 profiles add to malloc's bytes in use (`leak`, KiB per profile), with functions for V8 to log again and
 * again; and the most that malloc had meanwhile and did not use (`unused`, MiB), over 300 profiles.
 */
function growth(policy, finish) {
  const { stdout, stderr } = runNode(`
    const { inUse, unused } = require(${JSON.stringify(buildMalloc())});
    const live = Array.from({ length: 1000 }, (_, i) => new Function('return ' + i));
    const sums = [0, 0];
    let most = 0;
    (async () => {
      addon.time.prepare({ policy: '${policy}' });
      for (let i = 1; i <= 300; i++) {
        const stop = addon.time.start({ policy: '${policy}', name: String(i).padStart(8192) }); // not to be kept
        live.forEach((f) => f());
        burn(1);
        await (${finish})(stop());
        most = Math.max(most, unused() / 1048576);
        if (i % 150 > 100 && i % 5 === 0) {
          gc();
          await new Promise(setImmediate); // finalizers
          sums[i < 150 ? 0 : 1] += inUse() / 1024 / 9;
        }
      }
      console.log(JSON.stringify({ leak: (sums[1] - sums[0]) / 150, unused: most }));
    })();
  `, { args: ['--expose-gc'] });
  assert.ok(stdout !== '', stderr);
  return JSON.parse(stdout);
}

function mustNotGrow(policy, finish) {
  const { leak, unused } = growth(policy, finish);
  assert.ok(leak < 3, `${policy}: ${leak} KiB per profile`);
  assert.ok(unused < 60, `${policy}: ${unused} MiB unused`); // 0.5 MiB more for each profile, without malloc_gaps.h
}

module.exports = {
  'recreate, eager and auto do not leak'() {
    for (const policy of ['recreate', 'eager', 'auto']) mustNotGrow(policy, 'addon.encode');
  },

  'keep does not leak where V8 does not'() {
    // Where it does, RSS shows it: what leaks keeps malloc from using the sampling buffer's place again.
    if (V8_LEAKS) return skip('here it does, as the driver\'s tests show');
    const { leak } = growth('keep', 'addon.encode');
    assert.ok(leak < 3, `${leak} KiB per profile`);
  },

  // nodejs/node#23070: V8 kept what it knows of the functions that it had inlined, long after the profile.
  'code that is optimised again and again leaves nothing'() {
    const { stdout, stderr } = runNode(`
      const { inUse } = require(${JSON.stringify(buildMalloc())});
      const inner = (x) => x * 2 + 1;
      const outer = (x) => inner(x) + inner(x + 1);
      const optimise = (n) => {
        while (n-- > 0) {
          %PrepareFunctionForOptimization(outer);
          outer(1);
          %OptimizeFunctionOnNextCall(outer);
          outer(2);
          %DeoptimizeFunction(outer);
        }
      };
      const settled = async () => {
        gc();
        await new Promise((resolve) => setTimeout(resolve, 5)); // finalizers
        gc();
        return inUse();
      };
      (async () => {
        addon.time.prepare({ policy: 'auto' });
        optimise(4000); // V8 forgets code when other code takes its place
        let before;
        for (let i = -10; i < 50; i++) {
          if (i === 0) before = await settled();
          const stop = addon.time.start({ policy: 'auto' });
          optimise(20);
          await addon.encode(stop());
        }
        console.log((await settled() - before) / 1000);
      })();
    `, { args: ['--expose-gc', '--allow-natives-syntax'] });
    assert.ok(stdout !== '', stderr);
    assert.ok(Number(stdout) < 200, `${stdout} bytes each time`);
  },

  'profiles that are never encoded are collected'() {
    mustNotGrow('recreate', '() => new Promise(setImmediate)');
  },
};
