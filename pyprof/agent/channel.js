'use strict'

// The private pipe to the parent: JSON lines over one end of a socket pair, beside the app's own process.send.

const { Socket } = require('net')

// Taken at preload: whatever the app replaces later, the agent keeps the originals.
const { Promise } = globalThis
const { parse, stringify } = JSON
const { kill, pid } = process

// A parent that is gone leaves no orphan: not even one that has handlers for its signals.
function die() {
  kill.call(process, pid, 'SIGKILL')
}

/**
 * Opens the channel on a descriptor, without keeping the event loop alive.
 * `onMessage(message)` is called for every message of the parent.
 * Returns `send(message)`, whose promise resolves when the parent has room for another message.
 */
module.exports = function open(fd, onMessage) {
  const socket = new Socket({ fd, readable: true, writable: true })
  let rest = ''
  let drained = null

  socket.setEncoding('utf8')
  socket.on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) onMessage(parse(line))
  })
  socket.on('error', die)
  socket.on('close', die)
  socket.unref()

  return async function send(message) {
    if (socket.write(stringify(message) + '\n')) return
    if (!drained) {
      drained = new Promise((resolve) => {
        socket.once('drain', () => {
          drained = null
          resolve()
        })
      })
    }
    await drained
  }
}
