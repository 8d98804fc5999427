// SPDX-License-Identifier: Apache-2.0
'use strict';
// Profiles of what was compiled from TypeScript, by tsc and by esbuild, in terms of its sources.

const assert = require('assert');
const { execFileSync, spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { ADDON, NODE_MAJOR, bigintSum, decode, leavesOf, runNode, skip } = require('./support.js');

const { SourceMapper, encode, encodeSync, heap, time } = require(ADDON);

const SOURCES = path.join(__dirname, 'fixtures', 'sources');
const linesOf = (file) => fs.readFileSync(path.join(SOURCES, file), 'utf8').split('\n');
const lineOf = (file, text) => linesOf(file).findIndex((line) => line.includes(text)) + 1;
const FILES = ['left/spin.ts', 'right/spin.ts'];
const SPIN = lineOf('left/spin.ts', 'function spin');
const LOOP = [SPIN + 2, SPIN + 3];

/** A Node that can run tsc: this one, or that of PATH; undefined if there is none. */
function modernNode() {
  if (NODE_MAJOR >= 18) return process.execPath;
  const { stdout } = spawnSync('node', ['-p', 'process.versions.node'], { encoding: 'utf8' });
  return parseInt(stdout, 10) >= 18 ? 'node' : undefined;
}

const newFolder = () => fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'pyprof-')));
const remove = (folder) => spawnSync('rm', ['-r', folder]);
const compiled = new Map(); // command -> folder with src/ and out/, to copy: tsc takes seconds

function compile(program, ...args) {
  const command = [program, ...args].join(' ');
  if (!compiled.has(command)) {
    const root = newFolder();
    process.on('exit', () => remove(root));
    execFileSync('cp', ['-r', SOURCES, path.join(root, 'src')]);
    execFileSync(program, args, { cwd: root });
    compiled.set(command, root);
  }
  return compiled.get(command);
}

/** What `compiler` makes of the sources, in a folder that goes afterwards: use(compiled file, folder). */
async function withCompiled(compiler, use) {
  const node = modernNode();
  if (node === undefined) return skip('tsc needs a newer Node');
  const root = newFolder();
  try {
    const { command, file } = compiler(node);
    execFileSync('cp', ['-r', `${compile(...command)}/.`, root]);
    return await use(path.join(root, file), root);
  } finally {
    remove(root);
  }
}

const tsc = (...options) => (node) => ({
  command: [
    node, require.resolve('typescript/bin/tsc'), '--target', 'es2019', '--module', 'commonjs', '--outDir', 'out',
    ...options, 'src/main.ts',
  ],
  file: 'out/main.js',
});

const esbuild = (...options) => () => ({
  command: [
    require.resolve('@esbuild/linux-x64/bin/esbuild'), 'src/main.ts', '--bundle', '--platform=node', '--target=es2019',
    '--log-level=error', ...options, '--outfile=out/bundle.js',
  ],
  file: 'out/bundle.js',
});

const framesOf = (profile) => profile.samples.reduce((frames, { stack }) => frames.concat(stack), []);

/** Samples of spin(), by the source file in which the profile says it is; and all that it says of it. */
function spins(profile, root) {
  const named = leavesOf(profile, 'spin');
  return FILES.map((file) => {
    const samples = named.filter(({ stack }) => stack[0].filename === path.join(root, 'src', file));
    const frames = samples.map(({ stack }) => stack[0]);
    return {
      hits: Number(bigintSum(samples.map((sample) => sample.hits))),
      functions: new Set(frames.map(({ functionId }) => functionId)).size,
      startLines: new Set(frames.map(({ startLine }) => startLine)),
      lines: samples.filter(({ stack }) => LOOP.includes(stack[0].line)),
      otherLines: frames.map(({ line }) => line).filter((line) => line !== 0 && (line < SPIN || line > SPIN + 5)),
    };
  });
}

function checkSpins(profile, root, { lines = true } = {}) {
  for (const spin of spins(profile, root)) {
    assert.ok(spin.hits > 0); // how many is up to how busy the machine is
    assert.strictEqual(spin.functions, 1);
    assert.deepStrictEqual(Array.from(spin.startLines), [SPIN]);
    assert.deepStrictEqual(spin.otherLines, []);
    const within = Number(bigintSum(spin.lines.map((sample) => sample.hits)));
    if (lines) assert.ok(within > 0.7 * spin.hits, `${within} of ${spin.hits}`);
  }
}

let runs = 0;
const cpuMillis = () => process.cpuUsage().user / 1000; // other processes do not shorten the work

