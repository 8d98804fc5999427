// SPDX-License-Identifier: Apache-2.0
'use strict';
// Run by `npm install`: does nothing where an addon for this Node is there already, else ends with 1, and the package's
// script goes on to build one.

try {
  require('../lib/native.js');
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
