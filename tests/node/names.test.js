// SPDX-License-Identifier: Apache-2.0
'use strict';
// Names of functions and files, the odd ones too.

const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { NODE_MAJOR, burn, fresh, leavesOf, profileOf, repeat, share, skip } = require('./support.js');

const LOOP = 'let s = 0; for (let i = 0; i < 100000; i++) s += Math.sqrt(i); return s;';

/** A function called `name`, compiled in a file called `filename`. */
function compile(name, filename) {
  return fresh(`module.exports = { ${JSON.stringify(name)}() { ${LOOP} } };`, filename)[name];
}

/** The innermost frame that got most of the hits while `work` ran. */
async function topFrame(work) {
  const profile = await profileOf(() => repeat(work, 100));
  const top = profile.samples.filter((sample) => sample.stack.length > 0)
    .reduce((best, sample) => (sample.hits > best.hits ? sample : best));
  return top.stack[0];
}

module.exports = {
  async 'a plain function in a plain file'() {
    const profile = await profileOf(() => burn(100));
    assert.ok(share(profile, 'burn') > 0.8, `${share(profile, 'burn')}`);
    assert.strictEqual(leavesOf(profile, 'burn')[0].stack[0].filename, path.join(__dirname, 'support.js'));
  },

  async 'names in any script'() {
    for (const name of ['größe', '大きさ', 'a b;c<d>"e"\n', '$_0']) {
      assert.strictEqual((await topFrame(compile(name, '/names.js'))).name, name);
    }
  },

  async 'a lone surrogate and a NUL do no harm'() {
    for (const name of ['lone\ud800surrogate', 'nul\0inside']) {
      const got = (await topFrame(compile(name, '/names.js'))).name;
      assert.ok(got.startsWith(name.slice(0, 3)), JSON.stringify(got));
    }
  },

  async 'a very long name keeps its beginning'() {
    const name = 'long'.repeat(5000);
    const got = (await topFrame(compile(name, '/names.js'))).name; // V8 cuts names off
    assert.ok(got.length >= 1000 && name.startsWith(got), `${got.length} characters`);
  },

  async 'a function without a name is (anonymous)'() { // which tell them apart: lines.test.js
    const frame = await topFrame(fresh(`module.exports = [function () { ${LOOP} }].pop();`, '/names.js'));
    assert.strictEqual(frame.name, '(anonymous)');
    assert.strictEqual(frame.filename, '/names.js');
  },

  async 'standard naming leaves out what V8 makes up'() {
    const make = () => {
      const holder = {};
      holder.made = (() => function () { let s = 0; for (let i = 0; i < 100000; i++) s += Math.sqrt(i); return s; })();
      return holder.made;
    };
    const seen = {};
    for (const naming of ['debug', 'standard']) {
      const profile = await profileOf(() => repeat(make(), 100), { naming });
      const own = [].concat(...profile.samples.map(({ stack }) => stack)).filter(({ filename }) => filename === __filename);
      seen[naming] = new Set(own.map(({ name }) => name));
    }
    assert.ok([...seen.debug].some((name) => !seen.standard.has(name)), [...seen.debug].join());
    assert.ok(seen.standard.has('(anonymous)'));
  },

  async 'WebAssembly has its names and its URL'() {
    // (func (export "spin") (param i32) (result i32)): a loop that multiplies and adds
    const bytes = Buffer.from('AGFzbQEAAAABBgFgAX8BfwMCAQAHCAEEc3BpbgAACiEBHwECfwNAIAEgAkEDbGohASACQQFqIgIgAEgNAAsgAQsA' +
      'DgRuYW1lAQcBAARzcGlu', 'base64');
    const { spin } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
    const frame = await topFrame(() => spin(1e6));
    assert.ok(/^wasm/.test(frame.filename), frame.filename);
    assert.ok(frame.name.includes('spin') || frame.name.includes('wasm'), frame.name);
  },

  async 'file URLs become paths, all else stays'() {
    const cases = [
      ['file:///srv/a%20b/%C3%BC.mjs', '/srv/a b/ü.mjs'],
      ['file:///srv/x.mjs?v=1#top', '/srv/x.mjs'],
      ['file:///srv/100%.mjs', '/srv/100%.mjs'],
      ['file:///srv/%4', '/srv/%4'],
      ['file:///C:/srv/a%20b/x.mjs', 'C:\\srv\\a b\\x.mjs'],
      ['C:\\srv\\x.js', 'C:\\srv\\x.js'],
      ['node:fs', 'node:fs'],
      ['file://host/share/x.mjs', 'file://host/share/x.mjs'],
      ['https://example.org/a%20b.js', 'https://example.org/a%20b.js'],
      ['/srv/ü ä.js', '/srv/ü ä.js'],
      ['webpack:///./src/a%20b.js', 'webpack:///./src/a%20b.js'],
    ];
    for (const [filename, expected] of cases) {
      assert.strictEqual((await topFrame(compile('work', filename))).filename, expected);
    }
  },

  async 'an ES module is named by its path'() {
    if (NODE_MAJOR < 14) return skip('Node 12 warns of ES modules');
    const directory = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'pyprof ü '));
    try {
      const file = path.join(directory, 'mod.mjs');
      fs.writeFileSync(file, `\nexport function inModule() { ${LOOP} }\n`);
      const { inModule } = await import(require('url').pathToFileURL(file).href);
      const frame = await topFrame(inModule);
      assert.strictEqual(frame.name, 'inModule');
      assert.strictEqual(frame.filename, file);
      assert.strictEqual(frame.startLine, 2);
    } finally {
      fs.rmSync ? fs.rmSync(directory, { recursive: true }) : fs.rmdirSync(directory, { recursive: true });
    }
  },

  async 'eval and new Function have names and lines, and no file'() {
    const made = [
      (0, eval)(`(function fromEval() { ${LOOP} })`),
      new Function(`return function fromFunction() { ${LOOP} }`)(),
    ];
    for (const work of made) {
      const frame = await topFrame(work);
      assert.strictEqual(frame.name, work.name);
      assert.strictEqual(frame.filename, '');
      assert.ok(frame.startLine >= 1);
    }
  },

  async 'a deep recursion is no trouble'() {
    const deep = (n) => (n === 0 ? burn(2) : deep(n - 1) + 1);
    const profile = await profileOf(() => repeat(() => deep(3000), 100));
    const depths = profile.samples.filter(({ stack }) => stack.some(({ name }) => name === 'deep'))
      .map(({ stack }) => stack.length);
    assert.ok(Math.max(...depths) > 100, `${Math.max(...depths)} frames`); // V8 looks at some 250 frames
  },

  async 'thousands of functions are no trouble'() {
    const SHORT = LOOP.replace('100000', '20000');
    const functions = [];
    for (let i = 0; i < 3000; i++) functions.push(new Function(`return function f${i}(n) { ${SHORT} }`)());
    const profile = await profileOf(() => functions.forEach((f) => f()), { intervalMicros: 100 });
    const seen = new Set(profile.samples.map((sample) => sample.stack[0] && sample.stack[0].name));
    assert.ok(seen.size > 500, `${seen.size} functions seen`);
  },
};
