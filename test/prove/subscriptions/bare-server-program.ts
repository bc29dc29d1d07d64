import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildSchema } from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'

/** A graphql-ws server without a backend: it sends prepared responses to every subscriber. */

const schema = buildSchema(`
  scalar Json
  type Event { id: ID type: String timestamp: String detail: Json }
  type Query { nothing: Int }
  type Subscription { events(types: [String!]): Event }
`)

const takers = new Set<(answer: object) => void>()

async function* answers(): AsyncGenerator<object> {
  const waiting: object[] = []
  let wake: () => void = () => undefined
  const take = (answer: object) => {
    waiting.push(answer)
    wake()
  }
  takers.add(take)
  try {
    for (;;) {
      const answer = waiting.shift()
      if (answer) yield answer
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    takers.delete(take)
  }
}

const server = createServer()
const sockets = new WebSocketServer({ server, path: '/graphql', perMessageDeflate: false })
useServer({ schema, onConnect: () => true, subscribe: answers as never }, sockets)
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))

process.on('message', async ({ publish }: { publish: readonly object[] }) => {
  for (const answer of publish) {
    for (const take of takers) take(answer)
    await new Promise((resolve) => setImmediate(resolve))
  }
})
process.on('disconnect', () => process.exit())
