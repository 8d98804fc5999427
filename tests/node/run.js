// SPDX-License-Identifier: Apache-2.0
'use strict';
// Runs every *.test.js here, one test after the other, in whatever Node runs this: `node --test` needs Node 18 and the
// addon is to be tested on 12. The last line is "N passed, M failed". Arguments choose tests by a part of "file: name".
//
// A test file exports {name: function}. A function fails by throwing or rejecting, and is skipped by returning skip().

const fs = require('fs');
const path = require('path');
require('./packages.js');
const { ADDON, Skip } = require('./support.js');

const TIMEOUT_MS = 120000;

function timeout(ms) {
  let timer;
  const promise = new Promise((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${ms} ms`)), ms);
  });
  return { promise, clear: () => clearTimeout(timer) };
}

async function runTest(title, run) {
  const limit = timeout(TIMEOUT_MS);
  const start = Date.now();
  try {
    const result = await Promise.race([run(), limit.promise]);
    if (result instanceof Skip) {
      console.log(`skipped ${title}: ${result.reason}`);
      return 'skipped';
    }
    console.log(`ok      ${title} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    return 'passed';
  } catch (error) {
    console.log(`FAILED  ${title}\n${error.stack}`);
    const { time } = require(ADDON); // the next test is to find none running
    if (time.state().running) time.stop();
    return 'failed';
  } finally {
    limit.clear();
  }
}

async function main(filters) {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for (const file of fs.readdirSync(__dirname).filter((name) => name.endsWith('.test.js')).sort()) {
    for (const [name, run] of Object.entries(require(path.join(__dirname, file)))) {
      const title = `${file}: ${name}`;
      if (filters.length > 0 && !filters.some((filter) => title.includes(filter))) continue;
      count[await runTest(title, run)] += 1;
    }
  }
  if (count.skipped > 0) console.log(`${count.skipped} skipped`);
  console.log(`${count.passed} passed, ${count.failed} failed`);
  process.exitCode = count.failed > 0 || count.passed === 0 ? 1 : 0;
}

main(process.argv.slice(2));
