import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import type { Rows } from '../../../src/storage/database.ts'
import type { FairShare } from '../../../src/gateway/load/fair-shares.ts'
import { OperationLifetime } from '../../../src/gateway/load/operation-lifetime.ts'
import { FederationHarness, type GatewayClient, until } from '../../support/federation/federation-harness.ts'
import { contextsOver } from '../../support/graph/graph-harness.ts'
import { transports } from '../../support/graph/graphql-transports.ts'
import { headersOf } from '../../support/rest/rest-harness.ts'

/** Reads trips and then their vehicles. */
const TRIPS = '{ trips(first: 1) { nodes { id vehicle { name } } } }'
const VEHICLES = '{ vehicles(first: 1) { nodes { id } } }'
const PROVIDERS = '{ providers { code } }'
/** Costs more than 1,000. */
const HEAVY = '{ trips(first: 900) { nodes { id distance vehicle { name } } } }'

/** Database whose reads of one table wait until the test releases them. */
class GatedReads implements Rows {
  table = 'trips'
  /** Tables of the reads that have started. */
  readonly started: string[] = []
  private readonly gated: (() => void)[] = []

  constructor(private readonly db: Rows) {}

  rows = async <T>(sql: string, parameters?: readonly unknown[]): Promise<T[]> => {
    const table = /FROM `?(\w+)/.exec(sql)?.[1] ?? sql
    this.started.push(table)
    if (table === this.table) await new Promise<void>((release) => this.gated.push(release))
    return this.db.rows(sql, parameters)
  }

  get waiting(): number {
    return this.gated.length
  }

  release(): void {
    for (const release of this.gated.splice(0)) release()
  }
}

let federation: FederationHarness
let reads: GatedReads
/** Number of operations that have arrived at the gateway. */
let arrived: number

beforeAll(async () => {
  federation = await FederationHarness.start([])
})
beforeEach(() => {
  reads = new GatedReads(federation.db)
  arrived = 0
  share = null
})
afterAll(() => federation[Symbol.asyncDispose]())

/** Share of the application in the newest gateway, once a request has arrived. */
let share: FairShare | null

function startGateway(options: { operationTimeoutMs?: number; heapUse?: () => number }) {
  const contextFor = contextsOver({ ...federation.db, rows: reads.rows })
  return federation.startGateway({
    ...options,
    contextFor(...args) {
      arrived++
      const context = contextFor(...args)
      share = context.share
      return context
    },
  })
}

const headers = () => headersOf(federation.fleet.narrowed(0)) as Record<string, string>

const post = (gateway: GatewayClient, query: string, options: RequestInit = {}) =>
  fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    ...options,
    headers: { ...headers(), 'content-type': 'application/json', ...options.headers },
    body: JSON.stringify({ query }),
  })

const rest = (gateway: GatewayClient, path: string, signal?: AbortSignal) =>
  fetch(`${gateway.url}/tsp/v1${path}`, { headers: headers(), ...(signal ? { signal } : {}) })

/** Opens a websocket and authenticates. It sends messages as they are. */
async function openSocket(gateway: GatewayClient) {
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  const received: string[] = []
  socket.on('message', (data: Buffer) => received.push(data.toString()))
  await once(socket, 'open')
  const send = (...messages: object[]) => {
    for (const message of messages) socket.send(JSON.stringify(message))
  }
  send({ type: 'connection_init', payload: headers() })
  await until(() => received.length === 1)
  return {
    received,
    send,
    start: (id: string, query: string) => send({ id, type: 'subscribe', payload: { query } }),
    /** Completes an operation, and waits until the server has handled the message. */
    async complete(id: string) {
      send({ id, type: 'complete' }, { type: 'ping' })
      await until(() => received.at(-1) === '{"type":"pong"}')
    },
    async terminate() {
      socket.terminate()
      await until(() => gateway.sockets.counts().open === 0)
    },
  }
}

const errorOf = async (response: Response) =>
  ((await response.json()) as { errors: { message: string; extensions: object }[] }).errors[0]!

const tables = () => reads.started.filter((table) => table === 'trips' || table === 'vehicles')

describe('a query above its time limit', () => {
  test('gets 504 over GraphQL, and reads nothing more', async () => {
    const gateway = await startGateway({ operationTimeoutMs: 50 })
    // The second response comes from the fast path.
    for (let time = 0; time < 2; time++) {
      const response = await post(gateway, TRIPS)
      expect(response.status).toBe(504)
      expect(await errorOf(response)).toMatchObject({
        message:
          'The operation took longer than 0.05 s. Request smaller pages, fewer fields, or several operations.',
        extensions: { code: 'GATEWAY_TIMEOUT' },
      })
      reads.release()
    }
    const after = await post(gateway, VEHICLES)
    expect(after.status).toBe(200)
    expect(tables()).toEqual(['trips', 'trips', 'vehicles'])
  })

  test('gets 504 over REST', async () => {
    const gateway = await startGateway({ operationTimeoutMs: 50 })
    const response = await rest(gateway, '/trips?limit=1')
    expect(response.status).toBe(504)
    expect(await response.json()).toMatchObject({ code: 'gateway_timeout' })
    reads.release()
  })

  test.each(['SSE on a separate stream', 'SSE on a reserved stream', 'websocket'])(
    'gets an error over %s',
    async (name) => {
      const gateway = await startGateway({ operationTimeoutMs: 50 })
      const answer = await transports[name]!.ask(gateway, headers(), { query: TRIPS })
      expect(answer).toContain('"code":"GATEWAY_TIMEOUT"')
      reads.release()
    },
  )

  test('gets 503 if it never began', async () => {
    const gateway = await startGateway({ operationTimeoutMs: 100 })
    const running = post(gateway, TRIPS)
    await until(() => reads.waiting === 1)
    const response = await post(gateway, VEHICLES)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await errorOf(response)).toMatchObject({
      extensions: { code: 'SERVICE_UNAVAILABLE', retryAfter: 1 },
    })
    expect(tables()).toEqual(['trips'])
    reads.release()
    await running
  })
})

describe('a query that reads more text than one operation may', () => {
  const names = (length: number) => {
    const { db } = federation
    const rows: Rows['rows'] = async <T>(sql: string, parameters?: readonly unknown[]) => {
      const found = await db.rows<object>(sql, parameters)
      return found.map((row) => ('vin' in row ? { ...row, name: 'x'.repeat(length) } : row)) as T[]
    }
    return federation.startGateway({ contextFor: contextsOver({ ...db, rows }) })
  }
  const message =
    'The operation reads more than 32 MB. Request smaller pages, or leave out large members such as `raw`.'

  test.each([
    ['one statement', '{ vehicles(first: 2) { nodes { name } } }'],
    [
      'several statements',
      '{ a: vehicles(first: 1) { nodes { name } } b: vehicles(first: 1, after: null) { nodes { id name } } }',
    ],
  ])('is refused over GraphQL: %s', async (_name, query) => {
    const response = await post(await names(17_000_000), query)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      errors: [{ message, extensions: { code: 'COST_LIMIT_EXCEEDED' } }],
    })
  })

  test('is refused over REST', async () => {
    const response = await rest(await names(17_000_000), '/vehicles?limit=2')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'cost_limit_exceeded', message })
  })

  test('gets its result below the limit', async () => {
    // A page reads one more record than it has, to know whether another page follows.
    const response = await rest(await names(10_000_000), '/vehicles?limit=2')
    expect(response.status).toBe(200)
    expect((await response.text()).length).toBeGreaterThan(20_000_000)
  })
})

test('a mutation that has begun runs to its end after its time limit', async () => {
  const gateway = await startGateway({ operationTimeoutMs: 100 })
  reads.table = 'connections'
  const { id } = federation.fleet.connections[0]!.connection
  const running = post(
    gateway,
    `mutation { updateConnection(input: { connectionId: "${id}", externalId: "fleet-7" }) { connection { externalId } } }`,
  )
  await until(() => reads.waiting === 1)
  // It waits behind the mutation until the time limit of both is over.
  expect((await post(gateway, TRIPS)).status).toBe(503)
  reads.table = 'none'
  reads.release()
  const response = await running
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    data: { updateConnection: { connection: { externalId: 'fleet-7' } } },
  })
})

describe('a query whose client goes away', () => {
  test.each([
    ['GraphQL', (gateway: GatewayClient, signal: AbortSignal) => post(gateway, VEHICLES, { signal })],
    ['REST', (gateway: GatewayClient, signal: AbortSignal) => rest(gateway, '/vehicles?limit=1', signal)],
  ])('is dropped over %s', async (_name, ask) => {
    const gateway = await startGateway({})
    const running = post(gateway, TRIPS)
    await until(() => reads.waiting === 1)
    const client = new AbortController()
    const left = ask(gateway, client.signal)
    await until(() => arrived === 2)
    const connections = await gateway.connections()
    client.abort()
    await expect(left).rejects.toThrow('aborted')
    await until(async () => (await gateway.connections()) < connections)
    reads.release()
    expect((await running).status).toBe(200)
    // Only the vehicle of the trip.
    expect(tables()).toEqual(['trips', 'vehicles'])
  })
})

/** Ways in which the client of an operation on a websocket stops it. */
const stops: readonly [string, (socket: Awaited<ReturnType<typeof openSocket>>) => Promise<void>][] = [
  ['completes it', (socket) => socket.complete('1')],
  ['closes the socket', (socket) => socket.terminate()],
]

describe.each(stops)('an operation on a websocket whose client %s', (_name, stop) => {
  const renameConnection = (externalId: string) =>
    `mutation { updateConnection(input: { connectionId: "${federation.fleet.connections[0]!.connection.id}", externalId: "${externalId}" }) { connection { externalId } } }`

  test('is dropped while it waits for its turn', async () => {
    const gateway = await startGateway({})
    const running = post(gateway, TRIPS)
    await until(() => reads.waiting === 1)
    const socket = await openSocket(gateway)
    socket.start('1', VEHICLES)
    // A new document has a context for its turn, and its operation another one.
    await until(() => arrived === 3)
    await stop(socket)
    reads.release()
    expect((await running).status).toBe(200)
    expect((await post(gateway, PROVIDERS)).status).toBe(200)
    // Only the vehicle of the trip.
    expect(tables()).toEqual(['trips', 'vehicles'])
    await socket.terminate()
  })

  test('is dropped while it waits to be parsed', async () => {
    const gateway = await startGateway({})
    await post(gateway, PROVIDERS)
    let parse: (() => void) | undefined
    share!.document = () => new Promise((resolve) => (parse = resolve))
    const socket = await openSocket(gateway)
    socket.start('1', VEHICLES)
    await until(() => parse !== undefined)
    await stop(socket)
    parse!()
    expect((await post(gateway, PROVIDERS)).status).toBe(200)
    expect(tables()).toEqual([])
    await socket.terminate()
  })

  test('reads nothing more if it is a query', async () => {
    const gateway = await startGateway({})
    const socket = await openSocket(gateway)
    socket.start('1', TRIPS)
    await until(() => reads.waiting === 1)
    await stop(socket)
    reads.release()
    expect((await post(gateway, PROVIDERS)).status).toBe(200)
    expect(tables()).toEqual(['trips'])
    await socket.terminate()
  })

  test('runs to its end if it is a mutation', async () => {
    const gateway = await startGateway({})
    reads.table = 'connections'
    const socket = await openSocket(gateway)
    socket.start('1', renameConnection('fleet-8'))
    await until(() => reads.waiting === 1)
    await stop(socket)
    reads.table = 'none'
    reads.release()
    const response = await post(gateway, '{ connection { externalId } }')
    expect(await response.json()).toEqual({ data: { connection: { externalId: 'fleet-8' } } })
    await socket.terminate()
  })

  test('is dropped before it begins if it is a mutation', async () => {
    const gateway = await startGateway({})
    const running = post(gateway, TRIPS)
    await until(() => reads.waiting === 1)
    const socket = await openSocket(gateway)
    socket.start('1', renameConnection('fleet-9'))
    await until(() => arrived === 3)
    await stop(socket)
    reads.release()
    expect((await running).status).toBe(200)
    const response = await post(gateway, '{ connection { externalId } }')
    expect(JSON.stringify(await response.json())).not.toContain('fleet-9')
    await socket.terminate()
  })
})

describe('a query on a reserved event stream', () => {
  test.each(['stops it', 'closes the stream'])('reads nothing more after its client %s', async (stop) => {
    const gateway = await startGateway({})
    const url = `${gateway.url}/graphql`
    const token = await (await fetch(url, { method: 'PUT', headers: headers() })).text()
    const reserved = { ...headers(), 'x-graphql-event-stream-token': token }
    const client = new AbortController()
    await fetch(url, { headers: { ...reserved, accept: 'text/event-stream' }, signal: client.signal })
    const running = fetch(url, {
      method: 'POST',
      headers: { ...reserved, 'content-type': 'application/json' },
      body: JSON.stringify({ query: TRIPS, extensions: { operationId: '1' } }),
    })
    await until(() => reads.waiting === 1)
    if (stop === 'stops it') await fetch(`${url}?operationId=1`, { method: 'DELETE', headers: reserved })
    else client.abort()
    expect((await running).status).toBe(202)
    reads.release()
    expect((await post(gateway, PROVIDERS)).status).toBe(200)
    expect(tables()).toEqual(['trips'])
    client.abort()
  })
})

test('10,000 messages on 100 websockets leave turns of the event loop to others', async () => {
  const gateway = await startGateway({})
  await post(gateway, PROVIDERS)
  // No operation ends, so each message that the server has handled counts.
  share!.document = () => new Promise(() => undefined)
  const sockets = await Promise.all(Array.from({ length: 100 }, () => openSocket(gateway)))
  for (const socket of sockets) for (let id = 0; id < 100; id++) socket.start(String(id), VEHICLES)
  let [handled, mostInTurn] = [0, 0]
  while (handled < 10_000) {
    await nextTurn()
    const { subscriptions: now } = gateway.sockets.counts()
    mostInTurn = Math.max(mostInTurn, now - handled)
    handled = now
  }
  expect(mostInTurn).toBeLessThanOrEqual(sockets.length)
  await Promise.all(sockets.map((socket) => socket.terminate()))
})

test('the server notices that a client has left while its messages wait', async () => {
  const gateway = await startGateway({})
  const socket = await openSocket(gateway)
  const ping = { type: 'ping', payload: { text: 'x'.repeat(10_000) } }
  socket.send(...Array.from({ length: 500 }, () => ping))
  await until(() => socket.received.length > 1)
  await socket.terminate()
})

describe('with a heap that is nearly full', () => {
  test('a second heavy query gets 503, a small one its result', async () => {
    const gateway = await startGateway({ heapUse: () => 0.9 })
    const running = post(gateway, HEAVY)
    await until(() => reads.waiting === 1)
    const refused = await post(gateway, HEAVY)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await errorOf(refused)).toMatchObject({ extensions: { code: 'SERVICE_UNAVAILABLE' } })
    const small = post(gateway, PROVIDERS)
    reads.release()
    expect((await running).status).toBe(200)
    expect((await small).status).toBe(200)
    const next = post(gateway, HEAVY)
    await until(() => reads.waiting === 1)
    reads.release()
    expect((await next).status).toBe(200)
  })
})

describe('a new document of an application that has 1,000 requests that wait', () => {
  const refusal = {
    message: 'The application has 1000 requests that wait. Retry later, with fewer requests at once.',
    extensions: { code: 'SERVICE_UNAVAILABLE', retryAfter: 1 },
  }

  /** Starts a gateway with waiting documents. None of them begins, because the first one is so long. */
  const startFullGateway = async () => {
    const gateway = await startGateway({})
    await (await post(gateway, PROVIDERS)).text()
    for (let at = 0; at <= 1000; at++)
      void share!.document(1e12, new OperationLifetime()).catch(() => undefined)
    return gateway
  }

  test.each([
    ['JSON', VEHICLES, 'application/json'],
    ['JSON, for a subscription', 'subscription { events { id } }', 'multipart/mixed,application/json'],
  ])('gets 503 with Retry-After in %s', async (_name, query, accept) => {
    const gateway = await startFullGateway()
    const response = await post(gateway, query, { headers: { accept } })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await errorOf(response)).toEqual(refusal)
    expect(tables()).toEqual([])
  })

  test.each([
    ['SSE on a separate stream', refusal.message],
    // The response to the request has the errors of a document; the stream has the results of operations.
    ['SSE on a reserved stream', 'Server responded with 503'],
    ['websocket', refusal.message],
  ])('gets an error over %s', async (name, error) => {
    const gateway = await startFullGateway()
    const answer = await transports[name]!.ask(gateway, headers(), { query: VEHICLES })
    expect(answer).toContain(error)
    expect(tables()).toEqual([])
  })
})
