import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { timeForms } from '../../../src/domain/time.ts'
import WebSocket from 'ws'
import { FederationHarness, type GatewayClient, until } from '../../support/federation/federation-harness.ts'
import { headersOf } from '../../support/rest/rest-harness.ts'

let federation: FederationHarness
let gateway: GatewayClient

beforeAll(async () => {
  federation = await FederationHarness.start()
  gateway = await federation.startGateway({ remoteSubgraphs: new Map() })
})
afterAll(() => federation[Symbol.asyncDispose]())

const headers = (more: Record<string, string> = {}): Record<string, string> => ({
  ...(headersOf(federation.fleet.narrowed(0)) as Record<string, string>),
  'content-type': 'application/json',
  ...more,
})

/** Sends raw text, each part in a packet of its own, and returns the response as text. */
async function responseTo(...parts: string[]): Promise<string> {
  const socket = connect({ port: Number(new URL(gateway.url).port), host: '127.0.0.1', noDelay: true })
  let response = ''
  socket.on('data', (data) => (response += String(data)))
  for (const part of parts.slice(0, -1)) await new Promise((resolve) => socket.write(part, resolve))
  socket.write(`${parts.at(-1)}\r\n\r\n`)
  await once(socket, 'close')
  return response
}

function expectBadRequest(response: string): void {
  expect(response).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
  expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'bad_request' })
}

describe('the HTTP parser', () => {
  test.each(['/tsp/v1/vehicles?ids=', '/graphql?query=query Vehicles { vehicle(id: '])(
    'refuses a URL that begins with %s and has 2,000 IDs in the forms of REST and GraphQL',
    async (start) => {
      const ids = Array.from({ length: 2000 }, (_, at) => `vcl_${String(at).padStart(26, '0')}`).join(',')
      const response = await fetch(`${gateway.url}${start}${ids}`, { headers: headers() })
      const message = expect.stringContaining('larger than 16 KiB')
      expect([response.status, await response.json()]).toEqual([
        431,
        {
          code: 'bad_request',
          message,
          errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }],
        },
      ])
    },
  )

  // The rejected packet is the last one: it does not contain the path.
  test('refuses a large URL in several packets in the same forms', async () => {
    const response = await responseTo('GET /graphql?query=', 'x'.repeat(10_000), 'x'.repeat(10_000))
    expect(response).toMatch(/^HTTP\/1.1 431 /)
    expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      code: 'bad_request',
      errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
    })
  })

  test.each(['nonsense', 'GET / HTTP/9.9', 'GET / HTTP/1.1\r\ncontent-length: many'])(
    'refuses %j in the form of the API',
    async (request) => expectBadRequest(await responseTo(request)),
  )
})

test.each(['/tsp/v1/vehicles', '/graphql', '/healthz'])(
  'several Host headers are refused at %s',
  async (path) =>
    expectBadRequest(
      await responseTo(
        `GET ${path} HTTP/1.1\r\nHost: a.example.com\r\nhost: b.example.com\r\nConnection: close`,
      ),
    ),
)

