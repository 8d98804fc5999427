// SPDX-License-Identifier: Apache-2.0
'use strict';
// A build of the addon lies without the packages that it depends on; they are here. Requiring this lets it find them, in
// this process and in its children.

const Module = require('module');
const path = require('path');

process.env.NODE_PATH = path.join(__dirname, 'node_modules');
Module._initPaths();
