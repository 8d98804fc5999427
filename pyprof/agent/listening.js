'use strict'

const { Server } = require('net')

/**
 * Calls `report(address)` whenever a server of this process begins to listen, until one listens on `port`: that is the
 * last call, and servers are untouched from then on. `address` is what server.address() gives: an object, or the path
 * of a unix socket.
 */
module.exports = function onListen(port, report) {
  const original = Server.prototype.listen
  let found = false

  function listen() {
    this.once('listening', () => {
      if (found) return
      const address = this.address()
      found = address.port === port
      if (found && Server.prototype.listen === listen) Server.prototype.listen = original
      report(address)
    })
    return original.apply(this, arguments)
  }

  Server.prototype.listen = listen
}
