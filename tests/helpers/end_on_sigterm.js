// SPDX-License-Identifier: Apache-2.0
'use strict';
// V8 writes its coverage when a process ends by itself, not when a signal ends it.

process.once('SIGTERM', () => process.exit(0));