/** The module, compiled anew and so never optimised before: see `fresh` of support.js. */
function load(file) {
  for (const loaded of Object.keys(require.cache).filter((name) => name.startsWith(path.dirname(file)))) {
    delete require.cache[loaded];
    fs.appendFileSync(loaded, `\n// ${++runs}`);
  }
  return require(file);
}

function runFor(ms, file, ...options) {
  const { Spinner } = load(file);
  const stop = time.start(...options);
  new Spinner({ ms, now: cpuMillis }).both();
  return stop();
}

const run = (file, ...options) => runFor(100, file, ...options);

module.exports = {
  async 'tsc: functions, executing lines and call lines are those of the sources'() {
    return withCompiled(tsc('--sourceMap'), async (file, root) => {
      const sourceMapper = await SourceMapper.create([root]);
      const profile = run(file, { sourceMapper, callLines: true });
      const decoded = decode(await encode(profile));
      checkSpins(decoded, root);
      const callers = leavesOf(decoded, 'spin').map(({ stack }) => stack.slice(1, 3));
      for (const [one, both] of callers) {
        assert.deepStrictEqual([one, both].map(({ name, filename, startLine }) => [name, filename, startLine]), [
          ['one', path.join(root, 'src', 'main.ts'), lineOf('main.ts', 'private one')],
          ['both', path.join(root, 'src', 'main.ts'), lineOf('main.ts', 'both():')],
        ]);
        assert.ok(['return left', 'return right'].map((text) => lineOf('main.ts', text)).includes(one.line), one.line);
        assert.ok(['Side.Left)', 'Side.Right)'].map((text) => lineOf('main.ts', text)).includes(both.line), both.line);
      }
      const files = framesOf(decoded).map(({ filename }) => filename);
      assert.deepStrictEqual(files.filter((name) => name.startsWith(path.join(root, 'out'))), []);
      assert.deepStrictEqual(sourceMapper.skipped, []);
    });
  },

  async 'on the loop and on the thread the result is the same'() {
    return withCompiled(tsc('--sourceMap'), async (file, root) => {
      const sourceMapper = new SourceMapper([root]);
      const text = ({ function: functions, stringTable }) => functions.map(({ name, filename, startLine }) => (
        [stringTable[name], stringTable[filename], startLine]));
      const first = run(file, { sourceMapper });
      const pending = encode(first);
      const early = encodeSync(first); // does not wait for the thread
      assert.deepStrictEqual(decode(await pending), decode(early));
      checkSpins(decode(early), root);
      const second = run(file, { sourceMapper });
      const [, filename] = text(second).find(([name]) => name === 'spin');
      assert.ok(FILES.map((name) => path.join(root, 'src', name)).includes(filename), filename);
      checkSpins(decode(await encode(second)), root);
    });
  },

  async 'maps in the file itself, beside it without a comment, and by positional arguments'() {
    await withCompiled(tsc('--inlineSourceMap'), async (file, root) => {
      assert.ok(fs.readFileSync(file, 'utf8').includes('sourceMappingURL=data:'));
      checkSpins(decode(await encode(run(file, 1000, undefined, await SourceMapper.create([root]), true))), root);
    });
    return withCompiled(tsc('--sourceMap'), async (file, root) => {
      for (const name of ['main.js', 'left/spin.js', 'right/spin.js']) {
        const generated = path.join(root, 'out', name);
        fs.writeFileSync(generated, fs.readFileSync(generated, 'utf8').replace(/^\/\/# sourceMappingURL.*$/m, ''));
      }
      checkSpins(decode(encodeSync(run(file, { sourceMapper: new SourceMapper([root]) }))), root);
    });
  },

  async 'esbuild: a bundle, minified to one line'() {
    const names = (profile) => new Set(framesOf(profile).map(({ name }) => name));
    return withCompiled(esbuild('--minify', '--sourcemap'), async (file, root) => {
      const plain = decode(encodeSync(run(file)));
      assert.ok(!names(plain).has('spin'));
      const profile = decode(await encode(run(file, { sourceMapper: await SourceMapper.create([root]) })));
      checkSpins(profile, root, { lines: NODE_MAJOR >= 26 }); // before, V8 tells no columns
      assert.ok(names(profile).has('both'));
    });
  },

  async 'esbuild: a bundle with a map of sections'() {
    return withCompiled(esbuild('--sourcemap'), async (file, root) => {
      const map = JSON.parse(fs.readFileSync(`${file}.map`, 'utf8'));
      const sections = [{ offset: { line: 0, column: 0 }, map }];
      fs.writeFileSync(`${file}.map`, `)]}'\n${JSON.stringify({ version: 3, sections })}`);
      checkSpins(decode(await encode(run(file, { sourceMapper: await SourceMapper.create([root]) }))), root);
    });
  },

  async 'a file outside of the directories is not mapped, nor is anything without a mapper'() {
    return withCompiled(tsc('--sourceMap'), async (file, root) => {
      const sourceMapper = await SourceMapper.create([path.join(root, 'out', 'left')]);
      const decoded = decode(await encode(run(file, { sourceMapper })));
      const files = new Set(leavesOf(decoded, 'spin').map(({ stack }) => stack[0].filename));
      assert.deepStrictEqual(Array.from(files).sort(), [
        path.join(root, 'out', 'right', 'spin.js'), path.join(root, 'src', 'left', 'spin.ts'),
      ].sort());
      const code = `require(${JSON.stringify(file)}); const stop = addon.time.start(); burn(20);
        addon.encodeSync(stop()); console.log(Object.keys(require.cache).some((one) => one.includes('trace-mapping')))`;
      assert.strictEqual(runNode(code).stdout, 'false\n');
    });
  },

  async 'a broken map is skipped, and the reason is told once'() {
    const broken = {
      'not JSON': /JSON|Unexpected/,
      '{"version": 2}': /not a source map of version 3/,
      'null': /not a source map/,
      '{"version": 3, "sources": ["../src/left/spin.ts"], "names": [], "mappings": 5}': /not a source map/,
      '{"version": 3, "names": [], "mappings": "AAAA"}': /not a source map/,
    };
    const warnings = [];
    const listen = (warning) => warnings.push(warning);
    process.on('warning', listen);
    const result = await withCompiled(tsc('--sourceMap'), async (file, root) => {
      const generated = path.join(root, 'out', 'left', 'spin.js');
      for (const [text, reason] of Object.entries(broken)) {
        fs.writeFileSync(`${generated}.map`, text);
        const sourceMapper = await SourceMapper.create([root]);
        const work = () => runFor(30, file, { sourceMapper });
        for (const bytes of [await encode(work()), encodeSync(work())]) {
          const files = new Set(leavesOf(decode(bytes), 'spin').map(({ stack }) => stack[0].filename));
          const expected = [generated, path.join(root, 'src', 'right', 'spin.ts')];
          assert.deepStrictEqual(Array.from(files).sort(), expected.sort(), text);
        }
        assert.deepStrictEqual(sourceMapper.skipped.map((one) => one.file), [generated]);
        assert.ok(reason.test(sourceMapper.skipped[0].reason), sourceMapper.skipped[0].reason);
      }
      fs.unlinkSync(`${generated}.map`);
      const sourceMapper = await SourceMapper.create([root]);
      encodeSync(runFor(30, file, { sourceMapper }));
      assert.ok(/ENOENT/.test(sourceMapper.skipped[0].reason));
    });
    await new Promise((resolve) => setImmediate(resolve));
    process.removeListener('warning', listen);
    const ours = warnings.filter(({ code }) => code === 'PYPROF_SOURCE_MAP');
    if (result === undefined) assert.strictEqual(ours.length, Object.keys(broken).length); // a map may be missing
    return result;
  },

  async 'mappings that point nowhere change nothing and do not crash'() {
    const segments = ['AAAA', 'A////D', 'gggggggC', 'AEAA', ';;;;;;;;;AADD'].join(';');
    return withCompiled(tsc('--sourceMap'), async (file, root) => {
      const map = { version: 3, sources: [null, 'x.ts'], names: [], mappings: `${segments},${segments}` };
      fs.writeFileSync(path.join(root, 'out', 'left', 'spin.js.map'), JSON.stringify(map));
      const decoded = decode(await encode(runFor(30, file, { sourceMapper: await SourceMapper.create([root]) })));
      assert.ok(leavesOf(decoded, 'spin').length > 0);
    });
  },

  async 'a generated file that is not the one of its map, and a builtin that lies'() {
    return withCompiled(tsc('--sourceMap'), async (file, root) => {
      const spin = path.join(root, 'out', 'left', 'spin.js');
      const map = { version: 3, sources: ['x.ts'], names: ['spin'], mappings: 'AAAAA;'.repeat(200) };
      fs.writeFileSync(`${spin}.map`, JSON.stringify(map));
      const profile = runFor(30, file, { sourceMapper: await SourceMapper.create([root]) });
      const other = runFor(30, file, { sourceMapper: await SourceMapper.create([root]) });
      fs.writeFileSync(spin, '//# sourceMappingURL=spin.js.map');
      assert.ok(leavesOf(decode(await encode(profile)), 'spin').length > 0);
      const { from } = Int32Array;
      Int32Array.from = () => new Int32Array(3);
      try {
        assert.throws(() => encodeSync(other), { code: 'ERR_PPROF_INVALID' });
      } finally {
        Int32Array.from = from;
      }
    });
  },

  async 'the heap profile'() {
    return withCompiled(tsc('--sourceMap'), async (file, root) => {
      const sourceMapper = await SourceMapper.create([root]);
      heap.start(1024, 32);
      try {
        const kept = require(file).hoard(20000);
        const decoded = decode(await encode(heap.profile(undefined, sourceMapper)));
        const hoard = framesOf(decoded).find(({ name }) => name === 'hoard');
        assert.strictEqual(hoard.filename, path.join(root, 'src', 'main.ts'));
        assert.strictEqual(hoard.startLine, lineOf('main.ts', 'function hoard'));
        assert.strictEqual(kept.length, 20000);
      } finally {
        heap.stop();
      }
    });
  },

  async 'the preload, with PYPROF_SOURCE_MAPS'() {
    return withCompiled(tsc('--sourceMap'), async (file, root) => {
      const code = `new (require(${JSON.stringify(file)}).Spinner)({ ms: 100, now: Date.now }).both()`;
      const child = runNode(code, {
        args: ['--require', path.join(ADDON, 'register.js')],
        env: { PYPROF_SOURCE_MAPS: [root, SOURCES].join(path.delimiter), PYPROF_DIRECTORY: root },
      });
      assert.deepStrictEqual([child.stderr, child.status], ['', 0]);
      const [written] = fs.readdirSync(root).filter((name) => name.endsWith('.pb.gz'));
      checkSpins(decode(fs.readFileSync(path.join(root, written))), root);
    });
  },

  async 'a process that has mapped ends by itself, in a worker too; what it preloads does not reach the thread'() {
    return withCompiled(tsc('--sourceMap'), async (file, root) => {
      const preload = path.join(root, 'preload.js');
      fs.writeFileSync(preload, `process._rawDebug('preloaded')`);
      const work = `const addon = require(${JSON.stringify(ADDON)});
        (async () => {
          const sourceMapper = await addon.SourceMapper.create([${JSON.stringify(root)}]);
          const stop = addon.time.start({ sourceMapper });
          new (require(${JSON.stringify(file)}).Spinner)({ ms: 30, now: Date.now }).both();
          const bytes = require('zlib').gunzipSync(await addon.encode(stop()));
          console.log(bytes.includes('spin.ts'));
        })();`;
      const plain = runNode(`{${work}}`, { args: ['--require', preload] });
      assert.deepStrictEqual([plain.stdout, plain.stderr, plain.status], ['true\n', 'preloaded\n', 0]);
      if (NODE_MAJOR >= 24) { // without the right to start threads
        const permissions = ['--permission', '--allow-addons', '--allow-fs-read=*'];
        const restricted = runNode(`{${work}}`, { args: permissions });
        assert.deepStrictEqual([restricted.stdout, restricted.status], ['true\n', 0], restricted.stderr);
      }
      const worker = runNode(`new (require('worker_threads').Worker)(${JSON.stringify(work)}, { eval: true })`);
      assert.deepStrictEqual([worker.stdout, worker.stderr, worker.status], ['true\n', '', 0]);
    });
  },

  async 'arguments are checked'() {
    assert.throws(() => time.start({ sourceMapper: {} }), { code: 'ERR_INVALID_ARG_TYPE' });
    assert.throws(() => time.start(1000, 'name', {}), { code: 'ERR_INVALID_ARG_TYPE' });
    assert.throws(() => new SourceMapper('.'), { code: 'ERR_INVALID_ARG_TYPE' });
    assert.throws(() => new SourceMapper([1]), { code: 'ERR_INVALID_ARG_TYPE' });
    await assert.rejects(SourceMapper.create(['/no/such/directory']), { code: 'ENOENT' });
    time.start({ sourceMapper: null })();
    time.start({ sourceMapper: new SourceMapper() })();
    heap.start();
    assert.throws(() => heap.profile('', {}), { code: 'ERR_INVALID_ARG_TYPE' });
    heap.stop();
  },
};
