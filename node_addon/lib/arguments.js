// SPDX-License-Identifier: Apache-2.0
'use strict';
// Checks of what callers pass, with errors as Node's own functions throw them. Each returns the value.

const { inspect } = require('util');

const POLICIES = ['recreate', 'keep', 'eager', 'auto']; // in the addon's order
const MAX_INT32 = 0x7fffffff; // what V8 and timers take

function withCode(error, code) {
  error.code = code;
  return error;
}

function invalidType(name, expected, value) {
  return withCode(new TypeError(`"${name}" must be ${expected}. Received ${inspect(value)}`), 'ERR_INVALID_ARG_TYPE');
}

function outOfRange(name, expected, value) {
  return withCode(new RangeError(`"${name}" must be ${expected}. Received ${inspect(value)}`), 'ERR_OUT_OF_RANGE');
}

function checkType(name, type, value) {
  if (typeof value !== type) throw invalidType(name, `a ${type}`, value);
  return value;
}

function checkInteger(name, value, most = MAX_INT32) {
  checkType(name, 'number', value);
  if (!Number.isInteger(value) || value < 1 || value > most) {
    throw outOfRange(name, `an integer from 1 to ${most}`, value);
  }
  return value;
}

function checkObject(name, value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidType(name, 'an object', value);
  return value;
}

function checkOneOf(name, values, value) {
  checkType(name, 'string', value);
  if (!values.includes(value)) throw outOfRange(name, `one of ${values.join(', ')}`, value);
  return value;
}

module.exports = { POLICIES, checkInteger, checkObject, checkOneOf, checkType, invalidType, withCode };
