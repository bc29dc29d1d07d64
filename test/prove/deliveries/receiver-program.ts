import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The least that a receiver can be: it reads a message, says 204, and tells over the channel how many there were. */

const TELL_EVERY = 100

let [count, bytes, firstAt] = [0, 0, 0]
let isDue = false
const tell = () => process.send?.({ count, bytes, firstAt, at: Date.now() })

const server = createServer((request, response) => {
  request.on('data', (chunk: Buffer) => (bytes += chunk.length))
  request.on('end', () => {
    if (count++ === 0) firstAt = Date.now()
    isDue = true
    if (count % TELL_EVERY === 0) tell()
    response.writeHead(204).end()
  })
})
setInterval(() => {
  if (isDue) tell()
  isDue = false
}, 200)
process.on('message', () => ([count, bytes, firstAt] = [0, 0, 0]))
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
