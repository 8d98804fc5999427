// SPDX-License-Identifier: Apache-2.0
'use strict';
// pprof's messages as plain objects, with the field names that users of the `pprof` package know. The core writes
// profiles itself; this is for those who look into one, or change it.

const { checkObject, checkType, invalidType } = require('./arguments.js');

// By field number: [name, kind, whether it repeats]. A kind is a message's name, 'int', 'uint', 'bool' or 'string'.
const SCHEMA = {
  Profile: {
    1: ['sampleType', 'ValueType', true],
    2: ['sample', 'Sample', true],
    3: ['mapping', 'Mapping', true],
    4: ['location', 'Location', true],
    5: ['function', 'Function', true],
    6: ['stringTable', 'string', true],
    7: ['dropFrames', 'int'],
    8: ['keepFrames', 'int'],
    9: ['timeNanos', 'int'],
    10: ['durationNanos', 'int'],
    11: ['periodType', 'ValueType'],
    12: ['period', 'int'],
    13: ['comment', 'int', true],
    14: ['defaultSampleType', 'int'],
  },
  ValueType: { 1: ['type', 'int'], 2: ['unit', 'int'] },
  Sample: { 1: ['locationId', 'uint', true], 2: ['value', 'int', true], 3: ['label', 'Label', true] },
  Label: { 1: ['key', 'int'], 2: ['str', 'int'], 3: ['num', 'int'], 4: ['numUnit', 'int'] },
  Mapping: {
    1: ['id', 'uint'],
    2: ['memoryStart', 'uint'],
    3: ['memoryLimit', 'uint'],
    4: ['fileOffset', 'uint'],
    5: ['filename', 'int'],
    6: ['buildId', 'int'],
    7: ['hasFunctions', 'bool'],
    8: ['hasFilenames', 'bool'],
    9: ['hasLineNumbers', 'bool'],
    10: ['hasInlineFrames', 'bool'],
  },
  Location: {
    1: ['id', 'uint'],
    2: ['mappingId', 'uint'],
    3: ['address', 'uint'],
    4: ['line', 'Line', true],
    5: ['isFolded', 'bool'],
  },
  Line: { 1: ['functionId', 'uint'], 2: ['line', 'int'], 3: ['column', 'int'] },
  Function: {
    1: ['id', 'uint'],
    2: ['name', 'int'],
    3: ['systemName', 'int'],
    4: ['filename', 'int'],
    5: ['startLine', 'int'],
  },
};

const VARINT = 0;
const BYTES = 2;
const isMessage = (kind) => kind in SCHEMA;

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.offset = 0;
  }

  get done() {
    return this.offset >= this.bytes.length;
  }

  /** A number where it is exact, else a BigInt. */
  varint(kind) {
    let small = 0; // exact as long as it fits
    let shift = 0;
    const start = this.offset;
    for (let byte = 0x80; byte >= 0x80; shift += 7) {
      byte = this.bytes[this.offset++];
      if (byte === undefined) throw new RangeError('the profile ends too early');
      if (shift > 63) throw new RangeError('the data are not a profile');
      small += (byte & 0x7f) * Math.pow(2, shift);
    }
    if (shift <= 49) return kind === 'bool' ? small !== 0 : small;
    let value = BigInt(0);
    for (let i = start, n = BigInt(0); i < this.offset; i++, n += BigInt(7)) {
      value |= BigInt(this.bytes[i] & 0x7f) << n;
    }
    value = kind === 'int' ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value);
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }

  slice() {
    const size = Number(this.varint('uint'));
    this.offset += size;
    if (this.offset > this.bytes.length) throw new RangeError('the profile ends too early');
    return this.bytes.subarray(this.offset - size, this.offset);
  }
}

function zero(kind, repeats) {
  if (repeats) return [];
  if (isMessage(kind)) return null;
  return kind === 'bool' ? false : 0;
}

/** The message in `bytes`; unknown fields are left out. Integers beyond 2^53 are BigInts. */
function decode(bytes, type = 'Profile') {
  const fields = SCHEMA[type];
  const message = {};
  for (const [name, kind, repeats] of Object.values(fields)) message[name] = zero(kind, repeats);
  const reader = new Reader(bytes);
  while (!reader.done) {
    const tag = Number(reader.varint('uint'));
    const wire = tag % 8;
    if (wire !== VARINT && wire !== BYTES) throw new RangeError(`wire type ${wire} is not one of pprof's`);
    const [name, kind, repeats] = fields[Math.floor(tag / 8)] || [];
    const value = wire === VARINT ? reader.varint(kind) : reader.slice();
    if (name === undefined) continue;
    if (isMessage(kind) || kind === 'string') {
      const decoded = kind === 'string' ? value.toString('utf8') : decode(value, kind);
      if (repeats) message[name].push(decoded);
      else message[name] = decoded;
    } else if (wire === BYTES) {
      for (const packed = new Reader(value); !packed.done;) message[name].push(packed.varint(kind));
    } else if (repeats) {
      message[name].push(value);
    } else {
      message[name] = value;
    }
  }
  return message;
}

function putVarint(out, value, name) {
  if (typeof value === 'boolean') value = value ? 1 : 0;
  if (typeof value === 'number' && value >= 0 && Number.isSafeInteger(value)) {
    for (; value > 0x7f; value = Math.floor(value / 128)) out.push((value % 128) | 0x80);
    out.push(value);
    return;
  }
  let rest = unsigned(value, name);
  for (; rest > BigInt(0x7f); rest >>= BigInt(7)) out.push(Number(rest & BigInt(0x7f)) | 0x80);
  out.push(Number(rest));
}

/** Of a BigInt, a negative number, or a Long of the `long` package. */
function unsigned(value, name) {
  try {
    return BigInt.asUintN(64, BigInt(typeof value === 'number' ? value : value.toString()));
  } catch (error) {
    throw invalidType(name, 'an integer', value);
  }
}

function putBytes(out, field, bytes) {
  putVarint(out, field * 8 + BYTES);
  putVarint(out, bytes.length);
  for (const byte of bytes) out.push(byte);
}

function arrayOf(name, value) {
  if (!Array.isArray(value)) throw invalidType(name, 'an array', value);
  return value;
}

function put(type, message) {
  const out = [];
  for (const [key, [name, kind, repeats]] of Object.entries(SCHEMA[type])) {
    const field = Number(key);
    const value = message[name];
    const what = `${type}.${name}`; // for errors
    if (value === undefined || value === null) continue;
    if (isMessage(kind)) {
      const all = repeats ? arrayOf(what, value) : [value];
      for (const one of all) putBytes(out, field, put(kind, checkObject(what, one)));
    } else if (kind === 'string') {
      for (const one of arrayOf(what, value)) putBytes(out, field, Buffer.from(checkType(what, 'string', one)));
    } else if (repeats) {
      const packed = [];
      for (const one of arrayOf(what, value)) putVarint(packed, one, what);
      if (packed.length > 0) putBytes(out, field, packed);
    } else if (Number(value) !== 0) { // zero is what is missing
      putVarint(out, field * 8 + VARINT);
      putVarint(out, value, what);
    }
  }
  return out;
}

/** The bytes of a Profile, not compressed. Fields that are missing are not written; wrong ones throw a TypeError. */
const encode = (profile) => Buffer.from(put('Profile', checkObject('profile', profile)));

module.exports = { decode, encode, FIELDS: Object.values(SCHEMA.Profile).map(([name]) => name) };
