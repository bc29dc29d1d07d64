import { connect } from 'node:net'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { FederationHarness, type GatewayClient, until } from '../../support/federation/federation-harness.ts'

const PROTOCOL = 'graphql-transport-ws'

let federation: FederationHarness
let gateway: GatewayClient
let position = 5000

beforeAll(async () => {
  federation = await FederationHarness.start([])
  gateway = await federation.startGateway({
    limits: { sockets: 60, subscriptions: 70, subscriptionDocuments: 3, operationsPerSocket: 4 },
  })
})
afterAll(() => federation[Symbol.asyncDispose]())

const appendEvent = (detail?: object) => federation.appendEvent((position += 1), 'vehicle.modified', detail)

interface Message {
  readonly id?: string
  readonly type: string
  readonly payload?: unknown
}

/** WebSocket client that can send any message, valid or not. */
class RawClient {
  readonly socket: WebSocket
  readonly received: Message[] = []
  readonly closed: Promise<{ code: number; reason: string }>

  constructor(protocol: string = PROTOCOL) {
    this.socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, protocol)
    this.socket.on('error', () => undefined)
    this.socket.on('message', (text: Buffer) => this.received.push(JSON.parse(text.toString()) as Message))
    this.closed = new Promise((resolve) =>
      this.socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    )
  }

  static async open(): Promise<RawClient> {
    const client = new RawClient()
    await once(client.socket, 'open')
    return client
  }

  static async signIn(): Promise<RawClient> {
    const client = await RawClient.open()
    client.send(init())
    await until(() => client.received.length > 0 || client.socket.readyState === WebSocket.CLOSED)
    return client
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  subscribe(id: string, query = 'subscription { events { id } }', variables: object = {}): void {
    this.send({ id, type: 'subscribe', payload: { query, variables } })
  }

  answersTo(id: string): unknown[] {
    return this.received.filter((message) => message.id === id).map(({ payload }) => payload)
  }
}

const init = (secretKey = federation.fleet.narrowed(0).secretKey) => ({
  type: 'connection_init',
  payload: { authorization: `Bearer ${secretKey}` },
})

const subscription = { id: '1', type: 'subscribe', payload: { query: 'subscription { events { id } }' } }

/** Message whose variables are a list, nested three levels deeper than given. */
const nestedMessage = (type: string, depth: number): string =>
  JSON.stringify({ ...subscription, type }).replace(
    /\}\}$/,
    `,"variables":{"x":${'['.repeat(depth)}${']'.repeat(depth)}}}}`,
  )

const subscriptions = () => gateway.sockets.counts().subscriptions
const waitForNoSockets = () => until(() => gateway.sockets.counts().open === 0)

afterEach(waitForNoSockets)

describe('a client that violates the protocol is closed with a code:', () => {
  const nothing = { id: '1', type: 'nothing' }
  test.each<[string, number, readonly unknown[]]>([
    ['invalid JSON', 4400, ['nonsense']],
    ['an unknown type', 4400, [nothing]],
    ['a message without its members', 4400, [{ type: 'subscribe' }]],
    ['a message that is a list', 4400, [[]]],
    ['a message that is null', 4400, ['null']],
    ['an acknowledgement', 4400, [{ type: 'connection_ack' }]],
    ['a result', 4400, ['INIT', { id: '1', type: 'next', payload: { data: null } }]],
    ['an error', 4400, ['INIT', { id: '1', type: 'error', payload: [{ message: 'no' }] }]],
    ['a subscription before connection_init', 4401, [subscription]],
    ['an unknown key', 4403, [{ type: 'connection_init', payload: { authorization: 'Bearer x' } }]],
    ['no key', 4403, [{ type: 'connection_init' }]],
    ['a second connection_init', 4429, ['INIT', 'INIT']],
    ['an id in use', 4409, ['INIT', subscription, subscription]],
    ['a first message nested 30,000 levels deep', 4400, [nestedMessage('connection_init', 30_000)]],
    [
      'an operation nested 30,000 levels deep before connection_init',
      4401,
      [nestedMessage('subscribe', 30_000)],
    ],
    [
      'an operation nested 501 levels deep with an id in use',
      4409,
      ['INIT', subscription, nestedMessage('subscribe', 498)],
    ],
    ['a ping nested 30,000 levels deep', 4400, [nestedMessage('ping', 30_000)]],
    ['a completion nested 30,000 levels deep', 4400, [nestedMessage('complete', 30_000)]],
    ['a frame above 64 KiB', 1009, ['INIT', 'x'.repeat(64 * 1024 + 1)]],
  ])('%s: %i', async (_what, code, messages) => {
    const client = await RawClient.open()
    for (const message of messages) {
      client.send(message === 'INIT' ? init() : message)
      if (message === 'INIT') await until(() => client.received.length > 0)
    }
    expect((await client.closed).code).toBe(code)
  })

  test('no connection_init: 4408', async () => {
    const client = await RawClient.open()
    expect((await client.closed).code).toBe(4408)
  })

  test('another protocol: 4406, or a failed handshake', async () => {
    const client = new RawClient('graphql-ws')
    expect([4406, 1006]).toContain((await client.closed).code)
  })
})

