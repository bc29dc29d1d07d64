import { once } from 'node:events'
import WebSocket from 'ws'

/**
 * Opens subscriptions on request over its channel, and reports the responses of each. It does not parse them.
 */

export interface Opening {
  readonly url: string
  readonly sockets: number
  readonly perSocket: number
  readonly parameters: Readonly<Record<string, string>>
  readonly query: string
}

export type SubscriberReport =
  | { readonly opened: true }
  | {
      readonly least: number
      readonly total: number
      readonly firstAt: number
      readonly lastAt: number
      readonly bytes: number
      readonly closed: number
    }

const AT_ONCE = 50

let counts = new Map<string, number>()
let [total, bytes, firstAt, lastAt, closed] = [0, 0, 0, 0, 0]

process.on('message', (requested: { open: Opening } | { count: true } | { reset: true }) => {
  if ('open' in requested) void openAll(requested.open).then(() => process.send?.({ opened: true }))
  else if ('count' in requested)
    process.send?.({ least: Math.min(...counts.values()), total, bytes, firstAt, lastAt, closed })
  else {
    counts = new Map([...counts.keys()].map((key) => [key, 0]))
    ;[total, bytes, firstAt, lastAt] = [0, 0, 0, 0]
  }
})
process.on('disconnect', () => process.exit())

async function openAll(opening: Opening): Promise<void> {
  let at = 0
  const worker = async () => {
    while (at < opening.sockets) await openOne(opening, at++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

async function openOne({ url, perSocket, parameters, query }: Opening, at: number): Promise<void> {
  const socket = new WebSocket(url, 'graphql-transport-ws', {
    perMessageDeflate: false,
    skipUTF8Validation: true,
  })
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'connection_init', payload: parameters }))
  await once(socket, 'message')
  socket.on('close', () => (closed += 1))
  for (let number = 0; number < perSocket; number++) {
    const id = `${at}-${number}`.padEnd(36, '-')
    counts.set(id, 0)
    socket.send(JSON.stringify({ id, type: 'subscribe', payload: { query } }))
  }
  socket.on('message', (frame: Buffer) => {
    const id = frame.toString('latin1', 7, 43)
    counts.set(id, (counts.get(id) ?? 0) + 1)
    total += 1
    bytes += frame.length
    lastAt = Date.now()
    firstAt ||= lastAt
  })
}