test.each(['first', 'last'])('`%s: 0` gets an empty page with totalCount and pageInfo', async (name) => {
  const { data } = await gateway.graphql(
    `{ vehicles(${name}: 0) { totalCount nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
  )
  expect(data).toEqual({
    vehicles: {
      totalCount: expect.any(Number),
      nodes: [],
      pageInfo: {
        hasNextPage: name === 'first',
        hasPreviousPage: name === 'last',
        startCursor: null,
        endCursor: null,
      },
    },
  })
})

describe.each([
  ['in process', (): Promise<GatewayClient> => Promise.resolve(gateway)],
  ['distributed', () => federation.startGateway()],
])('%s', (_size, clientOf) => {
  let client: GatewayClient
  beforeAll(async () => {
    client = await clientOf()
  })

  test('an alias can be the name of a member of every JavaScript object', async () => {
    const query = '{ __proto__: connection { constructor: status toString: id } }'
    for (const _ of [1, 2, 3]) {
      const response = await fetch(`${client.url}/graphql`, {
        method: 'POST',
        headers: headers(),
        body: JSON.stringify({ query }),
      })
      expect(await response.text()).toMatch(
        /^\{"data":\{"__proto__":\{"constructor":"CONNECTED","toString":"conn_\w+"\}\}\}/,
      )
    }
  })

  test.each([
    ['trips(startedAfter: "yesterday") { totalCount }', timeForms.dateTime],
    ['trips(startedAfter: 5) { totalCount }', timeForms.dateTime],
    ['trips(startedAfter: "2026-02-30T00:00:00Z") { totalCount }', timeForms.dateTime],
    ['iftaSummaries(startMonth: "13") { totalCount }', ''],
  ])('validation refuses %s', async (field, message) => {
    const response = await fetch(`${client.url}/graphql`, {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify({ query: `{ ${field} }` }),
    })
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        errors: [
          expect.objectContaining({
            message: expect.stringContaining(message),
            extensions: expect.objectContaining({ code: 'GRAPHQL_VALIDATION_FAILED' }),
          }),
        ],
      },
    ])
  })
})

test('`If-None-Match: *` matches the OpenAPI document', async () => {
  const url = `${gateway.url}/tsp/v1/openapi.json`
  expect((await fetch(url, { headers: { 'if-none-match': '*' } })).status).toBe(304)
  expect((await fetch(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
})

describe('a document that is nested too deeply', () => {
  const query = `{ vehicles(first: ${'['.repeat(20_000)}${']'.repeat(20_000)}) { totalCount } }`

  test('is an error of its stream', async () => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: headers({ accept: 'text/event-stream' }),
      body: JSON.stringify({ query }),
    })
    expect(await response.text()).toContain('The document is nested too deeply.')
  })

  test('is an error of its operation on a websocket, and the socket stays open', async () => {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql/`, 'graphql-transport-ws')
    const messages: { id?: string; type: string; payload?: unknown }[] = []
    socket.on('message', (text: Buffer) =>
      messages.push(JSON.parse(String(text)) as (typeof messages)[number]),
    )
    await once(socket, 'open')
    const send = (message: object) => socket.send(JSON.stringify(message))
    // The headers of the first message are nested, as some clients send them, and the path ends in a slash.
    const { authorization, 'connection-token': token } = headers()
    send({
      type: 'connection_init',
      payload: { headers: { Authorization: authorization, 'Connection-Token': token } },
    })
    await until(() => messages.length > 0)
    send({ id: 'deep', type: 'subscribe', payload: { query } })
    send({ id: 'after', type: 'subscribe', payload: { query: '{ connection { status } }' } })
    await until(() => messages.some(({ id, type }) => id === 'after' && type === 'complete'))
    expect(messages.filter(({ id }) => id === 'deep')).toMatchObject([
      { type: 'error', payload: [{ message: 'The document is nested too deeply.' }] },
    ])
    expect(messages.filter(({ id }) => id === 'after')).toMatchObject([
      { type: 'next', payload: { data: { connection: { status: 'CONNECTED' } } } },
      { type: 'complete' },
    ])
    socket.close()
  })
})

describe.each([501, 7000])('JSON in a URL nested %i levels deep', (depth) => {
  const query = 'query ($x: JSON) { vehicles(filter: $x) { totalCount } }'

  test.each([
    ['variables', 'application/json'],
    ['variables', 'text/event-stream'],
    ['extensions', 'application/json'],
    ['extensions', 'text/event-stream'],
  ])('is refused as %s for %s', async (parameter, accept) => {
    const value = `{"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
    const search = new URLSearchParams({ query })
    const response = await fetch(`${gateway.url}/graphql?${search}&${parameter}=${value}`, {
      headers: headers({ accept }),
    })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      {
        errors: [
          {
            message: `\`${parameter}\` is nested deeper than 500 levels.`,
            extensions: { code: 'BAD_USER_INPUT' },
          },
        ],
      },
    ])
  })
})
