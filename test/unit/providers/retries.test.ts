import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createProviderApi } from '../../../src/providers/http/create-provider-api.ts'

/** Behaviour of the provider for one request. */
type Handler = (response: ServerResponse) => void

const answers =
  (status: number, headers: Readonly<Record<string, string>> = {}): Handler =>
  (response) =>
    response.writeHead(status, headers).end(status === 200 ? '{"result":"there"}' : 'an error')

const succeeds = answers(200)
const soon = { 'retry-after': '0.01' }

const breaksOff: Handler = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"result":')
  setImmediate(() => response.destroy())
}

const hangsUp: Handler = (response) => response.destroy()

let handlers: Handler[] = []
let requests = 0
const server = createServer((_request, response) => {
  requests += 1
  const handle = handlers.length > 1 ? handlers.shift() : handlers[0]
  handle?.(response)
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())
beforeEach(() => {
  requests = 0
})

const get = () =>
  createProviderApi({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headers: {},
    signal: new AbortController().signal,
  }).get('/vehicles')

test.each([
  ['a rate limit', answers(429, soon)],
  ['a server error', answers(500, soon)],
  ['a bad gateway', answers(502, soon)],
  ['an outage', answers(503, soon)],
  ['a request timeout', answers(408, soon)],
  ['a response that breaks off', breaksOff],
  ['a connection that breaks off', hangsUp],
])('a request is retried after %s', async (_, handle) => {
  handlers = [handle, succeeds]
  expect(await get()).toEqual({ result: 'there' })
  expect(requests).toBe(2)
})

test.each([
  [401, 'invalid_credentials'],
  [403, 'scope_missing'],
  [400, 'malformed'],
  [404, 'malformed'],
])('a request is not retried after %i: the response would be the same', async (status, kind) => {
  handlers = [answers(status, soon), succeeds]
  await expect(get()).rejects.toMatchObject({ kind })
  expect(requests).toBe(1)
})

test.each([
  [429, 'limited'],
  [503, 'unavailable'],
])('a request fails after repeated %i responses', async (status, kind) => {
  handlers = [answers(status, soon)]
  await expect(get()).rejects.toMatchObject({ kind })
  expect(requests).toBe(5)
})

test.each(['16', 'Fri, 31 Dec 2999 23:59:59 GMT'])(
  'a long pause of %s is left to the caller',
  async (retryAfter) => {
    handlers = [answers(429, { 'retry-after': retryAfter }), succeeds]
    await expect(get()).rejects.toMatchObject({ kind: 'limited' })
    expect(requests).toBe(1)
  },
)

test('a pause of a fraction of a second is honoured', async () => {
  handlers = [answers(429, { 'retry-after': '0.4' }), succeeds]
  const before = performance.now()
  await get()
  expect(performance.now() - before).toBeGreaterThan(395)
})

test.each([400, 404, 410, 422])(
  'status %i means that the provider refuses the content of the request',
  async (status) => {
    handlers = [answers(status)]
    await expect(get()).rejects.toMatchObject({ kind: 'malformed', isRefusal: true })
    expect(requests).toBe(1)
  },
)

test.each([401, 403, 429, 500])('status %i does not mean that', async (status) => {
  handlers = [answers(status, { 'retry-after': '60' })]
  await expect(get()).rejects.toMatchObject({ isRefusal: false })
})

test('a response that cannot be read does not mean that', async () => {
  handlers = [(response) => response.end('<html>')]
  await expect(get()).rejects.toMatchObject({ kind: 'malformed', isRefusal: false })
})
