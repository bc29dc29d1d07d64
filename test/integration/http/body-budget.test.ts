import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../../src/http/app.ts'
import { FederationHarness, type GatewayClient, until } from '../../support/federation/federation-harness.ts'
import { silent } from '../../support/graph/graph-harness.ts'
import { eventually } from '../../support/sync/sync-harness.ts'
import { headersOf } from '../../support/rest/rest-harness.ts'

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

interface RawRequest {
  readonly socket: Socket
  /** Text that has arrived so far. */
  received(): string
}

/** Sends a request whose body lacks its end. */
function send(url: string, path: string, headers: Readonly<Record<string, string>>, body = ''): RawRequest {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  sockets.push(socket)
  let text = ''
  socket.on('data', (data) => (text += String(data)))
  socket.on('error', () => undefined)
  const lines = Object.entries({ host: '127.0.0.1', 'content-type': 'application/json', ...headers })
  socket.write(
    `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  )
  return { socket, received: () => text }
}

describe('bodies that are larger together than the budget', () => {
  test.each([
    ['a length', { 'content-length': '90000' }, '{"a":'],
    ['chunks', { 'transfer-encoding': 'chunked' }, '5\r\n{"a":\r\n'],
  ])('with %s are refused until another one has arrived or is given up', async (_what, headers, start) => {
    const app = createApp({ log: silent, bodyBudgetBytes: 250_000 })
    app.post('/', () => ({}))
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const post = async () => {
      const response = await fetch(url, {
        method: 'POST',
        body: JSON.stringify({ a: 'x'.repeat(90_000) }),
        headers: { 'content-type': 'application/json' },
      })
      return [response.status, response.headers.get('retry-after')]
    }
    expect(await post()).toEqual([200, null])
    const [first, second] = [send(url, '/', headers, start), send(url, '/', headers, start)]
    await eventually(async () => (await post())[0] === 503)
    expect(await post()).toEqual([503, '1'])
    expect((await fetch(url)).status).toBe(404)
    first.socket.destroy()
    await eventually(async () => (await post())[0] === 200)
    expect(second.received()).toBe('')
    second.socket.destroy()
    await app.close()
  })
})

describe('a body above the usual limit', () => {
  let federation: FederationHarness
  let gateway: GatewayClient

  beforeAll(async () => {
    federation = await FederationHarness.start([])
    gateway = await federation.startGateway()
  })
  afterAll(() => federation[Symbol.asyncDispose]())

  const key = () => headersOf(federation.fleet.narrowed(0)) as Record<string, string>

  test.each([
    ['/graphql', { 'content-length': '1500000' }],
    ['/graphql', { 'transfer-encoding': 'chunked' }],
    ['/tsp/v1/passthrough', { 'content-length': '1500000' }],
    ['/tsp/v1/connections', { 'content-length': '900000' }],
  ] as const)('is refused at %s before it arrives if the key is missing or wrong', async (path, headers) => {
    for (const credentials of [{}, { authorization: 'Bearer sk_unknown' }] as Record<string, string>[]) {
      const request = send(gateway.url, path, { ...headers, ...credentials })
      await until(() => request.received().includes('\r\n\r\n'))
      expect(request.received()).toMatch(/^HTTP\/1.1 401 /)
    }
  })

  test('is refused as a small one is, where a route ignores the connection token', async () => {
    const post = async (padding: string) => {
      const response = await fetch(`${gateway.url}/tsp/v1/connections`, {
        method: 'POST',
        headers: { ...key(), 'connection-token': 'unknown', 'content-type': 'application/json' },
        body: JSON.stringify({ provider: 'unknown', credentials: { username: padding } }),
      })
      return [response.status, await response.json()]
    }
    const refusal = await post('x')
    expect(refusal).toMatchObject([400, { code: 'bad_request' }])
    expect(await post('x'.repeat(200_000))).toEqual(refusal)
  })

  test('is awaited if the key is right', async () => {
    const body = JSON.stringify({
      query: '{ connection { status } }',
      variables: { text: 'x'.repeat(200_000) },
    })
    const request = send(
      gateway.url,
      '/graphql',
      { ...key(), 'content-length': String(body.length) },
      body.slice(0, -1),
    )
    await fetch(`${gateway.url}/graphql?query={__typename}`, {
      headers: { ...key(), accept: 'application/json' },
    })
    expect(request.received()).toBe('')
    request.socket.write(body.slice(-1))
    await until(() => request.received().includes('\r\n\r\n'))
    expect(request.received()).toMatch(/^HTTP\/1.1 200 /)
  })
})
