// SPDX-License-Identifier: Apache-2.0
'use strict';
// The addon's binary, built for this Node.

const path = require('path');
const { withCode } = require('./arguments.js');

const ROOT = path.dirname(__dirname);

function load() {
  const file = path.join(ROOT, 'build', 'Release', 'pyprof.node');
  let addon;
  let reason;
  try {
    addon = require(file);
    // Node-API addons are loaded whatever they were built for, but this one uses V8 as well.
    if (addon.abi === Number(process.versions.modules)) return addon;
    reason = `it was built for Node ${addon.builtFor} (ABI ${addon.abi})`;
  } catch (error) {
    reason = error.message;
  }
  const prefix = path.dirname(path.dirname(process.execPath));
  throw withCode(new Error(
    `pyprof-node: ${file} does not run in Node ${process.version} (ABI ${process.versions.modules}): ${reason}. ` +
    `Build it: cd ${ROOT} && npm install --ignore-scripts && npm_config_nodedir=${prefix} npx node-gyp rebuild`,
  ), 'ERR_PPROF_NOT_BUILT');
}

module.exports = load();
