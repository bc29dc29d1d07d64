import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createProviderApi } from '../../../src/providers/http/create-provider-api.ts'

/** What a provider does with a request. */
type Deed = (response: ServerResponse) => void

const answers =
  (status: number, headers: Readonly<Record<string, string>> = {}): Deed =>
  (response) =>
    response.writeHead(status, headers).end(status === 200 ? '{"result":"there"}' : 'an error')

const there = answers(200)
const soon = { 'retry-after': '0.01' }

const breaksOff: Deed = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"result":')
  setImmediate(() => response.destroy())
}

const hangsUp: Deed = (response) => response.destroy()

let deeds: Deed[] = []
let asked = 0
const server = createServer((_request, response) => {
  asked += 1
  const deed = deeds.length > 1 ? deeds.shift() : deeds[0]
  deed?.(response)
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())
beforeEach(() => {
  asked = 0
})

const ask = () =>
  createProviderApi({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headers: {},
    signal: new AbortController().signal,
  }).get('/vehicles')

test.each([
  ['a limit', answers(429, soon)],
  ['an error of the server', answers(500, soon)],
  ['a server that is not there behind its gateway', answers(502, soon)],
  ['an outage', answers(503, soon)],
  ['a request that took too long', answers(408, soon)],
  ['an answer that breaks off', breaksOff],
  ['a connection that breaks off', hangsUp],
])('after %s a request is sent again, by itself', async (_, deed) => {
  deeds = [deed, there]
  expect(await ask()).toEqual({ result: 'there' })
  expect(asked).toBe(2)
})

test.each([
  [401, 'revoked'],
  [403, 'scope_missing'],
  [400, 'malformed'],
  [404, 'malformed'],
])('after %i it is not: the answer would be the same', async (status, kind) => {
  deeds = [answers(status, soon), there]
  await expect(ask()).rejects.toMatchObject({ kind })
  expect(asked).toBe(1)
})

test.each([
  [429, 'limited'],
  [503, 'unavailable'],
])('after %i again and again it is given up', async (status, kind) => {
  deeds = [answers(status, soon)]
  await expect(ask()).rejects.toMatchObject({ kind })
  expect(asked).toBe(5)
})

test.each(['16', 'Fri, 31 Dec 2999 23:59:59 GMT'])(
  'a pause until %s is left to who asks',
  async (retryAfter) => {
    deeds = [answers(429, { 'retry-after': retryAfter }), there]
    await expect(ask()).rejects.toMatchObject({ kind: 'limited' })
    expect(asked).toBe(1)
  },
)

test('a pause of a part of a second is kept', async () => {
  deeds = [answers(429, { 'retry-after': '0.4' }), there]
  const before = performance.now()
  await ask()
  expect(performance.now() - before).toBeGreaterThan(395)
})
