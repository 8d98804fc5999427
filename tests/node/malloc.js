// SPDX-License-Identifier: Apache-2.0
'use strict';
// fixtures/malloc_in_use.c, for the Node that runs this and all others: it uses nothing but Node-API.

const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

let built;

/** The path of the module, which is removed when the process ends. */
module.exports = function buildMalloc() {
  if (built !== undefined) return built;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pyprof-'));
  process.on('exit', () => spawnSync('rm', ['-r', folder]));
  const file = path.join(folder, 'malloc_in_use.node');
  const headers = require('node-api-headers').include_dir;
  const source = path.join(__dirname, 'fixtures', 'malloc_in_use.c');
  const { status, error, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-I', headers, '-o', file, source]);
  if (status !== 0) throw new Error(`cc failed: ${error || stderr}`);
  built = file;
  return file;
};
