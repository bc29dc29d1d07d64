import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProviderApi } from '../../../src/providers/http/create-provider-api.ts'
import { createMemoryStore } from '../../../src/providers/rate-limit/memory-store.ts'
import { createRateLimiter } from '../../../src/providers/rate-limit/rate-limiter.ts'
import type { ProviderAdapter } from '../../../src/providers/provider.ts'
import { dialects } from '../../support/factories.ts'
import { ConnectionsHarness, type Linked } from '../../support/harnesses/connections-harness.ts'

const RESPONSE = 'response { method path statusCode headers response bodyBase64 }'

/** Request as the provider received it. */
interface ReceivedRequest {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const answers: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  '/null': (response) => response.end('null'),
  '/empty': (response) => response.writeHead(204).end(),
  '/html': (response) => response.writeHead(418, { 'content-type': 'text/html' }).end('<p>no</p>'),
  '/moved': (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
  '/never': () => undefined,
  '/broken': (response) => response.destroy(),
  '/large': (response) => response.end(Buffer.alloc(10 * 1024 * 1024 + 1)),
  '/bytes': (response) => response.end(Buffer.from([0, 255, 128])),
  '/zipped': (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"zipped":true}')),
}

const defaultAnswer = (response: ServerResponse) =>
  response
    .writeHead(200, {
      'content-type': 'application/json',
      'set-cookie': 'session=1',
      'x-api-key': 'mine',
      'x-kept': 'kept',
      connection: 'close, x-hop',
      'x-hop': '1',
    })
    .end(JSON.stringify({ ok: [1, null] }))

/** Starts a provider that answers by path and records its requests. */
async function startProvider(): Promise<{ server: Server; url: string; received: ReceivedRequest[] }> {
  const received: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    received.push({ method: request.method, url: request.url, headers: request.headers, body })
    const answer = answers[String(request.url?.split('?', 1)[0])] ?? defaultAnswer
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

describe.each(dialects)('passing requests through on %s', (dialect) => {
  let harness: ConnectionsHarness
  let provider: Awaited<ReturnType<typeof startProvider>>
  let linked: Linked

  beforeAll(async () => {
    harness = await ConnectionsHarness.start(dialect)
    linked = await harness.link()
    provider = await startProvider()
  })
  afterAll(async () => {
    provider.server.closeAllConnections()
    provider.server.close()
    await harness[Symbol.asyncDispose]()
  })

  const pass = (input: object, by = linked) => harness.mutate(by.client, 'passthrough', input, RESPONSE)

  /** Runs work with the provider of this file in place of the sandbox. */
  async function withProvider<T>(work: () => Promise<T>): Promise<T> {
    harness.adapt = (adapter): ProviderAdapter => ({
      ...adapter,
      api: ({ apiKey = '' }, signal) =>
        createProviderApi({ baseUrl: provider.url, headers: { 'X-Api-Key': apiKey }, signal }),
    })
    provider.received.length = 0
    return work().finally(() => (harness.adapt = (adapter) => adapter))
  }

  test('returns the response of the provider, even an error', async () => {
    const { payload } = await pass({ method: 'GET', path: '/vehicles?limit=1' })
    expect(payload.response).toMatchObject({ method: 'GET', path: '/vehicles?limit=1', statusCode: 200 })
    expect(payload.response.response.data).toHaveLength(1)
    expect(payload.response.headers['content-type']).toBe('application/json')
    expect((await pass({ method: 'GET', path: '/nowhere' })).payload.response.statusCode).toBe(404)
    expect((await pass({ method: 'DELETE', path: '/vehicles' })).payload.response.statusCode).toBe(405)
  })

  test('sends the request once, only with the credentials of the connection', async () => {
    await withProvider(() =>
      pass({
        method: 'POST',
        path: '/things?a=1',
        headers: {
          'Content-Type': 'text/plain',
          'X-Mine': 'yes',
          'x-api-key': 'stolen',
          Authorization: 'Bearer stolen',
          Cookie: 'a=b',
          Host: 'elsewhere.example',
          Connection: 'x-dropped',
          'X-Dropped': '1',
          'Content-Length': '1',
        },
        body: 'hello',
      }),
    )
    expect(provider.received).toHaveLength(1)
    const [{ method, url, headers, body }] = provider.received as [ReceivedRequest]
    expect([method, url, body]).toEqual(['POST', '/things?a=1', 'hello'])
    expect(headers).toMatchObject({
      'content-type': 'text/plain',
      'x-mine': 'yes',
      'x-api-key': linked.apiKey,
    })
    expect(headers.host).toBe(new URL(provider.url).host)
    expect(headers['content-length']).toBe('5')
    for (const name of ['authorization', 'cookie', 'x-dropped']) expect(headers).not.toHaveProperty(name)
  })

  test('returns no credentials, cookies or hop-by-hop headers', async () => {
    const { payload } = await withProvider(() => pass({ method: 'GET', path: '/' }))
    const { headers } = payload.response
    expect(headers['x-kept']).toBe('kept')
    for (const name of ['set-cookie', 'x-api-key', 'connection', 'x-hop', 'transfer-encoding'])
      expect(headers).not.toHaveProperty(name)
  })

  test.each([
    ['/', { ok: [1, null] }, 200],
    ['/null', '', 200],
    ['/empty', '', 204],
    ['/html', '<p>no</p>', 418],
    ['/moved', '', 302],
    ['/zipped', { zipped: true }, 200],
  ])('returns the body of %s as %j', async (path, response, statusCode) => {
    const { payload } = await withProvider(() => pass({ method: 'GET', path }))
    expect(payload.response).toMatchObject({ response, statusCode })
  })

  test('returns binary data unchanged', async () => {
    const { payload } = await withProvider(() => pass({ method: 'GET', path: '/bytes' }))
    expect(payload.response.bodyBase64).toBe('AP+A')
  })

  test.each([['/broken'], ['/large']])('reports a failure of the provider at %s', async (path) => {
    expect(await withProvider(() => pass({ method: 'GET', path }))).toMatchObject({ code: 'BAD_GATEWAY' })
    expect(provider.received).toHaveLength(1)
  })

  test('reports a timeout of the provider', async () => {
    harness.adapt = (adapter) => ({
      ...adapter,
      api: () => createProviderApi({ baseUrl: provider.url, headers: {}, signal: AbortSignal.timeout(50) }),
    })
    const outcome = await pass({ method: 'GET', path: '/never' })
    harness.adapt = (adapter) => adapter
    expect(outcome).toMatchObject({ code: 'GATEWAY_TIMEOUT' })
  })

  test('refuses a request above the rate limit of the provider', async () => {
    const store = createMemoryStore()
    const rateLimits = [{ per: 'account', requests: 1, perSeconds: 3600 }] as const
    harness.adapt = (adapter) => ({
      ...adapter,
      api: (_credentials, signal, priority = 'background') => {
        const limiter = createRateLimiter(store, {
          provider: 'sandbox',
          rateLimits,
          account: 'one',
          priority,
        })
        return createProviderApi({ baseUrl: provider.url, headers: {}, signal, limiter })
      },
    })
    provider.received.length = 0
    const outcomes = [
      await pass({ method: 'GET', path: '/null' }),
      await pass({ method: 'GET', path: '/null' }),
    ]
    harness.adapt = (adapter) => adapter
    expect(outcomes).toMatchObject([{ code: null }, { code: 'TOO_MANY_REQUESTS' }])
    // An aborted request of an earlier test may still arrive.
    expect(provider.received.filter(({ url }) => url === '/null')).toHaveLength(1)
  })

  test.each([
    '',
    'vehicles',
    '//elsewhere.example/',
    '/\\elsewhere.example',
    '@elsewhere.example/',
    '/a@b',
    '/a b',
    '/a\r\nX: y',
    '/a#b',
    'http://elsewhere.example/',
    '.elsewhere.example/',
    ':80/',
    '/é',
    `/${'a'.repeat(5000)}`,
  ])('refuses the path %j', async (path) => {
    const outcome = await withProvider(() => pass({ method: 'GET', path }))
    expect(outcome).toMatchObject({ code: 'BAD_USER_INPUT', detail: [{ path: 'input.path' }] })
    expect(provider.received).toEqual([])
  })

  test.each([
    [{ headers: [] }, 'headers'],
    [{ headers: { a: 1 } }, 'headers'],
    [{ headers: { 'a b': 'c' } }, 'headers'],
    [{ headers: { a: 'b\r\nc: d' } }, 'headers'],
    [{ headers: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`h${at}`, 'x'])) }, 'headers'],
    [{ method: 'GET', body: 'text' }, 'body'],
  ])('refuses %j', async (input, member) => {
    const outcome = await withProvider(() => pass({ method: 'POST', path: '/', ...input }))
    expect(outcome).toMatchObject({ code: 'BAD_USER_INPUT', detail: [{ path: `input.${member}` }] })
    expect(provider.received).toEqual([])
  })

  test('accepts a body of at most 1 MiB', async () => {
    const sending = (size: number) =>
      withProvider(() => pass({ method: 'PUT', path: '/', body: 'x'.repeat(size) }))
    expect(await sending(1024 * 1024)).toMatchObject({ code: null })
    expect(await sending(1024 * 1024 + 1)).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  })

  test('makes no request for a connection that is not connected', async () => {
    const other = await harness.link()
    for (const [status, code] of [
      ['disconnected', 'CONNECTION_DISCONNECTED'],
      ['archived', 'UNPROCESSABLE_ENTITY'],
      ['pending_deletion', 'UNPROCESSABLE_ENTITY'],
    ]) {
      await harness.set('connections', other.id, { status })
      expect(await pass({ method: 'GET', path: '/account' }, other)).toMatchObject({ code })
    }
  })

  test('is refused if the adapter does not support it', async () => {
    harness.adapt = (adapter) => ({ ...adapter, passthrough: false })
    const outcome = await pass({ method: 'GET', path: '/account' })
    harness.adapt = (adapter) => adapter
    expect(outcome).toMatchObject({ code: 'NOT_IMPLEMENTED' })
  })
})
