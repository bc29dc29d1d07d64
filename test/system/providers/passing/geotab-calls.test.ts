import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ProviderAdapter } from '../../../../src/providers/provider.ts'
import { ConnectionsHarness, type Linked } from '../../../support/harnesses/connections-harness.ts'
import { DAY, dialects, NOON } from '../../../support/factories.ts'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'
import {
  type RequestRecorder,
  startRequestRecorder,
} from '../../../support/providers/passthrough/request-recorder.ts'
import { subjects } from '../../../support/providers/passthrough/passthrough-subjects.ts'

const geotab = subjects.find(({ provider }) => provider === 'geotab')!

interface Call {
  readonly method: string
  readonly params: {
    readonly credentials: Readonly<Record<string, string>>
    readonly calls?: readonly Call[]
  }
}

describe.each(dialects)('a passthrough call to Geotab, on %s', (dialect) => {
  let fake: RunningFake
  let door: RequestRecorder
  let harness: ConnectionsHarness
  let linked: Linked

  beforeAll(async () => {
    fake = await startFake('geotab', { now: new Date(NOON).toISOString(), vehicles: 2, days: 1 })
    door = await startRequestRecorder(fake.url)
    harness = await ConnectionsHarness.start(dialect)
    const own = geotab.adapter(door.url, harness.tools.clock)
    const adapter: ProviderAdapter = { ...own, manifest: { ...own.manifest, code: 'sandbox' } }
    harness.adapt = () => adapter
    linked = await harness.link(undefined, { provider: adapter, credentials: geotab.credentials(door.url) })
  })
  afterAll(async () => {
    await harness[Symbol.asyncDispose]()
    await door[Symbol.asyncDispose]()
    await fake[Symbol.asyncDispose]()
  })
  beforeEach(() => void (door.heard.length = 0))

  const pass = (body: unknown, more: object = {}) =>
    harness.mutate(
      linked.client,
      'passthrough',
      {
        method: 'POST',
        path: '/apiv1',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...more,
      },
      'response { statusCode response }',
    )
  const device = { typeName: 'Device', resultsLimit: 1 }
  const theirs = { database: 'fleet_2', userName: 'somebody@else.example', sessionId: 'stolen' }

  test('uses the connection’s own credentials, whatever the caller sends', async () => {
    const { payload } = await pass({ method: 'Get', params: { ...device, credentials: theirs } })
    expect(payload.response.response.result).toHaveLength(1)
    const calls = [{ method: 'Get', params: { ...device, credentials: theirs } }]
    const many = await pass({ method: 'ExecuteMultiCall', params: { calls, credentials: theirs } })
    expect(many.payload.response.response.result).toHaveLength(1)
    expect(door.heard).toHaveLength(2)
    for (const { body } of door.heard) {
      expect(body).not.toMatch(/stolen|fleet_2|somebody/)
      const { params } = JSON.parse(body) as Call
      expect(params.credentials).toMatchObject({ database: 'fleet_1', userName: 'reader@fleet.example' })
    }
  })

  test.each<[string, unknown, object]>([
    ['signs a user in', { method: 'Authenticate', params: theirs }, {}],
    ['does so in other letters', { method: ' authenticate', params: theirs }, {}],
    [
      'does so as one of many',
      { method: 'ExecuteMultiCall', params: { calls: [{ method: 'Authenticate', params: theirs }] } },
      {},
    ],
    [
      'sets a password',
      { method: 'Set', params: { typeName: 'User', entity: { id: 'b1', password: 'another' } } },
      {},
    ],
    ['is no JSON', 'JSON-RPC={"method":"Get"}', {}],
    ['is a list', [{ method: 'Get', params: device }], {}],
    ['has no method', { params: device }, {}],
    ['has another path', { method: 'Get', params: device }, { path: '/apiv1/Get' }],
    ['has a query', { method: 'Get', params: device }, { path: '/apiv1?method=Authenticate' }],
    ['is put', { method: 'Get', params: device }, { method: 'PUT' }],
    ['is a GET', '', { method: 'GET', path: '/apiv1?method=Get&typeName=Device', body: null }],
  ])('is refused if it %s', async (_what, body, more) => {
    expect(await pass(body, more)).toMatchObject({ payload: null, code: 'UNPROCESSABLE_ENTITY' })
    expect(door.heard).toEqual([])
  })

  test('is repeated once if the session has expired', async () => {
    // A session lasts fourteen days. The clock of the service stands, so it does not expect the end.
    await fake.move({ advanceMilliseconds: 15 * DAY })
    const { payload } = await pass({ method: 'Get', params: device })
    expect(payload.response.response.result).toHaveLength(1)
    const methods = door.heard.map(({ body }) => (JSON.parse(body) as Call).method)
    expect(methods).toEqual(['Get', 'Authenticate', 'Get'])
    door.heard.length = 0
    await pass({ method: 'Get', params: device })
    expect(door.heard).toHaveLength(1)
  })
})
