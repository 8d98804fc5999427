// SPDX-License-Identifier: Apache-2.0
'use strict';
// The handle on a finished profile, which cannot be forged, and its encoding; also of profiles made by others.

const { promisify } = require('util');
const { gunzipSync, gzip, gzipSync } = require('zlib');
const { invalidType } = require('./arguments.js');
const native = require('./native.js');
const proto = require('./proto.js');

// Profile -> {handle: what the addon holds, until `bytes` are there; walked: the promise that V8's tree has been given
// back; mapping: what maps its sources, until that is done, or null; pending: the promise of the bytes; message: the
// profile as plain objects, once somebody has looked into it}
const records = new WeakMap();

const isProfile = (value) => records.has(value);

class Profile {}

// The fields appear when they are read, so that nobody else pays. They may be changed from then on.
const fields = {};
for (const name of proto.FIELDS) {
  fields[name] = {
    enumerable: true,
    get() {
      return messageOf(this)[name];
    },
    set(value) {
      messageOf(this)[name] = value;
    },
  };
}

function messageOf(profile) {
  if (!isProfile(profile)) throw invalidType('profile', 'a Profile, as stop() returns it', profile);
  const record = records.get(profile);
  if (record.message === null) record.message = proto.decode(gunzipSync(encodeSync(profile)));
  return record.message;
}

function createProfile(handle, mapping = null) {
  // JavaScript goes on for some steps in a thread that is being terminated, and what it asks of the addon fails there.
  if (handle === undefined) throw new Error('no profile can be taken: this thread is being terminated');
  const profile = Object.defineProperties(new Profile(), fields);
  const walked = native.walk(handle);
  records.set(profile, { handle, walked, mapping, bytes: null, pending: null, message: null });
  return profile;
}

/** Of a profile that somebody has looked into, and maybe changed, or made. null if it is as stop() gave it. */
function fieldsOf(profile) {
  if (isProfile(profile)) return records.get(profile).message;
  if (typeof profile === 'object' && profile !== null && Array.isArray(profile.stringTable)) return profile;
  throw invalidType('profile', 'a Profile, as stop() returns it, or an object with the fields of one', profile);
}

async function mapSources(record) {
  const { handle, mapping } = record;
  const places = await mapping.soon(await native.places(handle));
  if (record.mapping !== null) movePlaces(record, places); // unless encodeSync has been faster
}

function mapSourcesSync(record) {
  movePlaces(record, record.mapping.now(native.placesSync(record.handle)));
}

function movePlaces(record, places) {
  if (places !== null) native.movePlaces(record.handle, places);
  record.mapping = null;
}

async function encodeOnce(record) {
  // Whoever allocates while so many nodes are freed may hold malloc's lock for long, and keep the loop waiting.
  await record.walked;
  if (record.mapping !== null) await mapSources(record);
  const bytes = await native.encode(record.handle);
  keep(record, bytes);
}

// A Buffer is memory that V8 knows of; the addon's is not.
function keep(record, bytes) {
  record.bytes = bytes;
  native.forget(record.handle);
  record.handle = null;
}

async function encode(profile) {
  const message = fieldsOf(profile);
  if (message !== null) return promisify(gzip)(proto.encode(message));
  const record = records.get(profile);
  if (record.pending === null && record.bytes === null) record.pending = encodeOnce(record);
  await record.pending;
  return Buffer.from(record.bytes);
}

function encodeSync(profile) {
  const message = fieldsOf(profile);
  if (message !== null) return gzipSync(proto.encode(message));
  const record = records.get(profile);
  if (record.bytes === null) {
    if (record.mapping !== null) mapSourcesSync(record);
    const bytes = native.encodeSync(record.handle);
    if (record.pending !== null) return bytes; // that one is still to be kept
    keep(record, bytes);
  }
  return Buffer.from(record.bytes);
}

module.exports = { createProfile, encode, encodeSync, isProfile };
