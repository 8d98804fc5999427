// SPDX-License-Identifier: Apache-2.0
'use strict';
// The package around the addon: what it exports, how it fails to load, its types, and that pprof itself reads a profile.

const assert = require('assert');
const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const { ADDON, NODE_MAJOR, burn, inFolder, skip } = require('./support.js');

const BINARY = path.join(ADDON, 'build', 'Release', 'pyprof.node');

/** Runs a program; undefined if there is none of that name. */
function run(program, args) {
  const child = spawnSync(program, args, { encoding: 'utf8' });
  if (child.error && child.error.code === 'ENOENT') return undefined;
  assert.strictEqual(child.status, 0, `${program}: ${child.stdout}${child.stderr}`);
  return child.stdout;
}

module.exports = {
  'exports what index.d.ts declares'() {
    const addon = require(ADDON);
    assert.deepStrictEqual(Object.keys(addon).sort(), ['SourceMapper', 'encode', 'encodeSync', 'heap', 'time']);
    assert.deepStrictEqual(Object.keys(addon.time).sort(), ['prepare', 'profile', 'start', 'state', 'stop']);
  },

  'the types accept right code and refuse wrong code'() {
    if (NODE_MAJOR < 18) return skip('tsc needs a newer Node');
    const tsc = require.resolve('typescript/bin/tsc');
    const options = ['--strict', '--noEmit', '--module', 'commonjs', '--target', 'es2020', '--types', 'node'];
    const roots = ['--typeRoots', path.join(__dirname, 'node_modules', '@types')];
    const use = fs.readFileSync(path.join(__dirname, 'fixtures', 'types.ts'), 'utf8').replace('pyprof-node', path.join(ADDON, 'index'));
    return inFolder((directory) => {
      const file = path.join(directory, 'types.ts');
      fs.writeFileSync(file, use);
      run(process.execPath, [tsc, ...options, ...roots, file]);
    });
  },

  'without a build, the error names the Node and the command'() {
    return inFolder((directory) => {
      run('cp', ['-r', path.join(ADDON, 'index.js'), path.join(ADDON, 'lib'), directory]);
      assert.throws(() => require(directory), (error) => {
        assert.strictEqual(error.code, 'ERR_PPROF_NOT_BUILT');
        assert.ok(error.message.includes(`Node ${process.version} (ABI ${process.versions.modules})`), error.message);
        assert.ok(error.message.includes(`cd ${directory} && `), error.message);
        assert.ok(error.message.includes('node-gyp rebuild'), error.message);
        return true;
      });
    });
  },

  'the binary exports nothing of the core'() {
    const symbols = run('nm', ['-D', '--defined-only', BINARY]);
    if (symbols === undefined) return skip('there is no nm');
    assert.ok(symbols.includes('napi_register_module_v1'));
    assert.deepStrictEqual(symbols.split('\n').filter((line) => / (pp_|perftools|deflate|inflate)/.test(line)), []);
  },

  'go tool pprof finds the busy function'() {
    const go = ['go', '/usr/local/go/bin/go'].find((name) => run(name, ['version']) !== undefined);
    if (go === undefined) return skip('there is no Go');
    const { time, encodeSync } = require(ADDON);
    const stop = time.start();
    burn(200);
    const bytes = encodeSync(stop());
    return inFolder((directory) => {
      const file = path.join(directory, 'burn.pb.gz');
      fs.writeFileSync(file, bytes);
      const rows = run(go, ['tool', 'pprof', '-top', '-symbolize=none', file]).split('\n');
      const first = rows[rows.findIndex((row) => row.includes('flat%')) + 1];
      assert.ok(/ burn$/.test(first), rows.join('\n'));
    });
  },
};