describe('an operation with variables or an unknown member nested too deeply', () => {
  test.each([500, 30_000])('is refused at %i levels, and the socket stays open', async (levels) => {
    const client = await RawClient.signIn()
    client.send(nestedMessage('subscribe', levels))
    await until(() => client.answersTo('1').length > 0)
    expect(client.received.at(-1)).toMatchObject({
      type: 'error',
      payload: [
        {
          message: 'The operation is nested deeper than 500 levels.',
          extensions: { code: 'BAD_USER_INPUT' },
        },
      ],
    })
    client.send(
      JSON.stringify(subscription).replace('}}', `},"x":${'['.repeat(levels)}${']'.repeat(levels)}}`),
    )
    await until(() => client.answersTo('1').length > 1)
    expect(client.answersTo('1')[1]).toEqual(client.answersTo('1')[0])
    client.subscribe('1', '{ __typename }')
    await until(() => client.answersTo('1').length > 2)
    expect(client.answersTo('1')[2]).toEqual({ data: { __typename: 'Query' } })
    client.socket.terminate()
  })
})

describe('an ID that a client uses again right after it completed the operation', () => {
  const answers = (client: RawClient) => client.received.filter(({ id }) => id === '1')
  const complete = { id: '1', type: 'complete' }

  test('belongs to the new subscription, which gets each event once and can be completed', async () => {
    const client = await RawClient.signIn()
    const other = await RawClient.signIn()
    client.subscribe('1')
    other.subscribe('1')
    await until(() => subscriptions() === 2)
    client.send(complete)
    client.subscribe('1')
    client.send(complete)
    client.subscribe('1')
    await until(() => subscriptions() === 2)
    client.send({ type: 'ping' })
    await until(() => client.received.some(({ type }) => type === 'pong'))
    const ids: string[] = []
    for (const _ of [1, 2, 3]) {
      ids.push(await appendEvent())
      await until(() => other.answersTo('1').length === ids.length && answers(client).length >= ids.length)
    }
    const expected = ids.map((id) => ({ id: '1', type: 'next', payload: { data: { events: { id } } } }))
    expect(answers(client)).toEqual(expected)
    client.send(complete)
    await until(() => subscriptions() === 1)
    for (const { socket } of [client, other]) socket.terminate()
  })
})

describe('limits', () => {
  test('of operations per socket refuse the next one with the name of the limit', async () => {
    const client = await RawClient.signIn()
    for (const id of ['1', '2', '3', '4', '5']) client.subscribe(id)
    await until(() => client.answersTo('5').length > 0)
    expect(client.answersTo('5')).toEqual([
      [
        {
          message: 'Too many operations on one socket. The limit is 4 (OPERATIONS_PER_SOCKET).',
          extensions: { code: 'TOO_MANY_REQUESTS' },
        },
      ],
    ])
    await until(() => subscriptions() === 4)
    client.send({ id: '1', type: 'complete' })
    await until(() => subscriptions() === 3)
    client.subscribe('6')
    await until(() => subscriptions() === 4)
    expect(client.answersTo('6')).toEqual([])
    client.socket.terminate()
  })

  test('of different documents refuse the next one, and permit known ones', async () => {
    const [client, other] = [await RawClient.signIn(), await RawClient.signIn()]
    const watching = (name: string) => `subscription ${name} { events { id } }`
    for (const name of ['A', 'B', 'C', 'D']) client.subscribe(name, watching(name))
    await until(() => client.answersTo('D').length > 0)
    expect(client.answersTo('D')[0]).toMatchObject({
      errors: [
        {
          message: expect.stringMatching(
            /^Too many different documents of subscriptions. The limit is 3 \(SUBSCRIPTION_DOCUMENTS_PER_APPLICATION\)\./,
          ),
          extensions: { code: 'TOO_MANY_REQUESTS' },
        },
      ],
    })
    for (const name of ['A', 'B']) other.subscribe(name, watching(name))
    await until(() => subscriptions() === 5)
    client.send({ id: 'A', type: 'complete' })
    await until(() => subscriptions() === 4)
    other.subscribe('still A', watching('D'))
    await until(() => other.answersTo('still A').length > 0)
    other.send({ id: 'A', type: 'complete' })
    await until(() => subscriptions() === 3)
    other.subscribe('D', watching('D'))
    await until(() => subscriptions() === 4)
    expect(other.answersTo('D')).toEqual([])
    for (const { socket } of [client, other]) socket.terminate()
  })

  test('of sockets and subscriptions per application refuse the next one with the name of the limit', async () => {
    const clients = await Promise.all(Array.from({ length: 60 }, () => RawClient.signIn()))
    const late = await RawClient.signIn()
    expect(await late.closed).toEqual({
      code: 4429,
      reason: 'Too many sockets. The limit is 60 (SOCKETS_PER_APPLICATION).',
    })
    for (const client of clients) for (const id of ['1', '2']) client.subscribe(id)
    const refused = () => clients.flatMap(({ received }) => received.filter(({ type }) => type === 'next'))
    await until(() => refused().length === 50)
    expect(JSON.stringify(refused()[0])).toContain('Too many subscriptions. The limit is 70')
    expect(refused()).toHaveLength(50)
    for (const { socket } of clients) socket.terminate()
    await waitForNoSockets()
    const next = await RawClient.signIn()
    expect(next.received).toMatchObject([{ type: 'connection_ack' }])
    next.socket.terminate()
  })
})

