import { createClient } from 'graphql-ws'
import { expect, test } from 'vitest'
import WebSocket from 'ws'
import { until } from '../../support/federation/federation-harness.ts'
import type { Answer } from '../../support/graph/graph-harness.ts'
import { lastingPort } from '../../prove/support/distributed-service.ts'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { stores } from '../../support/database/stores.ts'

const QUERY =
  '{ vehicles(first: 5) { nodes { id name groups { name } latestLocation { locatedAt } trips(last: 2) { nodes { id distance } } } } connection { id } }'
const EVENTS = '{ events(first: 1000) { nodes { id type } } }'

interface Log {
  readonly events: { readonly nodes: readonly { readonly id: string; readonly type: string }[] }
}

interface Followed {
  readonly events: { readonly id: string; readonly connection: { readonly status: string } }
}

interface Places {
  readonly vehicles: {
    readonly nodes: readonly { readonly name: string; readonly latestLocation: unknown }[]
  }
}

const SHARED = {
  ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  LOCATION_POLL_SECONDS: '3600',
  SYNC_INTERVAL_MINUTES: '10080',
}

/** Starts a subgraph process that can be killed and restarted at its address. */
async function subgraphAt(home: Home, name: string) {
  const port = await lastingPort()
  const options = ['--role', `subgraph:${name}`, '--port', String(port)]
  const spawn = () => ServiceProcess.spawn(home, options, { ...SHARED, DEMO: 'off' })
  let process = spawn()
  return {
    url: `${name}=http://127.0.0.1:${port}/graphql`,
    becomesReady: () => process.becomesReady(),
    startAgain: () => (process = spawn()).becomesReady(),
    end: (signal: NodeJS.Signals) => process.end(signal),
  }
}

/** Sends a request to a process with the credentials of the fleet. */
async function ask({ ready }: ServiceProcess, { headers }: Fleet, query: string): Promise<Answer> {
  const response = await fetch(ready.graphqlUrl, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  return (await response.json()) as Answer
}

interface Fleet {
  readonly headers: Readonly<Record<string, string>>
  readonly secretKey: string
  readonly connectionToken: string
}

async function readiness({ ready }: ServiceProcess): Promise<unknown> {
  const response = await fetch(`${ready.url}/readyz`)
  return { code: response.status, ...((await response.json()) as object) }
}

/** Subscribes to the gateway's events after a given one. */
function following({ ready }: ServiceProcess, { secretKey, connectionToken }: Fleet, after: string) {
  const client = createClient({
    url: ready.wsUrl,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${secretKey}`, connectionToken },
    retryAttempts: 0,
  })
  const events = client.iterate<Followed>({
    query: `subscription { events(after: "${after}") { id connection { status } } }`,
  })
  const next = async () => ((await events.next()).value as { data?: Followed }).data?.events.id
  return { next, leave: () => client.dispose() }
}

test.skipIf(!stores.includes('mariadb'))(
  'a gateway survives the loss of subgraphs: it serves the others, and resumes missed events after their return',
  async () => {
    const home = await makeHome('mariadb')
    const [events, telemetry] = [await subgraphAt(home, 'events'), await subgraphAt(home, 'telemetry')]
    const all = await ServiceProcess.start(home, ['--fleet-size', '10'], SHARED)
    const urls = { SUBGRAPH_URLS: [events.url, telemetry.url].join(',') }
    const gateway = ServiceProcess.spawn(home, ['--role', 'gateway'], { ...SHARED, ...urls, DEMO: 'off' })
    try {
      await Promise.all([gateway, events, telemetry].map((part) => part.becomesReady()))
      const fleet = { ...all.ready, headers: all.headers() }
      const logged = async () => (await all.graphql<Log>(EVENTS)).events.nodes
      const synced = async () => (await logged()).filter(({ type }) => type === 'sync.completed').length
      await until(async () => (await synced()) > 0)
      const whole = await ask(all, fleet, QUERY)
      expect(await ask(gateway, fleet, QUERY)).toEqual(whole)
      const before = (await logged()).map(({ id }) => id)
      const followed = following(gateway, fleet, before[0]!)
      expect(await followed.next()).toBe(before[1])

      await Promise.all([events.end('SIGKILL'), telemetry.end('SIGKILL')])
      const { data, errors } = await ask(gateway, fleet, QUERY)
      const nodes = (whole.data as unknown as Places).vehicles.nodes
      expect(data).toEqual({
        ...whole.data,
        vehicles: { nodes: nodes.map((node) => ({ ...node, latestLocation: null })) },
      })
      expect(new Set(errors!.map(({ extensions }) => extensions?.code))).toEqual(
        new Set(['SERVICE_UNAVAILABLE']),
      )
      const failures = ['subgraph events', 'subgraph telemetry']
      expect(await readiness(gateway)).toMatchObject({ code: 200, status: 'degraded', failures })

      await all.graphql('mutation { requestSync(input: {}) { sync { id } } }')
      await Promise.all([events.startAgain(), telemetry.startAgain()])
      await until(async () => (await synced()) > 1)
      const log = (await logged()).map(({ id }) => id)
      const got: (string | undefined)[] = []
      while (got.at(-1) !== log.at(-1)) got.push(await followed.next())
      expect(got).toEqual(log.slice(2))
      await followed.leave()

      await until(async () => !(await ask(gateway, fleet, QUERY)).errors)
      expect(await readiness(gateway)).toMatchObject({ code: 200, status: 'ok', failures: [] })
      const codes = await Promise.all([gateway, all, events, telemetry].map((part) => part.end('SIGTERM')))
      expect(codes).toEqual([0, 0, 0, 0])
    } finally {
      await Promise.all([gateway, all, events, telemetry].map((part) => part.end('SIGKILL')))
      await home.remove()
    }
  },
)
