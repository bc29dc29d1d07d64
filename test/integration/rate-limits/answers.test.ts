import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { RequestRateLimiter, type RateLimits } from '../../../src/gateway/rate-limit/request-rate-limiter.ts'
import { RateLimitStore } from '../../../src/gateway/rate-limit/rate-limit-store.ts'
import { sessionTokens } from '../../../src/auth/session-tokens.ts'
import { systemClock } from '../../../src/domain/time.ts'
import { masterEncryption, type ApiClient } from '../../support/factories.ts'
import { FederationHarness, type GatewayClient } from '../../support/federation/federation-harness.ts'
import { transports } from '../../support/graph/graphql-transports.ts'
import { headersOf } from '../../support/rest/rest-harness.ts'
import { clientOf, seedKey } from '../../support/rows/key-rows.ts'
import { seedSessions } from '../../support/rows/session-rows.ts'

/** Ten requests of the least number of points. */
const TEN = 1000
const AMPLE = 1_000_000_000
const QUERY = '{ vehicles(first: 1) { nodes { id } } }'
const EVENTS = 'subscription { events { id } }'

let federation: FederationHarness
/** Clock of the buckets. */
const clock = { ms: 0 }

beforeAll(async () => {
  federation = await FederationHarness.start([])
})
beforeEach(() => void (clock.ms = 0))
afterAll(() => federation[Symbol.asyncDispose]())

const startGateway = (limits: Partial<RateLimits>): Promise<GatewayClient> => {
  const store = new RateLimitStore(null, () => clock.ms)
  const rateLimiter = new RequestRateLimiter(store, {
    application: AMPLE,
    key: AMPLE,
    connection: AMPLE,
    ...limits,
  })
  return federation.startGateway({ rateLimiter })
}

const sentHeaders = (client: ApiClient) => headersOf(client) as Record<string, string>

const rest = (gateway: GatewayClient, client: ApiClient, path = '/vehicles?limit=1') =>
  fetch(`${gateway.url}/tsp/v1${path}`, { headers: sentHeaders(client) })

const post = (gateway: GatewayClient, client: ApiClient, query = QUERY, accept = 'application/json') =>
  fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { ...sentHeaders(client), 'content-type': 'application/json', accept },
    body: JSON.stringify({ query }),
  })

/** Sends requests until one gets 429. Returns how many were accepted before. */
async function acceptedBy(send: () => Promise<Response>): Promise<number> {
  for (let accepted = 0; ; accepted++) {
    const response = await send()
    await response.text()
    if (response.status === 429) return accepted
    expect(response.status).toBe(200)
  }
}

describe('an application above its rate', () => {
  const client = () => federation.fleet.narrowed(0)

  test('gets 429 over REST, and is accepted after Retry-After', async () => {
    const gateway = await startGateway({ application: TEN })
    const first = await rest(gateway, client())
    expect([first.status, first.headers.get('ratelimit-policy'), first.headers.get('ratelimit')]).toEqual([
      200,
      '"application";q=1000;w=60',
      '"application";r=900;t=6',
    ])
    expect(await acceptedBy(() => rest(gateway, client()))).toBe(9)
    const refused = await rest(gateway, client())
    expect(await refused.json()).toEqual({
      code: 'too_many_requests',
      message: 'The request rate of the application is used up. Retry after 6 seconds.',
      retryAfter: 6,
    })
    expect([
      refused.status,
      refused.headers.get('retry-after'),
      refused.headers.get('ratelimit-policy'),
      refused.headers.get('ratelimit'),
    ]).toEqual([429, '6', '"application";q=1000;w=60', '"application";r=0;t=60'])
    clock.ms += 5999
    expect((await rest(gateway, client())).status).toBe(429)
    clock.ms += 1
    expect((await rest(gateway, client())).status).toBe(200)
    expect((await rest(gateway, client())).status).toBe(429)
  })

  test.each(['application/json', 'application/graphql-response+json'])(
    'gets 429 over GraphQL as %s, and is accepted after Retry-After',
    async (accept) => {
      const gateway = await startGateway({ application: TEN })
      const send = () => post(gateway, client(), QUERY, accept)
      expect(await acceptedBy(send)).toBe(10)
      // Apollo Server answers the first request with a document, and the fast path the later ones.
      for (const query of [QUERY, `query New ${QUERY}`]) {
        const refused = await post(gateway, client(), query, accept)
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '6'])
        expect(refused.headers.get('content-type')).toContain(accept)
        expect(refused.headers.get('ratelimit')).toBe('"application";r=0;t=60')
        expect(await refused.json()).toEqual({
          errors: [
            {
              message: 'The request rate of the application is used up. Retry after 6 seconds.',
              extensions: { code: 'TOO_MANY_REQUESTS', retryAfter: 6 },
            },
          ],
        })
      }
      clock.ms += 6000
      expect((await send()).status).toBe(200)
    },
  )

  test.each(
    Object.entries(transports).flatMap(([name, { types, ask }]) =>
      types.map((type) => ({ name, type, ask })),
    ),
  )('gets an error for a $type over $name', async ({ type, ask }) => {
    const gateway = await startGateway({ application: TEN })
    expect(await acceptedBy(() => rest(gateway, client()))).toBe(10)
    const query = {
      query: QUERY,
      mutation: 'mutation { revokeSession(input: { sessionId: "ses_1" }) { session { id } } }',
      subscription: EVENTS,
    }[type]
    expect(await ask(gateway, sentHeaders(client()), { query })).toContain('TOO_MANY_REQUESTS')
  })

  test('keeps its websocket, on which later operations are accepted', async () => {
    const gateway = await startGateway({ application: TEN })
    expect(await acceptedBy(() => rest(gateway, client()))).toBe(10)
    const first = await gateway.subscribe(QUERY).next()
    expect(first.value.errors?.[0]?.extensions).toEqual({ code: 'TOO_MANY_REQUESTS', retryAfter: 6 })
    clock.ms += 6000
    const second = await gateway.subscribe(QUERY).next()
    expect(second.value.errors).toBeUndefined()
  })
})

