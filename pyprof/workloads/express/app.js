'use strict'

const express = require('express')

const FIRST = 20
const LAST = 30

// Recursive on purpose: all the work of a request is in one function that every profile must show.
function fibonacci(n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2)
}

// In turn, not at random: every process does the same work in the same order.
let requests = 0

const app = express()

app.get('/', (request, response) => {
  const n = FIRST + (requests++ % (LAST - FIRST + 1))
  response.type('text/plain').send(`fibonacci(${n}) = ${fibonacci(n)}\n`)
})

app.listen(process.env.PORT, '127.0.0.1')
