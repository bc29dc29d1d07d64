import { createClient } from 'graphql-sse'
import { createClient as createSocketClient } from 'graphql-ws'
import { expect, test } from 'vitest'
import WebSocket from 'ws'
import { appendEvents } from '../../../src/storage/outbox.ts'
import { Random } from '../../fuzz/random.ts'
import {
  type Home,
  makeHome,
  type Ready,
  ServiceProcess,
  type Store,
} from '../../prove/support/service-process.ts'
import { stores } from '../../support/database/stores.ts'

const EVENTS = 300
const READERS = 6
const MAX_AT_ONCE = 40
const QUERY = 'subscription ($after: ID) { events(after: $after, types: ["vehicle.modified"]) { id } }'

interface Received {
  readonly data?: { readonly events: { readonly id: string } } | null
}

type Way = (ready: Ready, after: string) => AsyncIterableIterator<Received> & { leave(): void }

const headersOf = ({ secretKey }: Ready) => ({ authorization: `Bearer ${secretKey}` })

const bySocket: Way = (ready, after) => {
  const client = createSocketClient({
    url: ready.wsUrl,
    webSocketImpl: WebSocket,
    connectionParams: headersOf(ready),
    retryAttempts: 0,
  })
  const events = client.iterate({ query: QUERY, variables: { after } }) as AsyncIterableIterator<Received>
  // Drops the connection without a close, as a network failure does.
  return Object.assign(events, { leave: () => client.terminate() })
}

const byStream: Way = (ready, after) => {
  const client = createClient({ url: ready.graphqlUrl, headers: headersOf(ready), retryAttempts: 0 })
  const events = client.iterate({ query: QUERY, variables: { after } }) as AsyncIterableIterator<Received>
  return Object.assign(events, { leave: () => client.dispose() })
}

/** Returns the gateways of a home, and their disposal. SQLite supports one process only. */
async function gatewaysOf(store: Store, home: Home): Promise<ServiceProcess[]> {
  const shared = { ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') }
  if (store === 'sqlite') return [await ServiceProcess.start(home, ['--fleet-size', '1'], shared)]
  const first = await ServiceProcess.start(home, ['--fleet-size', '1'], shared)
  const second = ServiceProcess.spawn(home, ['--role', 'gateway'], { ...shared, DEMO: 'off' })
  await second.becomesReady()
  return [first, second]
}

test.each(stores)(
  'readers that are cut off and resume at another gateway get each event once, in order, on %s',
  async (store) => {
    const home = await makeHome(store)
    const gateways = await gatewaysOf(store, home)
    const db = await home.open()
    try {
      const [{ ready }] = gateways as [ServiceProcess]
      const [row] = await db.rows<{ applicationId: string }>(
        'SELECT applicationId FROM connections WHERE id = ?',
        [ready.connectionId],
      )
      const origin = { applicationId: String(row?.applicationId), connectionId: ready.connectionId }
      const write = (count: number) => {
        const reported = { type: 'vehicle.modified', subjectId: null, detail: {} }
        const all = Array.from({ length: count }, () => reported)
        return db.transaction((tx) => appendEvents(tx, { ...origin, at: Date.now() }, all))
      }
      const ids = async () =>
        (
          await db.rows<{ id: string }>(
            "SELECT id FROM events WHERE type = 'vehicle.modified' AND position > 0 ORDER BY position",
          )
        ).map(({ id }) => id)
      await write(1)
      while ((await ids()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
      const [begin] = (await ids()) as [string]

      const read = async (reader: number): Promise<string[]> => {
        const random = new Random(reader)
        const got: string[] = []
        while (got.length < EVENTS) {
          const { ready: place } = gateways[random.below(gateways.length)] as ServiceProcess
          const way = reader % 2 === 0 ? bySocket : byStream
          const events = way({ ...ready, ...place, secretKey: ready.secretKey }, got.at(-1) ?? begin)
          for (let left = 1 + random.below(MAX_AT_ONCE); left > 0 && got.length < EVENTS; left--) {
            const { value } = (await events.next()) as IteratorResult<Received, undefined>
            got.push(String(value?.data?.events.id))
          }
          events.leave()
          await events.return?.().catch(() => undefined)
        }
        return got
      }
      const writing = (async () => {
        for (let at = 0; at < EVENTS / 10; at++) await write(10)
      })()
      const got = await Promise.all(Array.from({ length: READERS }, (_, reader) => read(reader)))
      await writing
      const expected = (await ids()).slice(1)
      expect(expected).toHaveLength(EVENTS)
      for (const each of got) expect(each).toEqual(expected)
    } finally {
      await db.close()
      for (const gateway of gateways) await gateway.end('SIGTERM')
      await home.remove()
    }
  },
)
