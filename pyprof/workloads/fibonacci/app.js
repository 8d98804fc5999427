'use strict'

const http = require('http')

const FIRST = 20
const LAST = 30

// Recursive on purpose: all the work of a request is in one function that every profile must show.
function fibonacci(n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2)
}

// In turn, not at random: every process does the same work in the same order.
let requests = 0

http
  .createServer((request, response) => {
    const n = FIRST + (requests++ % (LAST - FIRST + 1))
    response.setHeader('Content-Type', 'text/plain')
    response.end(`fibonacci(${n}) = ${fibonacci(n)}\n`)
  })
  .listen(process.env.PORT, '127.0.0.1')
