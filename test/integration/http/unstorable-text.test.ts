import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { createClient } from 'graphql-ws'
import { FederationHarness, type GatewayClient } from '../../support/federation/federation-harness.ts'
import { headersOf } from '../../support/rest/rest-harness.ts'

const UPDATE = `mutation Update($input: UpdateConnectionInput!) {
  updateConnection(input: $input) { connection { externalId tags } }
}`
const CURRENT = '{ connection { externalId tags } }'
const STORED = { externalId: 'cust-\u{1f69a}', tags: ['west'] }

let federation: FederationHarness
let gateway: GatewayClient

beforeAll(async () => {
  federation = await FederationHarness.start([])
  gateway = await federation.startGateway()
  await graphql({ query: UPDATE, variables: { input: STORED } })
})
afterAll(() => federation[Symbol.asyncDispose]())

const headers = (): Record<string, string> => ({
  ...(headersOf(federation.fleet.narrowed(0)) as Record<string, string>),
  'content-type': 'application/json',
})

interface Answer {
  readonly data?: unknown
  readonly errors?: readonly { readonly extensions: { readonly code: string; readonly detail: unknown } }[]
}

async function graphql(body: object): Promise<Answer> {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: headers(),
    body: JSON.stringify(body),
  })
  return (await response.json()) as Answer
}

async function rest(method: string, path: string, body?: object) {
  const response = await fetch(`${gateway.url}/tsp/v1${path}`, {
    method,
    headers: headers(),
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return [response.status, await response.json()]
}

const problemAt = (path: string) => ({
  errors: [{ extensions: { code: 'BAD_USER_INPUT', detail: [{ message: expect.any(String), path }] } }],
})

test.each([
  ['a NUL', 'a\0b'],
  ['a trailing NUL', 'a\0'],
  ['half of a surrogate pair', 'a\ud83d'],
  ['a reversed surrogate pair', '\ude9a\ud83d'],
])('%s in a text is refused with its path, and nothing changes', async (_what, text) => {
  expect(await graphql({ query: UPDATE, variables: { input: { externalId: text } } })).toMatchObject(
    problemAt('input.externalId'),
  )
  expect(await graphql({ query: UPDATE, variables: { input: { tags: ['a', text] } } })).toMatchObject(
    problemAt('input.tags.1'),
  )
  expect(await graphql({ query: UPDATE, variables: { input: { options: { [text]: 1 } } } })).toMatchObject(
    problemAt('input.options'),
  )
  const literal = `mutation { updateConnection(input: { externalId: ${JSON.stringify(text)} }) { connection { id } } }`
  // The parser refuses half of a surrogate pair itself.
  expect((await graphql({ query: literal })).errors?.[0]?.extensions.code).toBe(
    text.includes('\0') ? 'BAD_USER_INPUT' : 'GRAPHQL_PARSE_FAILED',
  )
  expect(await rest('PATCH', '/connections/current', { externalId: text })).toMatchObject([
    400,
    { code: 'bad_request', detail: [{ path: '{requestBody}.externalId' }] },
  ])
  expect((await graphql({ query: CURRENT })).data).toEqual({ connection: STORED })
})

test('a NUL in a query parameter is refused', async () => {
  expect(await rest('GET', '/connections?externalId=a%00b')).toMatchObject([
    400,
    { code: 'bad_request', detail: [{ path: '{requestQuery}.externalId' }] },
  ])
})

test('a subscription with a NUL in a variable is refused', async () => {
  const client = createClient({
    url: `${gateway.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: headers(),
  })
  const query = 'subscription Events($types: [String!]) { events(types: $types) { id } }'
  const outcome = await new Promise((resolve) => {
    client.subscribe(
      { query, variables: { types: ['a\0'] } },
      { next: resolve, error: resolve, complete: () => resolve('completed') },
    )
  })
  expect(outcome).toMatchObject(problemAt('types.0'))
  await client.dispose()
})
