// SPDX-License-Identifier: Apache-2.0
'use strict';
// The addon's binary for this Node: built here, or one of those that the package brings.

const { existsSync } = require('fs');
const path = require('path');
const { withCode } = require('./arguments.js');

const ROOT = path.dirname(__dirname);
const ABI = process.versions.modules;
const BUILT = path.join(ROOT, 'build', 'Release', 'pyprof.node');
const SHIPPED = path.join(ROOT, 'prebuilds', `${process.platform}-${process.arch}`, `pyprof.abi${ABI}.node`);

/** The addon, or why a file is none. */
function load(file) {
  if (!existsSync(file)) return { reason: `there is no ${file}` };
  try {
    const addon = require(file);
    // Node-API addons are loaded whatever they were built for, but this one uses V8 as well.
    if (addon.abi === Number(ABI)) return { addon };
    return { reason: `${file} was built for Node ${addon.builtFor} (ABI ${addon.abi})` };
  } catch (error) {
    if (error.code === 'ERR_DLOPEN_DISABLED') throw error; // by Node's permission model: no other would be loaded
    return { reason: error.message };
  }
}

function loadFirst(files) {
  const reasons = [];
  for (const file of files) {
    const { addon, reason } = load(file);
    if (addon !== undefined) return addon;
    reasons.push(reason);
  }
  const prefix = path.dirname(path.dirname(process.execPath));
  throw withCode(new Error(
    `pyprof-node has no addon for Node ${process.version} (ABI ${ABI}) on ${process.platform} ${process.arch}: ` +
    `${reasons.join('; ')}. Build it, with a C++ compiler, make, Python and libprotobuf-c-dev: ` +
    `cd ${ROOT} && npm install --ignore-scripts && npm_config_nodedir=${prefix} npx node-gyp rebuild`,
  ), 'ERR_PPROF_NOT_BUILT');
}

module.exports = loadFirst([BUILT, SHIPPED]);
