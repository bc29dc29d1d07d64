import WebSocket from 'ws'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FailedAttempts } from '../../../src/auth/failed-attempts.ts'
import { NO_PROXIES, remoteAddressOf } from '../../../src/platform/remote-address.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { ApiKey } from '../../../src/subgraphs/connections/applications/application.ts'
import type { ApiClient } from '../../support/factories.ts'
import { FederationHarness, type GatewayClient } from '../../support/federation/federation-harness.ts'
import { headersOf } from '../../support/rest/rest-harness.ts'
import { clientOf, seedKey } from '../../support/rows/key-rows.ts'

let federation: FederationHarness
let gateway: GatewayClient
const clock = { ms: 0 }

beforeAll(async () => {
  federation = await FederationHarness.start([])
})
beforeEach(async () => {
  gateway = await federation.startGateway({ failedAttempts: new FailedAttempts(60, () => clock.ms) })
})
afterAll(() => federation[Symbol.asyncDispose]())

let wrongKeys = 0
const wrongKey = () => ({ authorization: `Bearer sk_sandbox_${String(wrongKeys++).padStart(32, 'x')}` })

type Send = (headers: Record<string, string>) => Promise<Response>

const rest: Send = (headers) => fetch(`${gateway.url}/tsp/v1/vehicles?limit=1`, { headers })
const graphql: Send = (headers) =>
  fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ vehicles(first: 1) { nodes { id } } }' }),
  })

const sentHeaders = (client: ApiClient) => headersOf(client) as Record<string, string>

/** Counts the statements of a request. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const stop = federation.db.onStatement(() => void (count += 1))
  await work()
  stop()
  return count
}

async function useUp(send: Send, attempts: number): Promise<void> {
  for (let time = 0; time < attempts; time++) expect((await send(wrongKey())).status).toBe(401)
}

describe.each([
  ['REST', rest],
  ['GraphQL', graphql],
])('over %s', (_name, send) => {
  test('the 61st wrong key in a minute gets 429, and the database is not asked', async () => {
    // The second path of GraphQL serves documents that were accepted before.
    expect((await graphql(sentHeaders(federation.fleet.narrowed(0)))).status).toBe(200)
    await useUp(send, 60)
    const statements = await statementsOf(async () => {
      const refused = await send(wrongKey())
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
      expect(await refused.text()).toMatch(/too_many_requests|TOO_MANY_REQUESTS/)
    })
    expect(statements).toBe(0)
    clock.ms += 1000
    expect((await send(wrongKey())).status).toBe(401)
    expect((await send(wrongKey())).status).toBe(429)
  })

  test('a valid key from the same address still works, also after its caller left the cache', async () => {
    const client = federation.fleet.narrowed(0)
    expect((await send(sentHeaders(client))).status).toBe(200)
    await useUp(send, 60)
    expect((await send(wrongKey())).status).toBe(429)
    expect((await send(sentHeaders(client))).status).toBe(200)
    // The cache holds a caller for three seconds.
    await new Promise((resolve) => setTimeout(resolve, 3100))
    expect((await send(sentHeaders(client))).status).toBe(200)
    expect((await send(wrongKey())).status).toBe(429)
  })
})

test('a valid key that this gateway has not seen is accepted after Retry-After', async () => {
  await useUp(rest, 60)
  const { fleet } = federation
  const client = {
    ...fleet.narrowed(0),
    secretKey: clientOf(fleet, await seedKey(federation.db, fleet.id)).secretKey,
  }
  const refused = await rest(sentHeaders(client))
  expect(refused.status).toBe(429)
  clock.ms += Number(refused.headers.get('retry-after')) * 1000
  expect((await rest(sentHeaders(client))).status).toBe(200)
})

test('a key that was valid before counts like any other after it is revoked', async () => {
  const { fleet, db } = federation
  const made = await seedKey(db, fleet.id)
  const headers = sentHeaders({ ...fleet.narrowed(0), secretKey: made.value })
  expect((await rest(headers)).status).toBe(200)
  await useUp(rest, 60)
  await db.transaction((tx) => tx.run(`DELETE FROM ${tableOf(ApiKey).name} WHERE id = ?`, [made.key.id]))
  // The cache holds a caller for three seconds.
  await new Promise((resolve) => setTimeout(resolve, 3100))
  expect((await rest(headers)).status).toBe(401)
  expect((await rest(headers)).status).toBe(429)
})

test('requests without credentials do not count', async () => {
  for (let time = 0; time < 70; time++) expect((await rest({})).status).toBe(401)
  expect((await rest(wrongKey())).status).toBe(401)
})

test('a websocket above the limit is closed with 4429', async () => {
  await useUp(rest, 60)
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  socket.once('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: wrongKey() })))
  const [code, reason] = await new Promise<[number, string]>((resolve) =>
    socket.once('close', (closeCode, text) => resolve([closeCode, String(text)])),
  )
  expect([code, reason]).toEqual([
    4429,
    'There were too many requests with wrong credentials from this address.',
  ])
})

test('addresses count separately, and all addresses of an IPv6 prefix count together', () => {
  const attempts = new FailedAttempts(1, () => 0)
  attempts.add('192.0.2.1')
  attempts.add('2001:db8::1')
  expect(() => attempts.check('192.0.2.1')).toThrow('too many requests')
  expect(() => attempts.check('192.0.2.2')).not.toThrow()
  expect(() => attempts.check('2001:db8::2')).toThrow('too many requests')
  expect(() => attempts.check('2001:db8:0:1::1')).not.toThrow()
})

test('X-Forwarded-For names the address only behind trusted proxies', () => {
  const request = {
    headers: { 'x-forwarded-for': '203.0.113.9, 192.0.2.1, 10.0.0.2' },
    socket: { remoteAddress: '10.0.0.1' },
  } as unknown as Parameters<typeof remoteAddressOf>[0]
  const isProxy = (address: string) => address.startsWith('10.')
  expect(remoteAddressOf(request, NO_PROXIES)).toBe('10.0.0.1')
  expect(remoteAddressOf(request, { isProxy: null, hasOneProxy: true })).toBe('10.0.0.2')
  expect(remoteAddressOf(request, { isProxy, hasOneProxy: false })).toBe('192.0.2.1')
})
