import { once } from 'node:events'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../rest-compat/routes.ts'
import { FederationHarness, type GatewayClient } from '../../support/federation/federation-harness.ts'
import { headersOf } from '../../support/rest/rest-harness.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY']
const QUERY = encodeURIComponent('{ connection { status } }')
const MUTATION = encodeURIComponent('mutation { __typename }')
const SUBSCRIPTION = encodeURIComponent('subscription { events { id } }')

let federation: FederationHarness
let gateway: GatewayClient

beforeAll(async () => {
  federation = await FederationHarness.start(['connections', 'events'])
  gateway = await federation.startGateway({
    remoteSubgraphs: new Map(),
    page: (reply) => {
      void reply.type('text/html')
      return 'the page'
    },
  })
})
afterAll(() => federation[Symbol.asyncDispose]())

const credentials = () => headersOf(federation.fleet.narrowed(0)) as Record<string, string>

/** Sends a request. Node gives it no content type and, for most methods, no length unless it has a body. */
async function send(method: string, url: string, headers: Record<string, string> = {}, body?: string) {
  const length = body === undefined ? {} : { 'content-length': body.length }
  const request = httpRequest(url.startsWith('/') ? gateway.url + url : url, {
    method,
    headers: { ...headers, ...length },
  })
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response) text += String(chunk)
  const { statusCode: status = 0, headers: received } = response
  return { status, text, headers: received, allow: received.allow?.split(', ') }
}

