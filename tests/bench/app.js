'use strict'

// One process of the benchmark of profilers: `node app.js CONFIG`. Requests that do a fixed amount of work follow each
// other in turns of the event loop, while profiles are taken through the adapter that `pyprof compare` uses, too. What it
// measured goes to standard output as JSON. Runs on Node 12.

const fs = require('fs')
const vm = require('vm')
const { performance } = require('perf_hooks')
const loadAdapter = require('../../pyprof/agent/adapter.js')

const FUNCTIONS = 400
const DEPTH = 190 // V8 looks at 255 frames at most
const WORK = 18 // some 0.1 ms; no long loop, as one that was optimised before a profile is counted on its caller
const SETTLE_MS = 30 // what a profiler leaves for later turns of the loop still counts as its pause
const NOISE_MS = 0.05 // a turn of the loop by itself takes a few microseconds

let lastProfile = null

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Retained objects of about that many megabytes. */
function fillHeap(megabytes) {
  const kept = []
  while (process.memoryUsage().heapUsed < megabytes * 1e6) {
    for (let i = 0; i < 10000; i++) kept.push({ id: i, name: `object ${i}`, list: [i, i + 1], next: { value: i } })
  }
  return kept
}

/** `count` call paths through many functions; each one makes DEPTH nodes of the profile's tree. */
function makePaths(count) {
  const source = []
  for (let i = 0; i < FUNCTIONS; i++) {
    source.push(`function step${i}(path, depth) {\n  return depth < ${DEPTH} ? all[path[depth]](path, depth + 1) + 1 : busy(${WORK})\n}`)
  }
  source.push('function busy(n) {\n  return n < 2 ? n : busy(n - 1) + busy(n - 2)\n}')
  const names = Array.from({ length: FUNCTIONS }, (_, i) => `step${i}`)
  const all = vm.runInThisContext(
    `(() => {\n${source.join('\n')}\nconst all = [${names}]\nreturn all\n})()`, { filename: '/bench/functions.js' })
  let seed = 1
  const random = () => (seed = (seed * 48271) % 0x7fffffff)
  return Array.from({ length: count }, () => {
    const path = Array.from({ length: DEPTH + 1 }, () => random() % FUNCTIONS)
    return () => all[path[0]](path, 1)
  })
}

/** Serves requests, one in each turn of the event loop; while `watching`, adds up what the loop spends on other things. */
function createServer(request) {
  const server = { watching: true, requests: 0, pause: 0, longest: 0 }
  let last = performance.now()
  let cpu = process.cpuUsage()
  let running = true
  function turn() {
    const gap = performance.now() - last
    if (gap > NOISE_MS && server.watching) {
      server.pause += gap
      server.longest = Math.max(server.longest, gap)
    }
    request(server.requests++)
    last = performance.now()
    if (running) setImmediate(turn)
  }
  server.reset = () => {
    server.requests = server.pause = server.longest = 0
    cpu = process.cpuUsage()
  }
  server.read = () => {
    const { user, system } = process.cpuUsage(cpu)
    const { requests, pause, longest } = server
    return { pause, longest, cpu_per_request: (user + system) / 1000 / requests }
  }
  server.end = () => { running = false }
  turn()
  return server
}

function timed(action) {
  const begin = performance.now()
  const value = action()
  return { value, ms: performance.now() - begin, begin }
}

/** Serves until the code is warm: on a busy machine, time says little about that. */
async function warmUp(server, requests) {
  while (server.requests < requests) await sleep(10)
}

/** One profile, and what it cost; without a profiler the same time passes. */
async function takeProfile(profiler, server, duration) {
  server.reset()
  const start = timed(() => profiler && profiler.start())
  await sleep(SETTLE_MS)
  server.watching = false // by itself a machine that does other things stops a process now and then, too
  await sleep(duration - SETTLE_MS)
  server.watching = true
  await sleep(0)
  if (!profiler) {
    await sleep(SETTLE_MS)
    return server.read()
  }
  const stop = timed(() => profiler.stop())
  const encode = timed(() => profiler.encode(stop.value))
  const bytes = await encode.value
  const encoded = performance.now() - encode.begin
  await sleep(SETTLE_MS)
  lastProfile = bytes
  const pauses = { start: start.ms, stop: stop.ms, encode: encode.ms, encoded, bytes: bytes.length }
  return Object.assign(pauses, server.read())
}

/** CPU time per request while no profile runs. */
async function idle(server, ms) {
  server.reset()
  await sleep(ms)
  return server.read().cpu_per_request
}

/** The same of work that is always the same: the least of ten parts of the time, since what disturbs only adds to it. */
async function leastIdle(server, ms) {
  const parts = []
  while (parts.length < 10) parts.push(await idle(server, ms / 10))
  return Math.min(...parts)
}

const scenarios = {
  /** Profiles of warm code at a heap of `heap_mb`. */
  async pauses(load, config, result) {
    const profiler = load()
    const paths = makePaths(config.paths)
    const kept = fillHeap(config.heap_mb)
    const server = createServer((i) => paths[i % paths.length]())
    await warmUp(server, config.warmup)
    result.profiles = []
    await takeProfile(profiler, server, 100) // the first one warms up
    for (let i = 0; i < config.profiles; i++) {
      result.profiles.push(await takeProfile(profiler, server, config.duration_ms))
    }
    server.end()
    result.objects = kept.length
  },

  /** CPU time per request of warm code while no profile runs: with the profiler loaded and used once, against before. */
  async warm(load, config, result) {
    const paths = makePaths(config.paths)
    const server = createServer((i) => paths[i % paths.length]())
    await warmUp(server, config.warmup)
    const before = await leastIdle(server, config.idle_ms)
    const profiler = load()
    await takeProfile(profiler, server, 100)
    result.idle = await leastIdle(server, config.idle_ms) / before
    server.end()
  },

  /** Many short profiles: RSS after each `every`. */
  async memory(load, config, result) {
    const profiler = load()
    const paths = makePaths(config.paths)
    const server = createServer((i) => paths[i % paths.length]())
    await warmUp(server, config.warmup)
    result.rss = []
    for (let i = 1; i <= config.profiles; i++) {
      if (profiler) {
        profiler.start()
        await sleep(config.duration_ms)
        lastProfile = await profiler.encode(profiler.stop())
      } else {
        await sleep(config.duration_ms)
      }
      if (i % config.every === 0) {
        global.gc()
        result.rss.push([i, Number(fs.readFileSync('/proc/self/statm', 'utf8').split(' ')[1]) * 4])
      }
    }
    server.end()
  },

  /** Code that is made without end; a profile is taken now and then, as a profiler may learn from that what goes on. */
  async making(load, config, result) {
    const profiler = load()
    let made = 0
    const server = createServer(() => {
      for (let i = 0; i < 10; i++) new Function('x', `return x + ${made++}`)(i)
    })
    const idles = []
    for (let i = 0; i < config.profiles; i++) {
      await takeProfile(profiler, server, config.duration_ms)
      const begin = made
      idles.push(await idle(server, config.idle_ms))
      result.scripts_per_second = (made - begin) / config.idle_ms * 1000
    }
    server.end()
    result.idle = idles.slice(config.settling)
  },
}

async function main() {
  const config = JSON.parse(process.argv[2])
  const result = {}
  await scenarios[config.scenario](() => loadAdapter(config.adapter, config.package, 1000), config, result)
  if (lastProfile) fs.writeFileSync(config.keep, lastProfile)
  fs.writeSync(1, JSON.stringify(result))
  process.exit(0)
}

main().catch((error) => {
  console.error(error)
  process.exit(1)
})
