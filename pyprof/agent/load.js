'use strict'

// The load generator. README.md has its protocol.

const path = require('path')
const { createHistogram, performance } = require('perf_hooks')
const createPacer = require('./pacer.js')

// A server that is down refuses connections as fast as they are made: do not count refusals for the whole run.
const FAILURES_IN_A_ROW = 100
const REQUEST_TIMEOUT_S = 10

const seconds = () => Number(process.hrtime.bigint()) / 1e9
const print = (message) => process.stdout.write(JSON.stringify(message) + '\n')

function fail(message) {
  print({ type: 'error', message })
  process.exit(1)
}

function main(config) {
  const autocannon = require(path.join(config.modules, 'autocannon'))
  const pacer = config.rate === null ? null : createPacer(config.rate)
  const failed = { non2xx: 0, errors: 0, timeouts: 0 }
  const latency = createHistogram({ lowest: 1, highest: 3600e6, figures: 3 }) // µs
  const openWindow = () => ({
    begin: performance.now(),
    cpu: process.cpuUsage(),
    ok: 0,
    requests: 0,
    perSecond: new Array(Math.floor(config.duration_s)).fill(0),
  })
  let window = openWindow() // the warm-up's counts are thrown away
  let failuresInARow = 0

  const instance = autocannon({
    url: config.url,
    // A connection without a request of its own for seconds would run into autocannon's timeout.
    connections: pacer ? Math.max(1, Math.min(config.connections, Math.floor(config.rate))) : config.connections,
    // The end is ours to say; this one is never reached.
    duration: config.warmup_s + config.duration_s + 60,
    timeout: REQUEST_TIMEOUT_S,
    setupClient: pacer ? pacer.attach : undefined,
  })

  instance.on('response', (client, status, bytes, elapsed) => {
    const ok = status >= 200 && status < 300
    failuresInARow = 0
    window.requests++
    if (ok) {
      const second = Math.floor((performance.now() - window.begin) / 1000)
      window.ok++
      if (second < window.perSecond.length) window.perSecond[second]++
    } else {
      failed.non2xx++
    }
    latency.record(Math.max(1, Math.round((elapsed + (pacer ? pacer.lag(client) : 0)) * 1000)))
  })

  instance.on('reqError', (error) => {
    if (error.message === 'request timed out') failed.timeouts++
    else failed.errors++
    if (++failuresInARow === FAILURES_IN_A_ROW) fail(`${config.url} does not answer: ${error.message}`)
  })
  instance.catch((error) => fail(error.message))

  function measure() {
    window = openWindow()
    latency.reset()
    print({ type: 'measuring', t: seconds() })
    setTimeout(finish, config.duration_s * 1000)
  }

  function finish() {
    const elapsed = (performance.now() - window.begin) / 1000
    const { user, system } = process.cpuUsage(window.cpu)
    print({
      type: 'result',
      t: seconds(),
      elapsed_s: elapsed,
      requests: window.requests,
      ok: window.ok,
      ...failed,
      qps: window.ok / elapsed,
      per_second: window.perSecond,
      latency_ms: {
        mean: latency.mean / 1000,
        p50: latency.percentile(50) / 1000,
        p99: latency.percentile(99) / 1000,
        max: latency.max / 1000,
      },
      cpu_s: (user + system) / 1e6,
    })
    process.exit(0)
  }

  print({ type: 'warming', t: seconds() })
  setTimeout(measure, config.warmup_s * 1000)
}

process.stdin.on('close', () => process.exit(0)).resume()

try {
  main(JSON.parse(process.argv[2]))
} catch (error) {
  fail(error.message)
}
