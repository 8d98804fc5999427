'use strict'

// Runs inside the app under test, before it: `node --require agent.js app.js`, configured by PYPROF_AGENT.
// The messages are listed in README.md. Everything here must run on Node 12.14.

const { isMainThread } = require('worker_threads')

// Workers and child processes inherit --require; only the main thread of the process under test finds its
// configuration, because that is gone before the app can start anything.
const configuration = process.env.PYPROF_AGENT
delete process.env.PYPROF_AGENT

if (isMainThread && configuration) run(JSON.parse(configuration))

function run(config) {
  const openChannel = require('./channel.js')
  const createLoop = require('./loop.js')
  const loadAdapter = require('./adapter.js')
  const onListen = require('./listening.js')
  const { milliseconds, now, seconds } = require('./clock.js')

  const uptime = process.uptime
  const actions = {}
  const send = openChannel(config.fd, ({ type }) => actions[type] && actions[type]())
  const fail = (where, error) => {
    send({ type: 'error', where, message: String(error && error.message), stack: String(error && error.stack) })
  }

  const begin = now()
  let profiler = null
  try {
    profiler = loadAdapter(config.adapter, config.package, config.interval_us)
  } catch (error) {
    fail('load', error)
    return
  }
  send({
    type: 'loaded',
    t: seconds(),
    version: process.version,
    exec_path: process.execPath,
    load_ms: milliseconds(begin, now()),
  })

  onListen(config.port, (address) => {
    const t = seconds()
    const uptimeMs = uptime() * 1000
    const at = typeof address === 'string' ? { port: null, address, family: 'unix' } : address
    // Node 18.0 to 18.3 gave the family as a number.
    const family = String(at.family).replace(/^(?=\d)/, 'IPv')
    // Every server loads this module when it begins to listen. In a cluster the primary listens for its workers.
    const workers = Object.keys(require('cluster').workers || {}).length
    send({ type: 'listening', t, port: at.port, address: at.address, family, uptime_ms: uptimeMs, workers })
  })

  const loop = createLoop(config.idle ? null : profiler, config, send, fail)
  actions.start = loop.start
  actions.measure = loop.measure
  actions.stop = loop.stop
}
