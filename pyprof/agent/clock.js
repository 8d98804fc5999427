'use strict'

// The originals are taken at preload: an app with fake timers or a fake clock must not change what is measured.
const now = process.hrtime.bigint

/** Milliseconds between two readings of `now()`, which are CLOCK_MONOTONIC nanoseconds (BigInt). */
const milliseconds = (from, to) => Number(to - from) / 1e6

/** CLOCK_MONOTONIC in seconds: comparable between all processes of a machine. */
const seconds = () => Number(now()) / 1e9

module.exports = { now, milliseconds, seconds }
