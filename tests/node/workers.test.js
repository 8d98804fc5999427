// SPDX-License-Identifier: Apache-2.0
'use strict';
// Environments that end while they profile, and several that profile at once. Each test is a process of its own, for
// what it guards against is a crash.

const assert = require('assert');
const { spawnSync } = require('child_process');
const path = require('path');
const { ADDON, decode, runNode } = require('./support.js');

const POLICIES = ['recreate', 'keep', 'eager', 'auto'];

// worker(body): a thread that runs `body`, with the addon; done(worker): a promise of its exit code
const WORKERS = `
  const { Worker } = require('worker_threads');
  const worker = (body) => new Worker('const addon = require(' + JSON.stringify(${JSON.stringify(ADDON)}) + ');' +
    'const { parentPort } = require("worker_threads");' + body, { eval: true });
  const done = (thread) => new Promise((resolve) => thread.on('exit', resolve));
  const message = (thread) => new Promise((resolve) => thread.once('message', resolve));
`;

function mustExit(status, code) {
  const child = runNode(code);
  assert.deepStrictEqual([child.status, child.signal], [status, null], child.stderr);
  return child.stdout;
}

const mustSucceed = (code) => mustExit(0, code);

module.exports = {
  'workers end while they profile'() {
    for (const policy of POLICIES) {
      const out = mustSucceed(`${WORKERS}
        (async () => {
          for (let i = 0; i < 10; i++) await done(worker('addon.time.start({ policy: "${policy}" });'));
          console.log('alive');
        })();`);
      assert.strictEqual(out, 'alive\n');
    }
  },

  'workers are terminated while they profile'() {
    for (const policy of POLICIES) {
      const out = mustSucceed(`${WORKERS}
        (async () => {
          for (let i = 0; i < 10; i++) {
            const thread = worker('addon.time.start({ policy: "${policy}" }); parentPort.postMessage(0); for (;;);');
            await message(thread);
            await new Promise((resolve) => setTimeout(resolve, i));
            await thread.terminate();
          }
          console.log('alive');
        })();`);
      assert.strictEqual(out, 'alive\n');
    }
  },

  'workers exit and fail while they profile'() {
    const out = mustSucceed(`${WORKERS}
      (async () => {
        for (const last of ['process.exit(7)', 'throw new Error("on purpose")']) {
          for (let i = 0; i < 5; i++) {
            const thread = worker('addon.time.start(); ' + last);
            thread.on('error', () => {});
            console.log(await done(thread));
          }
        }
      })();`);
    assert.strictEqual(out, '7\n'.repeat(5) + '1\n'.repeat(5));
  },

  'workers are terminated between start, stop, walk and encode'() {
    for (const policy of POLICIES) {
      const out = mustSucceed(`${WORKERS}
        const options = '{ durationMillis: 1, policy: "${policy}" }';
        (async () => {
          for (let i = 0; i < 20; i++) {
            const thread = worker('parentPort.postMessage(0);' +
              '(async () => { for (;;) await addon.encode(await addon.time.profile(' + options + ')); })();');
            await message(thread);
            await new Promise((resolve) => setTimeout(resolve, 10 + i));
            await thread.terminate();
          }
          console.log('alive');
        })();`);
      assert.strictEqual(out, 'alive\n');
    }
  },

  'workers are terminated while the pool encodes'() {
    const out = mustSucceed(`${WORKERS}
      (async () => {
        for (let i = 0; i < 10; i++) {
          const thread = worker('for (let i = 0; i < 50; i++) addon.encode(addon.time.start()());' +
            'parentPort.postMessage(0); for (;;);');
          await message(thread);
          await thread.terminate();
        }
        console.log('alive');
      })();`);
    assert.strictEqual(out, 'alive\n');
  },

  'the main thread ends while it profiles'() {
    for (const policy of POLICIES) {
      for (let i = 0; i < 2; i++) {
        mustExit(0, `addon.time.start({ policy: '${policy}' }); burn(5);`);
        mustExit(5, `addon.time.start({ policy: '${policy}' }); burn(5); process.exit(5);`);
        mustExit(6, `addon.time.start({ policy: '${policy}' }); process.on('exit', () => { process.exitCode = 6; });`);
        mustExit(1, `addon.time.start({ policy: '${policy}' }); burn(5); throw new Error('on purpose');`);
      }
    }
  },

  'the main thread ends while the pool walks and encodes'() {
    for (const policy of POLICIES) {
      for (const last of ['', 'addon.encode(stop()); ', 'stop(); addon.time.start({ policy }); ']) {
        mustExit(5, `const policy = '${policy}'; const stop = addon.time.start({ policy });
          burn(5); ${last} process.exit(5);`);
      }
    }
  },

  'the main thread ends while workers profile'() {
    for (let i = 0; i < 5; i++) {
      mustExit(5, `${WORKERS}
        const threads = [1, 2, 3].map(() => worker('addon.time.start(); parentPort.postMessage(0); for (;;);'));
        Promise.all(threads.map(message)).then(() => process.exit(5));`);
    }
  },

  'workers alone load the addon, end, and load it again'() { // google/pprof#788: "Module did not self-register"
    // not by runNode, whose main thread loads it
    const out = spawnSync(process.execPath, ['-e', `${WORKERS}
      (async () => {
        for (let i = 0; i < 5; i++) console.log(await Promise.all([1, 2].map(() => done(worker('addon.time.start()();')))));
      })();`], { encoding: 'utf8' });
    assert.strictEqual(out.stdout, '[ 0, 0 ]\n'.repeat(5), out.stderr);
  },

  'workers end while they sample the heap'() {
    const out = mustSucceed(`${WORKERS}
      (async () => {
        for (const last of ['', 'addon.encode(addon.heap.profile());', 'addon.heap.stop();']) {
          for (let i = 0; i < 5; i++) await done(worker('addon.heap.start(1024, 16); ' + last));
        }
        console.log('alive');
      })();`);
    assert.strictEqual(out, 'alive\n');
  },

  'threads and processes that end in the middle of profiles'() { // a few of the rounds that crash.js makes by hand
    const child = spawnSync(process.execPath, [path.join(__dirname, 'crash.js'), '12'], { encoding: 'utf8' });
    assert.strictEqual(child.status, 0, child.stdout + child.stderr);
  },

  'every thread has its own profile'() { // clinicjs/node-clinic#96: what two threads did in one, times run backwards
    const out = mustSucceed(`${WORKERS}
      const body = (name) => 'addon.time.start(); parentPort.once("message", () => {' +
        'const end = Date.now() + 200; const ' + name + ' = () => { let s = 0; for (let i = 0; i < 1e5; i++) s += i; };' +
        'while (Date.now() < end) ' + name + '();' +
        'parentPort.postMessage(addon.encodeSync(addon.time.stop())); }); parentPort.postMessage(0);';
      (async () => {
        addon.time.start();
        const threads = ['left', 'right'].map((name) => worker(body(name)));
        await Promise.all(threads.map(message));
        const replies = Promise.all(threads.map(message));
        threads.forEach((thread) => thread.postMessage(0));
        burn(200);
        const main = addon.encodeSync(addon.time.stop());
        const all = [main, ...(await replies)].map((bytes) => Buffer.from(bytes).toString('base64'));
        console.log(JSON.stringify(all));
      })();`);
    const profiles = JSON.parse(out).map((text) => decode(Buffer.from(text, 'base64')));
    ['burn', 'left', 'right'].forEach((name, i) => {
      profiles.forEach((profile, j) => {
        const seen = profile.samples.some(({ stack }) => stack.some((frame) => frame.name === name));
        assert.strictEqual(seen, i === j, `${name} in profile ${j}`);
      });
    });
  },
};
