// SPDX-License-Identifier: Apache-2.0
'use strict';
// The preload: what it writes, when, and that the app ends as it would have without it.

const assert = require('assert');
const { spawn } = require('child_process');
const fs = require('fs');
const path = require('path');
const { ADDON, NODE_MAJOR, decode, hits, inFolder, share, skip, sleep } = require('./support.js');

const REGISTER = path.join(ADDON, 'register');
const SPIN = 'const spin = (ms) => { for (const end = Date.now() + ms, f = Math.sqrt; Date.now() < end;) f(end); };\n';

/** Runs `code` with the preload in `folder`, calls `act(child, line)` for each line that it prints. */
function run(folder, code, { act = () => {}, env = {}, flags = ['--require', REGISTER], file = 'app.js' } = {}) {
  fs.writeFileSync(path.join(folder, file), SPIN + code);
  const child = spawn(process.execPath, [...flags, file], { cwd: folder, env: Object.assign({}, process.env, env) });
  let stderr = '';
  child.stderr.on('data', (data) => { stderr += data; });
  child.stdout.on('data', (data) => String(data).trim().split('\n').forEach((line) => act(child, line)));
  const hung = setTimeout(() => child.kill('SIGKILL'), 60000);
  return new Promise((resolve) => {
    child.on('close', (status, signal) => {
      clearTimeout(hung);
      resolve({ status, signal, stderr, pid: child.pid });
    });
  });
}

const profiles = (folder) => fs.readdirSync(folder).filter((name) => name.startsWith('pprof-profile-')).sort();
const read = (folder, name) => decode(fs.readFileSync(path.join(folder, name)));
const UNTIL_KILLED = 'spin(80); console.log("ready"); setInterval(() => {}, 1000);';