describe('results', () => {
  const QUERY = `subscription ($after: ID, $shown: Boolean = true, $types: [String!]) {
    events(after: $after, types: $types) { id type @include(if: $shown) connection { name: status } }
  }`

  test('are computed once for all clients with the same operation, whatever their start', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => RawClient.signIn()))
    const startEvents = [await appendEvent(), await appendEvent()]
    clients.forEach((client, at) => client.subscribe('all', QUERY, { after: startEvents[at % 2] }))
    await until(() => clients.every((client, at) => client.answersTo('all').length === 1 - (at % 2)))
    let statements = 0
    const stop = federation.db.onStatement((sql) => (statements += sql.includes('`connections`') ? 1 : 0))
    const id = await appendEvent()
    await until(() => clients.every(({ received }) => JSON.stringify(received).includes(id)))
    stop()
    expect(statements).toBe(1)
    const last = clients.map((client) => JSON.stringify(client.answersTo('all').at(-1)))
    expect(new Set(last).size).toBe(1)
    for (const { socket } of clients) socket.terminate()
  })

  test('differ by variables and caller', async () => {
    const [one, other] = [await RawClient.signIn(), await RawClient.signIn()]
    const narrowed = await RawClient.open()
    const { token } = federation.fleet.narrowed(1)
    const { payload } = init()
    narrowed.send({ type: 'connection_init', payload: { ...payload, connectionToken: token } })
    one.subscribe('a', QUERY)
    other.subscribe('b', QUERY, { shown: false })
    other.subscribe('c', QUERY, { types: ['driver.added'] })
    await until(() => narrowed.received.length > 0)
    narrowed.subscribe('d', QUERY)
    await until(() => subscriptions() === 4)
    const id = await appendEvent()
    await until(() => one.answersTo('a').length > 0 && other.answersTo('b').length > 0)
    const connection = { name: 'CONNECTED' }
    expect(one.answersTo('a')).toEqual([{ data: { events: { id, type: 'vehicle.modified', connection } } }])
    expect(other.answersTo('b')).toEqual([{ data: { events: { id, connection } } }])
    expect([...other.answersTo('c'), ...narrowed.answersTo('d')]).toEqual([])
    for (const { socket } of [one, other, narrowed]) socket.terminate()
  })
})

describe('clients that do not read', () => {
  const STALLED = 50
  const LARGE_TEXT = 'x'.repeat(20_000)
  const QUERY = 'subscription { events { id detail } }'

  test('are closed with 4413, while memory stays bounded and others get all events', async () => {
    const stalled = await Promise.all(Array.from({ length: STALLED }, () => RawClient.signIn()))
    const reader = await RawClient.signIn()
    for (const client of stalled) client.subscribe('slow', QUERY)
    reader.subscribe('quick', QUERY)
    await until(() => subscriptions() === STALLED + 1)
    for (const { socket } of stalled) socket.pause()
    const before = process.memoryUsage().rss
    const ids: string[] = []
    for (let at = 0; at < 600; at++) {
      ids.push(await appendEvent({ film: LARGE_TEXT }))
      if (at % 50 === 0) await until(() => reader.answersTo('quick').length >= at)
    }
    await until(() => reader.answersTo('quick').length === ids.length)
    expect(reader.answersTo('quick')).toMatchObject(ids.map((id) => ({ data: { events: { id } } })))
    await until(() => subscriptions() === 1)
    // Without a limit, 600 events of 20 kB for 50 clients need 600 MB.
    expect(process.memoryUsage().rss - before).toBeLessThan(250 * 1024 * 1024)
    for (const { socket } of stalled) socket.resume()
    for (const client of stalled)
      expect(await client.closed).toEqual({ code: 4413, reason: 'slow consumer: resume with `after`' })
    const got = stalled[0]?.answersTo('slow') as { data: { events: { id: string } } }[]
    expect(got.map(({ data }) => data.events.id)).toEqual(ids.slice(0, got.length))
    reader.socket.terminate()
  })

  test('get an error on an event stream, too, which ends without a complete event', async () => {
    const { hostname, port } = new URL(gateway.url)
    const socket = connect({ host: hostname, port: Number(port) })
    const { secretKey } = federation.fleet.narrowed(0)
    const path = `/graphql?query=${encodeURIComponent(QUERY)}`
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\nauthorization: Bearer ${secretKey}\r\n\r\n`,
    )
    await once(socket, 'data')
    socket.pause()
    await until(() => gateway.streams.open === 1)
    while (gateway.streams.open > 0) {
      await appendEvent({ film: LARGE_TEXT })
      await new Promise((resolve) => setImmediate(resolve))
    }
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.resume()
    await until(() => text.includes('slow consumer: resume with `after`'))
    expect(text).not.toContain('event: complete')
    socket.destroy()
  })
})
