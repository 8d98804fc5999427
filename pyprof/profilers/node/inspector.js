'use strict'

// Node's own inspector, from within the process: the Profiler domain of the DevTools protocol.

const { Session } = require('inspector')

module.exports = function (directory, options) {
  const session = new Session()
  session.connect()
  // Within the process an answer comes before post() returns.
  const ask = (method, parameters) => {
    let answer
    session.post(method, parameters, (error, result) => {
      if (error) throw new Error(`${method}: ${error.message}`)
      answer = result
    })
    return answer
  }
  ask('Profiler.enable')
  ask('Profiler.setSamplingInterval', { interval: options.intervalMicros })
  return {
    start: () => ask('Profiler.start'),
    stop: () => ask('Profiler.stop').profile,
    // As a .cpuprofile file has it; pyprof makes it a pprof profile when the trial is over.
    encode: (profile) => Buffer.from(JSON.stringify(profile)),
  }
}