test('a request takes its cost', async () => {
  const gateway = await startGateway({ application: 100_000 })
  const client = federation.fleet.narrowed(0)
  const remaining = async (response: Promise<Response>) => (await response).headers.get('ratelimit')
  // 1,000 vehicles of one value each cost 1,101.
  const costly = '{ vehicles(first: 1000) { nodes { id } } }'
  expect(await remaining(post(gateway, client, costly))).toBe('"application";r=98899;t=1')
  expect(await remaining(post(gateway, client, costly))).toBe('"application";r=97798;t=2')
  const listed = await rest(gateway, client, '/vehicles?limit=1000')
  expect(Number(/r=(\d+)/.exec(listed.headers.get('ratelimit') ?? '')?.[1])).toBeLessThan(97_798 - 1000)
})

test('a request that is refused for its cost takes the least number of points', async () => {
  const gateway = await startGateway({ application: TEN })
  const levels = (depth: number): string =>
    depth === 0 ? 'id' : `trips(first: 1000) { nodes { vehicle { ${levels(depth - 1)} } } }`
  const response = await post(
    gateway,
    federation.fleet.narrowed(0),
    `{ vehicles { nodes { ${levels(4)} } } }`,
  )
  expect([response.status, response.headers.get('ratelimit')]).toEqual([400, '"application";r=900;t=6'])
})

describe('a limit', () => {
  test('of one application does not change what another may send', async () => {
    const gateway = await startGateway({ application: TEN })
    const [a, b] = [federation.fleets.a.narrowed(0), federation.fleets.b.narrowed(0)]
    expect(await acceptedBy(() => rest(gateway, a))).toBe(10)
    expect(await acceptedBy(() => rest(gateway, b))).toBe(10)
  })

  test('of a key does not block another key of the application', async () => {
    const gateway = await startGateway({ key: TEN, application: 3 * TEN })
    const { fleet } = federation
    const other = clientOf(fleet, await seedKey(federation.db, fleet.id))
    const send = (client: ApiClient) => () => rest(gateway, client, '/connections?limit=1')
    const response = await rest(gateway, fleet.client, '/connections?limit=1')
    expect(response.headers.get('ratelimit-policy')).toBe('"key";q=1000;w=60')
    expect(await acceptedBy(send(fleet.client))).toBe(9)
    // A refused request takes nothing from the application.
    for (let time = 0; time < 30; time++) await acceptedBy(send(fleet.client))
    expect(await acceptedBy(send(other))).toBe(10)
  })

  test('of a session does not block another session', async () => {
    const gateway = await startGateway({ key: TEN })
    const sessions = await seedSessions(federation.db, federation.fleet.id, 2)
    const tokens = sessionTokens(masterEncryption, systemClock)
    for (const { id, createdAt, expiresAt } of sessions) {
      const claims = { sessionId: id, applicationId: federation.fleet.id }
      const secretKey = await tokens.issue(claims, createdAt, expiresAt)
      expect(await acceptedBy(() => post(gateway, { ...federation.fleet.client, secretKey }))).toBe(10)
    }
  })

  test('of a connection does not block another connection', async () => {
    const gateway = await startGateway({ connection: TEN })
    const [first, second] = [federation.fleet.narrowed(0), federation.fleet.narrowed(1)]
    expect(await acceptedBy(() => rest(gateway, first))).toBe(10)
    expect(await acceptedBy(() => rest(gateway, second))).toBe(10)
  })
})
