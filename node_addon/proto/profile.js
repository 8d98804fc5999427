// SPDX-License-Identifier: Apache-2.0
'use strict';
// What `require('pprof/proto/profile')` gives, as far as its users call it: of perftools.profiles.Profile,
// encode(p).finish() and decode(bytes), without compression.

const { gunzipSync } = require('zlib');
const { encodeSync, isProfile } = require('../lib/profile.js');
const proto = require('../lib/proto.js');

const Profile = {
  encode: (profile) => ({
    finish: () => (isProfile(profile) ? gunzipSync(encodeSync(profile)) : proto.encode(profile)),
  }),
  decode: (bytes) => proto.decode(bytes),
  create: (fields) => Object.assign({}, fields),
};

exports.perftools = { profiles: { Profile } };
