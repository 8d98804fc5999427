'use strict'

// Even pacing at a fixed rate. autocannon's own `overallRate` sends each second's requests in one burst and idles for
// the rest of it; a server under test would be seen saturated and idle in turn, and most short profiles would be empty.

const { performance } = require('perf_hooks')

/**
 * Request k is due k/rate seconds after the first. One that is late is sent at once, so that the number of requests
 * does not depend on the server's speed while it keeps up. `attach(client)` is autocannon's `setupClient`.
 * `lag(client)` is for how many ms the client's last request was overdue because every connection waited for an
 * answer: its latency counts from when it was due, or a stalled server would be asked less and look fast.
 */
module.exports = function createPacer(rate) {
  const lags = new WeakMap()
  const waiting = new WeakSet()
  const period = 1000 / rate
  let due = null

  function attach(client) {
    const send = client._doRequest.bind(client)
    const go = (lag) => {
      waiting.delete(client)
      lags.set(client, lag)
      if (!client.destroyed) send()
    }
    // The only place where autocannon's client lets a request be held back; its version is pinned by a lock file.
    client._doRequest = () => {
      // A reconnection asks again while the request before it still waits for its turn.
      if (waiting.has(client)) return
      const now = performance.now()
      const wait = (due === null ? now : due) - now
      due = now + wait + period
      waiting.add(client)
      if (wait > 0) setTimeout(go, wait, 0)
      else go(-wait)
    }
  }

  return { attach, lag: (client) => lags.get(client) }
}
