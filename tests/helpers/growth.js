// SPDX-License-Identifier: Apache-2.0
'use strict'

// Profilers whose memory grows in a known way, for tests of the leak verdict. Each gives one and the same real profile
// in every turn; what it costs is memory outside V8's heap, by whole pages of a reserve that nothing has touched yet.

const fs = require('fs')
const path = require('path')
const v8 = require('v8')
const vm = require('vm')

const KIB = 1024
const MIB = 1024 * KIB
const PAGE = 4 * KIB
const PROFILE = fs.readFileSync(path.join(__dirname, '../golden/addon.pb.gz'))

/** Memory that is not resident before it is touched. More than 32 MiB, so that malloc maps it, and unmaps it at once. */
class Reserve {
  constructor(size) {
    this.buffer = Buffer.allocUnsafeSlow(size)
    this.touched = 0
  }

  /** Makes the first `size` bytes resident; never fewer than were. */
  touch(size) {
    for (; this.touched + PAGE <= size; this.touched += PAGE) this.buffer[this.touched] = 1
  }
}

/** An adapter that calls `turn(number, seconds)` for every profile, with the seconds since the first. */
const adapter = (turn) => () => {
  let number = 0
  let begin = null
  return {
    start() {
      if (begin === null) begin = process.uptime()
    },
    stop: () => turn(++number, process.uptime() - begin),
    encode: () => PROFILE,
  }
}

/** Leaks exactly that much per profile. */
function leak(kib) {
  const reserve = new Reserve(1024 * MIB)
  return adapter((number) => reserve.touch(number * kib * KIB))
}

/** Grows by `mib` in all, by e^-t of it after t times `seconds`. */
function settle(mib, seconds) {
  const reserve = new Reserve(1024 * MIB)
  return adapter((number, t) => reserve.touch(mib * MIB * (1 - Math.exp(-t / seconds))))
}

/** Grows evenly to `mib`, gives all of it back, and again, every `seconds`; begins anywhere in that. */
function saw(mib, seconds) {
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc')
  const phase = Math.random()
  let reserve = null
  let tooth = null
  return adapter((number, t) => {
    const at = t / seconds + phase
    if (Math.floor(at) !== tooth) {
      tooth = Math.floor(at)
      reserve = null
      collect()
      reserve = new Reserve(64 * MIB)
    }
    reserve.touch((at - tooth) * mib * MIB)
  })
}

/** Takes `mib` at once, somewhere between `from` and `to` seconds. */
function jump(mib, from, to) {
  const reserve = new Reserve(1024 * MIB)
  const when = from + Math.random() * (to - from)
  return adapter((number, t) => reserve.touch(t > when ? mib * MIB : 0))
}

module.exports = { leak, settle, saw, jump }
