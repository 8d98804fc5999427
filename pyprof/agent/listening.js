'use strict'

const { Server } = require('net')

/**
 * Calls `report(address)` at the first listen of any server of this process: `address` is what server.address() gives,
 * an object, or the path of a unix socket. After that, servers are untouched.
 */
module.exports = function onFirstListen(report) {
  const original = Server.prototype.listen
  let reported = false

  function listen() {
    this.once('listening', () => {
      if (reported) return
      reported = true
      if (Server.prototype.listen === listen) Server.prototype.listen = original
      report(this.address())
    })
    return original.apply(this, arguments)
  }

  Server.prototype.listen = listen
}
