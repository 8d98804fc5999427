// SPDX-License-Identifier: Apache-2.0
'use strict';
// Threads and processes that end in the middle of profiles: each round is a process that must end as it means to.
//
//     PYPROF_ADDON=/built/for/this/node node crash.js [ROUNDS]
//
// Run by hand with 1,000 rounds; workers.test.js takes a few. A process that hangs is killed and counted by itself.

const childProcess = require('child_process');
const cluster = require('cluster');
const path = require('path');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
require('./packages.js');

const ADDON = path.resolve(process.env.PYPROF_ADDON || path.join(__dirname, '..', '..', 'node_addon'));
const SOURCES = path.join(__dirname, 'fixtures', 'sources');
const HUNG_MS = 60000;
const STATUS = 7; // of a process that did all

const POLICIES = ['recreate', 'keep', 'eager', 'auto'];
const MOMENTS = ['running', 'stopped', 'encoding', 'running again', 'sampling the heap'];

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const ended = (emitter) => new Promise((resolve) => emitter.once('exit', (...how) => resolve(how)));

/** Brings this thread to the moment at which it is to end. */
function reach({ round, policy, moment }) {
  const { encode, heap, time } = require(ADDON);
  const options = { policy, intervalMicros: 200, callLines: round % 3 === 0 };
  time.prepare({ policy });
  if (moment === 'sampling the heap') heap.start(4096);
  const stop = time.start(options);
  for (const end = Date.now() + 3; Date.now() < end;) JSON.parse('{"a": [1, 2, 3]}');
  if (moment === 'running') return;
  const profile = stop();
  if (moment === 'encoding') encode(profile);
  if (moment === 'running again') time.start(options);
  if (moment === 'sampling the heap') encode(heap.profile());
}

async function profileForEver({ policy, round }) {
  const { SourceMapper, encode, time } = require(ADDON);
  const sourceMapper = round % 7 > 3 ? await SourceMapper.create([SOURCES]) : undefined;
  for (;;) await encode(await time.profile({ durationMillis: 1, intervalMicros: 200, policy, sourceMapper }));
}

const startWorker = (task, does) => new Worker(__filename, { workerData: Object.assign({ does }, task) });

/** How a process ends; each may return a promise. */
const ENDS = {
  'exits': reach,

  async 'has workers that end'(task) {
    const codes = await Promise.all(['return', 'exit', 'return'].map((does) => ended(startWorker(task, does))));
    if (codes.join() !== '0,3,0') throw new Error(codes.join());
  },

  async 'terminates workers'(task) {
    const threads = [0, 1, 2].map(() => startWorker(task, 'profile'));
    await Promise.all(threads.map((thread) => new Promise((resolve) => thread.once('message', resolve))));
    await sleep(task.round % 17);
    await Promise.all(threads.map((thread) => thread.terminate()));
  },

  'exits while workers profile'(task) {
    const thread = startWorker(task, 'profile');
    return new Promise((resolve) => thread.once('message', resolve)).then(() => reach(task));
  },

  async 'forks'(task) {
    reach(task);
    const child = childProcess.fork(__filename, [JSON.stringify(Object.assign({}, task, { end: 'exits' }))]);
    const [status] = await ended(child);
    if (status !== STATUS) throw new Error(`the fork ended with ${status}`);
  },

  async 'is a cluster'(task) {
    reach(task);
    const children = [cluster.fork(), cluster.fork()];
    const all = Promise.all(children.map(ended));
    await sleep(task.round % 40);
    children[0].process.kill('SIGKILL'); // Worker.kill would write to it first, which may have ended
    const [status] = (await all)[1];
    if (status !== STATUS) throw new Error(`the cluster's worker ended with ${status}`);
  },
};

async function runTask(task) {
  if (cluster.isWorker) reach(task);
  else await ENDS[task.end](task);
  process.exit(STATUS);
}

function runWorker(task) {
  if (task.does === 'profile') {
    parentPort.postMessage('ready');
    return profileForEver(task);
  }
  reach(task);
  if (task.does === 'exit') process.exit(3);
}

function main(nRounds) {
  const ends = Object.keys(ENDS);
  const count = { passed: 0, failed: 0, hung: 0 };
  for (let round = 0; round < nRounds; round++) {
    const task = {
      round,
      end: ends[round % ends.length],
      policy: POLICIES[Math.floor(round / ends.length) % POLICIES.length],
      moment: MOMENTS[Math.floor(round / ends.length / POLICIES.length) % MOMENTS.length],
    };
    const child = childProcess.spawnSync(process.execPath, [__filename, JSON.stringify(task)], {
      encoding: 'utf8', killSignal: 'SIGKILL', timeout: HUNG_MS,
    });
    const hung = child.error !== undefined;
    const passed = child.status === STATUS && child.stderr === '';
    count[hung ? 'hung' : passed ? 'passed' : 'failed'] += 1;
    if (hung || !passed) console.log(JSON.stringify(task), child.status, child.signal, child.stderr);
  }
  console.log(`Node ${process.version}: ${count.passed} passed, ${count.failed} failed, ${count.hung} hung`);
  process.exitCode = count.failed + count.hung > 0 ? 1 : 0;
}

if (!isMainThread) runWorker(workerData);
else if ((process.argv[2] || '').startsWith('{')) runTask(JSON.parse(process.argv[2]));
else main(Number(process.argv[2] || 1000));