module.exports = {
  'writes at exit, and leaves the status alone'() {
    return inFolder(async (folder) => {
      const endings = { 'process.exitCode = 3': 3, 'process.exit(4)': 4, 'throw new Error("on purpose")': 1, '': 0 };
      for (const [ending, expected] of Object.entries(endings)) {
        const { status, pid } = await run(folder, `spin(80); ${ending}`);
        assert.strictEqual(status, expected);
        const profile = read(folder, `pprof-profile-${pid}.pb.gz`);
        assert.ok(profile.samples.some(({ stack }) => stack.some(({ name }) => name === 'spin')), ending);
      }
      assert.strictEqual(profiles(folder).length, 4);
    });
  },

  'writes to the folder that was current at start'() {
    return inFolder(async (folder) => {
      await run(folder, 'process.chdir("/"); spin(20);');
      assert.strictEqual(profiles(folder).length, 1);
    });
  },

  'writes when a signal ends the app, and it is the signal that does'() { // nodejs/node#27406
    return inFolder(async (folder) => {
      for (const name of ['SIGINT', 'SIGTERM']) {
        const { status, signal, pid } = await run(folder, UNTIL_KILLED, { act: (child) => child.kill(name) });
        assert.deepStrictEqual([status, signal], [null, name]);
        assert.ok(profiles(folder).includes(`pprof-profile-${pid}.pb.gz`));
      }
    });
  },

  // nodejs/node#27406, an expression that takes for ever: nothing was written. With a listener alone it would not even
  // die.
  'an endless loop dies of a signal, and what it did is written'() {
    const loops = ['for (;;);', '/([a-z]+)+$/.test("a".repeat(99) + "!");', 'for (;;) { try { f(); } catch (_) {} }'];
    return inFolder(async (folder) => {
      await Promise.all(loops.map(async (loop, i) => {
        const name = ['SIGINT', 'SIGTERM'][i % 2];
        const code = `console.log("ready"); (function hung() { ${loop} })();`;
        const { status, signal, stderr, pid } = await run(folder, code, {
          act: (child) => child.kill(name), file: `app${i}.js`,
        });
        assert.deepStrictEqual([status, signal], [null, name], stderr);
        const { samples } = read(folder, `pprof-profile-${pid}.pb.gz`);
        const within = samples.filter(({ stack }) => stack.some((frame) => frame.name === 'hung'));
        assert.ok(hits(within) / hits(samples) > 0.5, `${hits(within)} of ${hits(samples)} hits`);
      }));
    });
  },

  'a signal that the app handles is left to it, however long it takes'() {
    const apps = [
      'process.on("SIGTERM", () => process.exit(9)); console.log("ready"); spin(1300);',
      'process.once("SIGTERM", () => setTimeout(() => { spin(50); process.exit(9); }, 1100)); console.log("ready");',
    ].map((app) => `${app} setInterval(() => {}, 1000);`);
    return inFolder((folder) => Promise.all(apps.map(async (app, i) => {
      const { status, stderr } = await run(folder, app, { act: (child) => child.kill('SIGTERM'), file: `app${i}.js` });
      assert.strictEqual(status, 9, stderr);
    })));
  },

  'an app that handles a signal itself goes on, or ends as it likes'() {
    return inFolder(async (folder) => {
      const { status, pid } = await run(folder, `
        let n = 0;
        process.on('SIGTERM', () => { if (++n === 2) process.exit(9); console.log('again'); });
        ${UNTIL_KILLED}`, { act: (child) => child.kill('SIGTERM') });
      assert.strictEqual(status, 9);
      assert.deepStrictEqual(profiles(folder), [`pprof-profile-${pid}.pb.gz`]);
    });
  },

  // Each as without the preload: a listener of ours would change it.
  'whoever counts listeners, ends itself or comes late meets no listener of the preload'() {
    const serve = 'console.log("ready"); setInterval(() => {}, 1000);';
    const suicide = 'process.kill(process.pid, "SIGTERM");';
    const later = '() => setTimeout(() => process.exit(5), 300)';
    const apps = [ // [code, exit status, signal]
      [suicide, null, 'SIGTERM'],
      [`process.once("SIGTERM", () => { ${suicide} }); console.log("ready"); setTimeout(() => {}, 500);`, null, 'SIGTERM'],
      [`process.on("SIGTERM", function own() { // as the package signal-exit does it
        if (process.listeners("SIGTERM").length > 1) return;
        process.removeListener("SIGTERM", own);
        ${suicide}
      }); ${serve}`, null, 'SIGTERM'],
      [`process.prependOnceListener("SIGTERM", ${later}); ${serve}`, 5, null],
      [`process.on("SIGTERM", ${later}); process.listeners("SIGTERM").slice(0, -1)
        .forEach((one) => process.removeListener("SIGTERM", one)); ${serve}`, 5, null],
      ['process.on("SIGINT", () => process.exit(6)); setTimeout(() => process.emit("SIGINT"), 10);', 6, null],
      ['process.emit("SIGTERM"); process.emit("SIGINT");', 0, null],
    ];
    return inFolder((folder) => Promise.all(apps.map(async ([code, ...expected], i) => {
      const act = (child) => child.kill('SIGTERM');
      const { status, signal, pid, stderr } = await run(folder, code, { act, file: `app${i}.js` });
      assert.deepStrictEqual([status, signal], expected, `${code}: ${stderr}`);
      read(folder, `pprof-profile-${pid}.pb.gz`);
    })));
  },

  'where nothing can be written, for it waits in a system call, the app dies all the same'() {
    return inFolder(async (folder) => {
      const code = 'console.log("ready"); require("child_process").execSync("exec sleep 50");';
      const { signal } = await run(folder, code, { act: (child) => child.kill('SIGINT') });
      assert.strictEqual(signal, 'SIGINT');
      assert.deepStrictEqual(profiles(folder), []);
    });
  },

  'what cannot be written, or told, is no reason to fail'() {
    return inFolder(async (folder) => {
      const env = { PYPROF_DIRECTORY: path.join(folder, 'nowhere') };
      const act = (child) => {
        child.stderr.destroy();
        child.kill('SIGUSR2');
        setTimeout(() => child.kill('SIGTERM'), 200);
      };
      const { status, signal } = await run(folder, UNTIL_KILLED, { act, env });
      assert.deepStrictEqual([status, signal], [null, 'SIGTERM']);
    });
  },

  'SIGUSR2 writes what was gathered since the last'() {
    return inFolder(async (folder) => {
      const act = async (child, line) => {
        if (line !== 'ready') return;
        for (let i = 1; i <= 3; i++) {
          child.kill('SIGUSR2');
          const file = path.join(folder, `pprof-profile-${child.pid}-${i}.pb.gz`);
          while (!fs.existsSync(file)) await sleep(5);
        }
        child.kill('SIGTERM');
      };
      const { signal, pid, stderr } = await run(folder, UNTIL_KILLED, { act });
      assert.strictEqual(signal, 'SIGTERM', stderr);
      const names = ['-1', '-2', '-3', ''].map((part) => `pprof-profile-${pid}${part}.pb.gz`);
      assert.deepStrictEqual(profiles(folder), names.sort());
      const isSpin = (frame) => frame.name === 'spin';
      const spun = (name) => read(folder, name).samples.some(({ stack }) => stack.some(isSpin));
      assert.deepStrictEqual(names.filter(spun), [`pprof-profile-${pid}-1.pb.gz`]);
    });
  },

  'a profile that SIGUSR2 asked for is written though the app ends at once'() {
    return inFolder(async (folder) => {
      await run(folder, 'spin(30); process.on("SIGUSR2", () => process.exit()); process.kill(process.pid, "SIGUSR2");' +
        'setInterval(() => {}, 1000);');
      assert.strictEqual(profiles(folder).length, 2, profiles(folder).join());
    });
  },

  'workers of the app run, and write nothing'() { // google/pprof#788, clinicjs/node-clinic#96
    return inFolder(async (folder) => {
      const { status, stderr } = await run(folder, `
        const { Worker } = require('worker_threads');
        new Worker('process.exit(0)', { eval: true }).on('exit', (code) => { process.exitCode = 20 + code; });`);
      assert.strictEqual(status, 20, stderr);
      assert.strictEqual(profiles(folder).length, 1);
    });
  },

  'each process of a cluster writes its own, however it ends'() { // clinicjs/node-clinic#21
    return inFolder(async (folder) => {
      const lines = [];
      const { status, stderr, pid } = await run(folder, `
        const cluster = require('cluster');
        spin(80);
        if (cluster.isWorker) {
          process.send('spun');
        } else {
          const ends = [(worker) => worker.disconnect(), (worker) => worker.process.kill('SIGTERM')];
          ends.forEach((end) => {
            const worker = cluster.fork();
            worker.on('message', () => end(worker));
            worker.on('exit', (...how) => console.log(JSON.stringify([worker.process.pid, ...how])));
          });
        }`, { act: (_, line) => lines.push(line) });
      assert.strictEqual(status, 0, stderr);
      const ended = lines.map((line) => JSON.parse(line));
      assert.deepStrictEqual(ended.map(([, ...how]) => how.join()).sort(), [',SIGTERM', '0,']);
      const names = [pid, ...ended.map(([worker]) => worker)].map((id) => `pprof-profile-${id}.pb.gz`);
      assert.deepStrictEqual(profiles(folder), names.sort());
      for (const name of names) {
        assert.ok(read(folder, name).samples.some(({ stack }) => stack.some((frame) => frame.name === 'spin')), name);
      }
    });
  },

  'options come from the environment, and wrong ones are named'() {
    return inFolder(async (folder) => {
      const elsewhere = fs.mkdtempSync(path.join(folder, 'out'));
      const env = { PYPROF_POLICY: 'recreate', PYPROF_INTERVAL_MICROS: '5000', PYPROF_DIRECTORY: elsewhere };
      await run(folder, 'spin(50);', { env });
      assert.strictEqual(read(elsewhere, profiles(elsewhere)[0]).period, 5e6);
      const wrong = {
        PYPROF_POLICY: 'fast', PYPROF_INTERVAL_MICROS: 'soon', PYPROF_CALL_LINES: 'yes', PYPROF_SOURCE_MAPS: '/nowhere',
      };
      for (const [name, value] of Object.entries(wrong)) {
        let ran = false;
        const act = () => { ran = true; };
        const { status, stderr } = await run(folder, 'console.log("runs");', { env: { [name]: value }, act });
        assert.deepStrictEqual([status, ran], [9, false], stderr);
        assert.ok(stderr.startsWith('pyprof-node: ') && stderr.includes(value), stderr);
        assert.strictEqual(stderr.trim().split('\n').length, 1, stderr);
      }
    });
  },

  'a folder that cannot be written to is said, and the status stays'() {
    return inFolder(async (folder) => {
      const { status, stderr } = await run(folder, 'process.exitCode = 5;', { env: { PYPROF_DIRECTORY: '/nowhere' } });
      assert.strictEqual(status, 5);
      assert.ok(/pyprof-node: no profile was written: .*\/nowhere/.test(stderr), stderr);
    });
  },

  'ES modules are profiled by --import'() {
    if (NODE_MAJOR < 20) return skip('there is no --import');
    return inFolder(async (folder) => {
      const flags = ['--import', `file://${REGISTER}.js`];
      const { status, pid, stderr } = await run(folder, 'spin(100);', { flags, file: 'app.mjs' });
      assert.strictEqual(status, 0, stderr);
      assert.ok(share(read(folder, `pprof-profile-${pid}.pb.gz`), 'spin') > 0.1);
    });
  },
};
