// SPDX-License-Identifier: Apache-2.0
'use strict';
// How much memory many profiles take. Run by hand, for it takes minutes:
//
//     PYPROF_ADDON=/built/for/this/node node growth.js [PROFILES [PROCESSES]]
//
// Each process takes PROFILES profiles (10,000), of an app that makes no code and of one that makes 20 functions per
// profile, half of them between two. Per policy there are PROCESSES of them (3), beside as many that take none. What is
// compared is malloc's bytes in use after a garbage collection, over the second half of each process: a leak is what
// `slope` has more than without a profiler. POLICIES and MAKES may be given by the environment, options of Node before
// the file's name. On Node 26 V8's compilation cache keeps what is made, without a profiler too, and the profiler its
// names, until memory is short: from Node 24 on, the collection is the one that V8 does then. With GC=ordinary it is not.

const { spawnSync } = require('child_process');
const path = require('path');
const buildMalloc = require('./malloc.js');

const ADDON = path.resolve(process.env.PYPROF_ADDON || path.join(__dirname, '..', '..', 'node_addon'));
const POLICIES = (process.env.POLICIES || 'none auto').split(' ');
const MAKES = (process.env.MAKES || '0 20').split(' ').map(Number);
const N_POINTS = 20;
const SHORT_OF_MEMORY = parseInt(process.versions.node, 10) >= 24 && process.env.GC !== 'ordinary';
const collect = () => (SHORT_OF_MEMORY ? gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }) : gc());

/** In a child: takes the profiles, and prints [[profiles, bytes in use, unused bytes, RSS], …]. */
async function work({ policy, makes, n, malloc }) {
  const { inUse, unused } = require(malloc);
  const addon = policy === 'none' ? null : require(ADDON);
  const live = Array.from({ length: 300 }, (_, i) => new Function(`return ${i}`));
  const points = [];
  let made = 0;
  const make = (k) => {
    while (k-- > 0) new Function(`return 'made ${made++}'`)();
  };
  const act = async () => {
    live.forEach((f) => f());
    make(Math.floor(makes / 2));
    for (const end = Date.now() + 1; Date.now() < end;) Math.sqrt(made);
    await new Promise((resolve) => setTimeout(resolve, 1));
  };
  if (addon !== null) addon.time.prepare({ policy });
  for (let i = 1; i <= n; i++) {
    make(Math.ceil(makes / 2));
    const stop = addon === null ? null : addon.time.start({ policy });
    await act();
    if (stop !== null) await addon.encode(stop());
    if (i % (n / N_POINTS) !== 0) continue;
    collect();
    await new Promise((resolve) => setTimeout(resolve, 5)); // finalizers
    collect();
    points.push([i, inUse(), unused(), process.memoryUsage().rss]);
  }
  console.log(JSON.stringify({ points, state: addon === null ? null : addon.time.state() }));
}

function slope(points) { // least squares, bytes a profile
  const mean = (k) => points.reduce((sum, point) => sum + point[k], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const sum = (f) => points.reduce((total, point) => total + f(point[0] - x, point[1] - y), 0);
  return sum((dx, dy) => dx * dy) / sum((dx) => dx * dx);
}

function main(n, nProcesses) {
  const malloc = buildMalloc();
  const mb = (bytes) => (bytes / 1048576).toFixed(1);
  console.log(`Node ${process.version}, ${n} profiles`);
  for (const makes of MAKES) {
    for (let round = 0; round < nProcesses; round++) {
      for (const policy of POLICIES) {
        const task = JSON.stringify({ policy, makes, n, malloc });
        const args = [...process.execArgv, '--expose-gc', __filename, task];
        const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
        if (stdout === '') throw new Error(stderr);
        const { points, state } = JSON.parse(stdout);
        const second = points.slice(N_POINTS / 2);
        const of = (k) => points.map((point) => point[k]);
        console.log(`makes ${makes} ${policy.padEnd(8)} slope ${(slope(second) / 1024).toFixed(2)} KB a profile; ` +
          `in use ${mb(points[0][1])} to ${mb(Math.max(...of(1)))} MB, unused up to ${mb(Math.max(...of(2)))} MB, ` +
          `RSS ${mb(points[0][3])} to ${mb(Math.max(...of(3)))} MB ${state === null ? '' : state.logging}`);
      }
    }
  }
}

if ((process.argv[2] || '').startsWith('{')) work(JSON.parse(process.argv[2]));
else main(Number(process.argv[2] || 10000), Number(process.argv[3] || 3));
