import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keyHolder } from '../../../src/auth/caller.ts'
import { sessionTokens } from '../../../src/auth/session-tokens.ts'
import { systemClock } from '../../../src/domain/time.ts'
import { RateLimitStore } from '../../../src/gateway/rate-limit/rate-limit-store.ts'
import { RequestRateLimiter } from '../../../src/gateway/rate-limit/request-rate-limiter.ts'
import { createKey, type KeyInput } from '../../../src/subgraphs/connections/applications/keys/create-key.ts'
import { rotateKey } from '../../../src/subgraphs/connections/applications/keys/rotate-key.ts'
import { updateApplication } from '../../../src/subgraphs/connections/applications/update-application.ts'
import { masterEncryption } from '../../support/factories.ts'
import { FederationHarness, type GatewayClient } from '../../support/federation/federation-harness.ts'
import { seedKey } from '../../support/rows/key-rows.ts'
import { seedSessions } from '../../support/rows/session-rows.ts'

const SERVICE_LIMITS = { application: 3_000_000, key: 2_000_000, connection: 3_000_000 }

let federation: FederationHarness
let gateway: GatewayClient

beforeAll(async () => {
  federation = await FederationHarness.start([])
})
beforeEach(async () => {
  const rateLimiter = new RequestRateLimiter(new RateLimitStore(null, () => 0), SERVICE_LIMITS)
  gateway = await federation.startGateway({ rateLimiter })
})
afterAll(() => federation[Symbol.asyncDispose]())

const deps = () => ({ db: federation.db, clock: systemClock, notifier: { notify: () => undefined } })
const operator = () => keyHolder(federation.fleets.a.id)

const policyOf = async (bearer: string) => {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ vehicles(first: 1) { nodes { id } } }' }),
  })
  await response.text()
  return { status: response.status, policy: response.headers.get('ratelimit-policy') }
}

describe('a key with its own rate', () => {
  test('is limited to it', async () => {
    const { value } = await createKey(deps(), operator(), { pointsPerMinute: 200 })
    const accepted = { status: 200, policy: '"key";q=200;w=60' }
    const refused = { status: 429, policy: '"key";q=200;w=60' }
    expect([await policyOf(value), await policyOf(value), await policyOf(value)]).toEqual([
      accepted,
      accepted,
      refused,
    ])
  })

  test('may exceed the limit of a key, but not that of the application', async () => {
    const { value } = await createKey(deps(), operator(), { pointsPerMinute: 1_000_000_000 })
    expect(await policyOf(value)).toEqual({ status: 200, policy: '"application";q=3000000;w=60' })
  })

  test('passes it on to the key that replaces it', async () => {
    const { key } = await createKey(deps(), operator(), { pointsPerMinute: 300 })
    const { value } = await rotateKey(deps(), operator(), { keyId: key.id })
    expect((await policyOf(value)).policy).toBe('"key";q=300;w=60')
  })

  test('limits each of its sessions', async () => {
    const { key } = await createKey(deps(), operator(), { pointsPerMinute: 400 })
    const [session] = await seedSessions(federation.db, federation.fleets.a.id, 1, { keyId: key.id })
    const token = await sessionTokens(masterEncryption, systemClock).issue(
      { sessionId: session!.id, applicationId: session!.applicationId },
      systemClock.now(),
      session!.expiresAt,
    )
    expect((await policyOf(token)).policy).toBe('"session";q=400;w=60')
  })
})

test('a key without a rate has the limit of the service', async () => {
  const { value } = await createKey(deps(), operator(), {})
  expect((await policyOf(value)).policy).toBe('"key";q=2000000;w=60')
})

test('an application with its own rate is limited to it, with all its keys; another application is not', async () => {
  const { a, b } = federation.fleets
  await updateApplication(deps(), operator(), { pointsPerMinute: 500 })
  try {
    const [one, two, other] = await Promise.all(
      [a.id, a.id, b.id].map(async (id) => (await seedKey(federation.db, id)).value),
    )
    for (let request = 0; request < 5; request++)
      expect((await policyOf(request % 2 ? one! : two!)).status).toBe(200)
    expect(await policyOf(one!)).toEqual({ status: 429, policy: '"application";q=500;w=60' })
    expect(await policyOf(two!)).toEqual({ status: 429, policy: '"application";q=500;w=60' })
    expect((await policyOf(other!)).status).toBe(200)
  } finally {
    await updateApplication(deps(), operator(), { pointsPerMinute: null })
  }
})

test.each<[string, KeyInput, string]>([
  ['a rate below one request', { pointsPerMinute: 99 }, '`pointsPerMinute` must be from 100 to 1000000000.'],
  [
    'a rate of a publishable key',
    { use: 'publishable', pointsPerMinute: 100 },
    'A publishable key uses no points: it only links accounts.',
  ],
])('%s is refused', async (_name, input, message) => {
  await expect(createKey(deps(), operator(), input)).rejects.toThrow(message)
})
