import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A minimal receiver: reads a message, responds 204, and reports the count over its channel. */

const REPORT_EVERY = 100

let [count, bytes, firstAt] = [0, 0, 0]
let isDue = false
const report = () => process.send?.({ count, bytes, firstAt, at: Date.now() })

const server = createServer((request, response) => {
  request.on('data', (chunk: Buffer) => (bytes += chunk.length))
  request.on('end', () => {
    if (count++ === 0) firstAt = Date.now()
    isDue = true
    if (count % REPORT_EVERY === 0) report()
    response.writeHead(204).end()
  })
})
setInterval(() => {
  if (isDue) report()
  isDue = false
}, 200)
process.on('message', () => ([count, bytes, firstAt] = [0, 0, 0]))
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
