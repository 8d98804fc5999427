'use strict'

// The profile loop: profile, send, pause, again, until told to stop.

const timers = require('timers')
const watchDelay = require('./delay.js')
const { milliseconds, now, seconds } = require('./clock.js')

// Taken at preload: whatever the app replaces later, the agent keeps the originals.
const { Promise } = globalThis
const { setTimeout } = timers
const { memoryUsage } = process

const sleep = (duration) => new Promise((resolve) => setTimeout(resolve, duration).unref())


/**
 * A loop that is not yet running.
 * `profiler` is an adapter's {start, stop, encode, released?}, or null for the same loop without a profiler ("ticks").
 * `send` comes from channel.js, `fail(where, error)` reports what a profiler throws; the loop ends there.
 */
module.exports = function createLoop(profiler, { duration_ms: duration, gap_ms: gap }, send, fail) {
  let delay = null
  let measured = false
  let stopping = false
  let running = null

  function attempt(where, action) {
    const begin = now()
    try {
      return { value: action(), begin, end: now() }
    } catch (error) {
      fail(where, error)
      throw error
    }
  }

  // What stopping a profile blocks the event loop for later on, ms so far. An adapter has it if its profiler does that.
  const released = () => (profiler.released ? profiler.released() : 0)

  async function profile(fields) {
    const before = released()
    const start = attempt('start', () => profiler.start())
    await sleep(duration)
    const stop = attempt('stop', () => profiler.stop())
    const t = seconds()
    const encode = attempt('encode', () => profiler.encode(stop.value))
    const bytes = await Promise.resolve(encode.value).catch((error) => {
      fail('encode', error)
      throw error
    })
    return Object.assign(fields, {
      type: 'profile',
      t,
      start_pause_ms: milliseconds(start.begin, start.end),
      stop_pause_ms: milliseconds(stop.begin, stop.end) + released() - before,
      encode_pause_ms: milliseconds(encode.begin, encode.end),
      profiled_ms: milliseconds(start.end, stop.begin),
      bytes: bytes.length,
      data: bytes.toString('base64'),
    })
  }

  async function tick(fields) {
    await sleep(duration)
    return Object.assign(fields, { type: 'tick', t: seconds() })
  }

  async function run() {
    for (let index = 0; !stopping; index++) {
      const message = await (profiler ? profile : tick)({ index, measured })
      const memory = memoryUsage()
      message.heap_used = memory.heapUsed
      message.heap_total = memory.heapTotal
      message.external = memory.external
      message.rss = memory.rss
      // Waits while the parent does not read: profiles must not pile up in the memory that is being measured.
      await send(message)
      // Without a gap the next profile starts at once: an immediate would let a whole turn of a busy loop pass by.
      if (gap > 0 && !stopping) await sleep(gap)
    }
  }

  return {
    start() {
      if (running) return
      delay = watchDelay()
      // What a profiler threw has been reported by then.
      running = run().catch(() => {})
    },
    /** Profiles that start from now on are marked, and the loop delay is counted anew. */
    measure() {
      measured = true
      if (delay) delay.reset()
    },
    /** Ends after the profile that is running. */
    async stop() {
      stopping = true
      await running
      send({ type: 'stopped', t: seconds(), loop_delay: delay && delay.read() })
    },
  }
}