describe.each([
  ['no type', {}],
  ['JSON', { 'content-type': 'application/json' }],
  ['JSON and the length 0', { 'content-type': 'application/json', 'content-length': '0' }],
  ['JSON and no chunks', { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' }],
  ['an invalid type', { 'content-type': 'json' }],
  ['an empty type', { 'content-type': '' }],
] as const)('without a body, but with %s,', (_type, type) => {
  test.each([
    ['PUT', '/graphql', 201],
    ['DELETE', '/graphql', 404],
    ['OPTIONS', '/graphql', 204],
    ['PATCH', '/graphql', 405],
    ['QUERY', '/graphql', 405],
    ['POST', '/graphql', 400],
    ['DELETE', '/tsp/v1/webhook-endpoints/whe_01M8GWD5MZNDXT9YHPJHKGWM9T', 404],
    ['POST', '/tsp/v1/issues/iss_01M8GWD5MZNDXT9YHPJHKGWM9T/resolve', 404],
    ['PATCH', '/tsp/v1/connections/current', 200],
    ['PUT', '/tsp/v1/vehicles', 405],
    ['POST', '/tsp/v1/nowhere', 404],
    ['POST', '/nowhere', 404],
    ['DELETE', '/', 404],
    ['OPTIONS', '/nowhere', 404],
  ])('%s %s gets %i', async (method, path, status) => {
    const response = await send(method, path, { ...credentials(), ...type })
    expect(response).toMatchObject({ status })
  })

  test('a POST to /graphql learns that its body is missing', async () => {
    const { text } = await send('POST', '/graphql', { ...credentials(), ...type })
    expect(text).toContain('Send a JSON body')
  })
})

test('a body at an unknown path is not read', async () => {
  for (const [type, body] of [
    ['application/json', '{'],
    ['text/csv', 'a,b'],
  ] as const) {
    const response = await send('POST', '/nowhere', { 'content-type': type }, body)
    expect(response).toMatchObject({ status: 404 })
  }
})

test('a body of OPTIONS and of an unsupported method is not read', async () => {
  for (const [method, status] of [
    ['OPTIONS', 204],
    ['PATCH', 405],
  ] as const)
    expect(await send(method, '/graphql', { 'content-type': 'text/csv' }, 'a,b')).toMatchObject({ status })
})

describe('HEAD /graphql', () => {
  const HEAD_LIKE_GET = ['content-type', 'content-length', 'x-query-cost', 'allow']

  test.each([
    ['a query', `query=${QUERY}`, {}, 200],
    ['a query with parameters for nothing', `query=${QUERY}&variables=&operationName=`, {}, 200],
    ['a query for a stream', `query=${QUERY}`, { accept: 'text/event-stream' }, 200],
    ['a browser', '', { accept: 'text/html' }, 200],
    ['no query', '', {}, 400],
    ['an invalid query', 'query={', {}, 400],
    ['an unknown type', `query=${QUERY}`, { accept: 'text/csv' }, 406],
    ['a mutation', `query=${MUTATION}`, {}, 405],
  ])('of %s answers as GET without the body', async (_what, search, more, status) => {
    const headers = { ...credentials(), 'apollo-require-preflight': '1', ...more }
    const get = await send('GET', `/graphql?${search}`, headers)
    const head = await send('HEAD', `/graphql?${search}`, headers)
    expect([get.status, head.status, head.text]).toEqual([status, status, ''])
    for (const name of HEAD_LIKE_GET) expect([name, head.headers[name]]).toEqual([name, get.headers[name]])
  })

  test('of a subscription has the headers of its stream, and opens none', async () => {
    const path = `/graphql?query=${SUBSCRIPTION}`
    for (const accept of ['text/event-stream', 'multipart/mixed'])
      expect(await send('HEAD', path, { ...credentials(), accept })).toMatchObject({
        status: 200,
        headers: { 'content-type': expect.stringContaining(accept) },
      })
    expect(gateway.streams.open).toBe(0)
    expect(await send('HEAD', path, { accept: 'text/event-stream' })).toMatchObject({ status: 401 })
  })

  test('with the token of a reserved stream neither opens it nor runs an operation on it', async () => {
    const { text: token } = await send('PUT', '/graphql', credentials())
    const headers = { ...credentials(), 'x-graphql-event-stream-token': token, accept: 'text/event-stream' }
    expect(await send('HEAD', '/graphql', headers)).toMatchObject({ status: 200, text: '' })
    const extensions = encodeURIComponent(JSON.stringify({ operationId: '1' }))
    const operation = `/graphql?query=${SUBSCRIPTION}&extensions=${extensions}`
    for (const [method, status] of [
      ['HEAD', 202],
      ['HEAD', 202],
      ['GET', 202],
      ['GET', 409],
    ] as const)
      expect(await send(method, operation, { ...headers, accept: 'application/json' })).toMatchObject({
        status,
      })
    const request = httpRequest(`${gateway.url}/graphql`, { headers })
    request.end()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(200)
    request.destroy()
  })
})

describe('a mutation in a URL', () => {
  test.each(['application/json', 'text/event-stream'])('for %s is allowed with POST', async (accept) => {
    const headers = { ...credentials(), 'apollo-require-preflight': '1', accept }
    for (const method of ['GET', 'HEAD'])
      expect(await send(method, `/graphql?query=${MUTATION}`, headers)).toMatchObject({
        status: 405,
        allow: ['POST'],
      })
  })
})

describe('a subgraph', () => {
  const urlOf = (name: string, query: string) => `${federation.server(name).url}?query=${query}`

  test('answers HEAD as GET without the body', async () => {
    for (const [name, query, status] of [
      ['connections', QUERY, 200],
      ['connections', '{', 400],
      ['connections', MUTATION, 405],
    ] as const) {
      const get = await send('GET', urlOf(name, query), credentials())
      const head = await send('HEAD', urlOf(name, query), credentials())
      expect([get.status, head.status, head.text]).toEqual([status, status, ''])
      expect([head.allow, head.headers['content-length']]).toEqual([get.allow, get.headers['content-length']])
    }
  })

  test('asks for a body', async () => {
    const headers = { ...credentials(), 'content-type': 'application/json' }
    const { status, text } = await send('POST', federation.server('connections').url, headers)
    expect([status, text]).toEqual([400, expect.stringContaining('Send a JSON body')])
  })

  test('opens no stream for HEAD', async () => {
    expect(await send('HEAD', urlOf('events', SUBSCRIPTION), credentials())).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    })
    expect(federation.server('events').streams.open).toBe(0)
  })
})

const paths = new Set([
  '/graphql',
  '/tsp/v1/openapi.json',
  ...routes.map(({ path }) => `/tsp/v1${path.replaceAll(/\{\w+\}/g, 'x')}`),
])

test.each([...paths])('the Allow header of %s names the methods that it supports', async (path) => {
  const responses = await Promise.all(
    METHODS.map(async (method) => ({
      method,
      ...(await send(method, path, { accept: 'application/json' })),
    })),
  )
  const supported = responses.filter(({ status }) => status !== 405).map(({ method }) => method)
  const refused = responses.filter(({ status, allow }) => status === 405 || allow)
  expect(refused.length).toBeGreaterThan(0)
  for (const { method, allow } of refused)
    expect([method, allow?.toSorted()]).toEqual([method, supported.toSorted()])
})
