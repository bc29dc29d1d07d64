import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FederationHarness, type GatewayClient } from '../../support/federation/federation-harness.ts'
import { headersOf } from '../../support/rest/rest-harness.ts'

let federation: FederationHarness
let gateway: GatewayClient

beforeAll(async () => {
  federation = await FederationHarness.start([])
  gateway = await federation.startGateway({})
})
afterAll(() => federation[Symbol.asyncDispose]())

const post = (body: object, accept = 'application/json') =>
  fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: {
      ...(headersOf(federation.fleet.narrowed(0)) as Record<string, string>),
      'content-type': 'application/json',
      accept,
    },
    body: JSON.stringify(body),
  })

interface Refused {
  readonly data?: unknown
  readonly errors: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
}

const levels = (depth: number): string =>
  depth === 0 ? 'id' : `trips(first: 1000) { nodes { vehicle { ${levels(depth - 1)} } } }`
/** Six levels of lists in 281 bytes. */
const NESTED_LISTS = `{ vehicles(first: 1000) { nodes { ${levels(5)} } } }`

const doubling = Array.from(
  { length: 16 },
  (_, at) =>
    `fragment F${at} on Vehicle { a: trips(first: 1) { nodes { vehicle { ...F${at + 1} } } } b: trips(first: 1) { nodes { vehicle { ...F${at + 1} } } } }`,
)
/** Sixteen fragments, each of which selects the next one twice. */
const DOUBLED_FRAGMENTS = `query { vehicles(first: 1) { nodes { ...F0 } } } ${doubling.join(' ')} fragment F16 on Vehicle { id }`

const SESSIONS = `mutation { ${Array.from({ length: 300 }, (_, at) => `s${at}: createSession(input: { scopes: [READ_FLEET] }) { token }`).join(' ')} }`

describe('an operation that costs too much is refused before it runs', () => {
  test.each([
    [
      'lists in lists',
      NESTED_LISTS,
      /^The operation costs [\d,]+\. The limit is 200,000\. Most of the cost is `vehicles\.nodes\.trips/,
    ],
    [
      'fragments that double',
      DOUBLED_FRAGMENTS,
      /^The operation has \d+ levels of fields\. The limit is 30\./,
    ],
    ['many changes', SESSIONS, /^The operation costs 1,5[\d,]+\. The limit is 200,000\./],
  ])('over HTTP and as a stream: %s', async (_name, query, message) => {
    for (const accept of ['application/json', 'application/json', 'application/graphql-response+json']) {
      const response = await post({ query }, accept)
      const { errors, data } = (await response.json()) as Refused
      expect([response.status, data, errors[0]?.extensions.code]).toEqual([
        400,
        undefined,
        'COST_LIMIT_EXCEEDED',
      ])
      expect(errors[0]?.message).toMatch(message)
    }
    const stream = await (await post({ query }, 'text/event-stream')).text()
    expect(stream).toContain('COST_LIMIT_EXCEEDED')
  })

  test('over a websocket', async () => {
    expect.assertions(1)
    for await (const { errors } of gateway.subscribe(NESTED_LISTS))
      expect(errors?.[0]?.extensions['code']).toBe('COST_LIMIT_EXCEEDED')
  })

  test('as a subscription, by the cost of one event', async () => {
    const query = `subscription { vehicleLocations { vehicle { trips(first: 1000) { nodes { ${'id '} vehicle { id devices { id } } } } } } }`
    const stream = await (await post({ query }, 'text/event-stream')).text()
    expect(stream).toContain('COST_LIMIT_EXCEEDED')
    expect(stream).toContain('The limit is 10,000.')
  })

  test('a document of more than 10,000 tokens is not parsed', async () => {
    const query = `{ vehicle(id: "vcl_1") { ${'id '.repeat(10_000)} } }`
    for (const accept of ['application/json', 'text/event-stream']) {
      const text = await (await post({ query }, accept)).text()
      expect(text).toContain('GRAPHQL_PARSE_FAILED')
      expect(text).toContain('10000 tokens')
    }
  })
})

test('a response has the cost of its operation, on the first and on later requests', async () => {
  for (const _ of [1, 2, 3]) {
    const response = await post({ query: 'query Two { vehicles(first: 2) { nodes { id name } } }' })
    expect([response.status, response.headers.get('x-query-cost')]).toEqual([200, '4'])
  }
})
