import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../rest-compat/routes.ts'
import { systemClock } from '../../../src/domain/time.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { Issue } from '../../../src/subgraphs/connections/issues/issue.ts'
import {
  ANSWER_MS,
  createIdempotencyStore,
  KEY_LEASE_MS,
  MAX_ANSWER_LENGTH,
} from '../../../src/subgraphs/connections/requests/idempotency-store.ts'
import { issuePublicToken } from '../../../src/subgraphs/connections/tokens/issue-public-token.ts'
import { removeExpiredRows } from '../../../src/sync/retention/remove-expired-rows.ts'
import { AuditHarness } from '../../support/audit/audit-harness.ts'
import type { Linked } from '../../support/harnesses/connections-harness.ts'
import { dialects, unknownId, vehicleRow, type ApiClient } from '../../support/factories.ts'
import {
  answerOf,
  IdempotencyHarness,
  isReplay,
  type Reply,
  send,
} from '../../support/harnesses/idempotency-harness.ts'
import { Vehicle } from '../../../src/subgraphs/fleet/vehicle.ts'
import { createPurchaseCapture, createPurchaseCheck } from '../../../rest-compat/routes/purchase-checks.ts'
import { purchaseCheckRow } from '../../support/rows/purchase-rows.ts'
import { issueRow } from '../../support/rows/record-rows.ts'
import { PurchaseCheck } from '../../../src/subgraphs/purchases/purchase-check.ts'
import { exampleOf, nameOf } from '../../support/rest/route-examples.ts'

const RECEIVER = 'https://receiver.example.com/hook'

/** Rows that a request changes, and how it names them. */
interface Subject {
  readonly path?: Readonly<Record<string, string>>
  readonly body?: object
}

interface Stage {
  readonly harness: IdempotencyHarness
  readonly linked: Linked
  post(path: string, client: ApiClient, body?: object): Promise<Reply>
}

const onEndpoint = async ({ post, linked }: Stage): Promise<Subject> => ({
  path: { id: (await post('/webhook-endpoints', linked.owner, { url: RECEIVER })).body.id },
})

const onSync = async ({ post, linked }: Stage): Promise<Subject> => ({
  path: { id: (await post('/syncs', linked.client, {})).body.id },
})

/** Seeds of the routes whose example does not suffice. */
const subjects: Readonly<Record<string, (stage: Stage) => Promise<Subject>>> = {
  PublicTokenExchange: async ({ harness, linked }) => ({
    body: {
      publicToken: await issuePublicToken(harness.db, linked, harness.connections.tools.clock.now()),
    },
  }),
  CreatePurchaseCheck: async ({ harness, linked }) => {
    const vehicle = vehicleRow({ applicationId: linked.applicationId, connectionId: linked.id })
    await harness.db.transaction((tx) => tx.insert(tableOf(Vehicle), [vehicle]))
    const { body } = exampleOf(createPurchaseCheck)
    return { body: { ...body, idempotencyKey: randomUUID(), vehicleId: vehicle.id } }
  },
  CreatePurchaseCapture: async ({ harness, linked }) => {
    const owner = { applicationId: linked.applicationId, connectionId: linked.id }
    const vehicle = vehicleRow(owner)
    const check = purchaseCheckRow(owner, { vehicleId: vehicle.id })
    await harness.db.transaction(async (tx) => {
      await tx.insert(tableOf(Vehicle), [vehicle])
      await tx.insert(tableOf(PurchaseCheck), [check])
    })
    const { body } = exampleOf(createPurchaseCapture)
    return { body: { ...body, idempotencyKey: randomUUID(), checkId: check.id } }
  },
  SetVehicleFacts: async ({ harness, linked }) => {
    const vehicle = vehicleRow({ applicationId: linked.applicationId, connectionId: linked.id })
    await harness.db.transaction((tx) => tx.insert(tableOf(Vehicle), [vehicle]))
    return { path: { id: vehicle.id }, body: { fuelTankCount: 2 } }
  },
  CreateConnection: async ({ linked }) => ({
    body: { provider: 'sandbox', credentials: { apiKey: `${linked.apiKey}9` } },
  }),
  UpdateCurrentConnection: async () => ({ body: { tags: [randomUUID()] } }),
  Passthrough: async () => ({ body: { method: 'POST', path: '/echo', body: 'ours' } }),
  PassthroughRaw: async () => ({ body: { method: 'POST', path: '/echo', body: 'ours' } }),
  RetrySync: async (stage) => {
    const subject = await onSync(stage)
    await stage.post(`/syncs/${subject.path?.['id']}/cancel`, stage.linked.client)
    return subject
  },
  CancelSync: onSync,
  ResolveIssue: async ({ harness, linked: { applicationId, id: connectionId } }) => {
    const row = issueRow({ applicationId, connectionId })
    await harness.db.transaction((tx) => tx.insert(tableOf(Issue), [row]))
    return { path: { id: row.id } }
  },
  DeleteShortLink: async ({ post, linked }) => ({
    path: { id: (await post('/link/short', linked.owner, {})).body.id },
  }),
  UpdateWebhookEndpoint: async (stage) => ({ ...(await onEndpoint(stage)), body: { description: 'Ours' } }),
  DeleteWebhookEndpoint: onEndpoint,
  RotateWebhookSecret: onEndpoint,
  TestWebhookEndpoint: onEndpoint,
  DisableWebhookEndpoint: onEndpoint,
  EnableWebhookEndpoint: async (stage) => {
    const subject = await onEndpoint(stage)
    await stage.post(`/webhook-endpoints/${subject.path?.['id']}/disable`, stage.linked.owner)
    return subject
  },
  RecoverWebhookEndpoint: async (stage) => {
    await (await AuditHarness.set(stage.harness.connections, stage.linked)).event()
    return onEndpoint(stage)
  },
  ReplayWebhookDelivery: async (stage) => {
    const { path } = await onEndpoint(stage)
    const sent = await stage.post(`/webhook-endpoints/${path?.['id']}/test`, stage.linked.owner, {
      type: 'vehicle.added',
    })
    const deliveryId: string = sent.body.id
    await stage.harness.connections.set('webhook_deliveries', deliveryId, { status: 'failed' })
    return { path: { ...path, deliveryId } }
  },
}

const writes = routes.filter(({ method }) => method !== 'GET')

describe.each(dialects)('an Idempotency-Key on %s', (dialect) => {
  let harness: IdempotencyHarness
  let url: string
  let otherUrl: string

  beforeAll(async () => {
    harness = await IdempotencyHarness.start(dialect)
    url = await harness.startGateway()
    otherUrl = await harness.startGateway()
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const rest = (path: string, gateway = url) => `${gateway}/tsp/v1${path}`
  const post = (path: string, client: ApiClient, body: object = {}, key?: string, gateway = url) =>
    send(rest(path, gateway), client, { body, key })
  const create = (client: ApiClient, key?: string, body: object = { url: RECEIVER }) =>
    post('/webhook-endpoints', client, body, key)
  const count = async (table: string, { applicationId }: Pick<ApiClient, 'applicationId'>) =>
    (await harness.db.rows(`SELECT 1 FROM \`${table}\` WHERE \`applicationId\` = ?`, [applicationId])).length
  const newOwner = async () => (await harness.connections.application()).owner

  test.each(writes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s is done once, and another gateway answers the same again',
    async (_name, route) => {
      const linked = await harness.connections.link()
      const stage: Stage = { harness, linked, post }
      const { path = {}, body = exampleOf(route).body } =
        (await subjects[nameOf(route)]?.(stage)) ?? ({} as Subject)
      const sent = {
        method: route.method,
        key: randomUUID(),
        body: route.requestBody ? { ...exampleOf(route).body, ...body } : undefined,
      }
      const filled = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(path[name]))
      const client = route.auth === 'key' ? linked.owner : linked.client

      const before = await harness.state()
      const first = await send(rest(filled), client, sent)
      expect([first.text, first.status]).toEqual([first.text, route.status ?? 200])
      expect(isReplay(first)).toBe(false)
      const after = await harness.state()
      expect(after).not.toEqual(before)
      const jobs = [...harness.connections.added]

      harness.connections.moveClock(1000)
      for (const gateway of [url, otherUrl]) {
        const again = await send(rest(filled, gateway), client, sent)
        expect([isReplay(again), answerOf(again)]).toEqual([true, answerOf(first)])
      }
      expect(await harness.state()).toEqual(after)
      expect(harness.connections.added).toEqual(jobs)
    },
  )

  test('has one effect for 50 parallel requests at two gateways', async () => {
    const owner = await newOwner()
    const key = randomUUID()
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        post('/webhook-endpoints', owner, { url: RECEIVER }, key, at % 2 ? url : otherUrl),
      ),
    )
    expect(await count('webhook_endpoints', owner)).toBe(1)
    const created = replies.filter(({ status }) => status === 201)
    expect(created.filter((reply) => !isReplay(reply))).toHaveLength(1)
    expect(new Set(created.map(({ text }) => text)).size).toBe(1)
    for (const { status, headers, body } of replies.filter((reply) => reply.status !== 201))
      expect([status, body.code, headers.get('retry-after')]).toEqual([409, 'idempotency_key_in_use', '1'])
  })

  test('is refused for another body, path, connection or kind of key, and nothing changes', async () => {
    const { owner } = await harness.connections.link()
    const one = await harness.connections.link({ id: owner.applicationId, owner })
    const other = await harness.connections.link({ id: owner.applicationId, owner })
    const key = randomUUID()
    expect((await create(owner, key)).status).toBe(201)
    const ofConnection = randomUUID()
    expect((await post('/syncs', one.client, {}, ofConnection)).status).toBe(201)
    const before = await harness.state()
    const replies = [
      await create(owner, key, { url: `${RECEIVER}/2` }),
      await post('/link/short', owner, {}, key),
      await post('/syncs', other.client, {}, ofConnection),
    ]
    for (const { status, body } of replies)
      expect([status, body.code]).toEqual([422, 'idempotency_key_reused'])
    await harness.connections.set('api_keys', await keyIdOf(owner), { scopes: '["webhooks:write"]' })
    const limitedUrl = await harness.startGateway()
    const limited = await post('/webhook-endpoints', owner, { url: RECEIVER }, key, limitedUrl)
    expect([limited.status, limited.body.code]).toEqual([422, 'idempotency_key_reused'])
    await harness.connections.set('api_keys', await keyIdOf(owner), { scopes: null })
    expect(await harness.state()).toEqual(before)
  })

  const keyIdOf = async ({ applicationId }: ApiClient) => {
    const [row] = await harness.db.rows<{ id: string }>(
      "SELECT `id` FROM `api_keys` WHERE `applicationId` = ? AND `use` = 'secret'",
      [applicationId],
    )
    return row!.id
  }

  test('does not depend on the order of the members of the body', async () => {
    const owner = await newOwner()
    const key = randomUUID()
    const first = await create(owner, key, { url: RECEIVER, description: 'Ours' })
    const again = await create(owner, key, { description: 'Ours', url: RECEIVER })
    expect([isReplay(again), again.text]).toEqual([true, first.text])
  })

  test('of one application does not meet that of another', async () => {
    const [one, other] = [await newOwner(), await newOwner()]
    const key = randomUUID()
    const [first, second] = [await create(one, key), await create(other, key)]
    expect([first.status, second.status, isReplay(second)]).toEqual([201, 201, false])
    expect(second.body.id).not.toBe(first.body.id)
  })

  test('is ignored by reads, even if it is malformed', async () => {
    const owner = await newOwner()
    const read = (key: string) => send(rest('/webhook-endpoints'), owner, { method: 'GET', key })
    const key = randomUUID()
    const first = await read(key)
    await create(owner)
    const second = await read(key)
    expect([first.body.results.length, second.body.results.length, isReplay(second)]).toEqual([0, 1, false])
    expect((await read('')).status).toBe(200)
    expect(await count('idempotency_keys', owner)).toBe(0)
  })

  test.each([
    ['empty', ''],
    ['longer than 255 characters', 'k'.repeat(256)],
    ['of 10 kB', 'k'.repeat(10_000)],
    ['not ASCII', 'clé'],
    ['a control character', 'a\tb'],
  ])('that is %s is refused, and nothing changes', async (_name, key) => {
    const owner = await newOwner()
    const { status, body } = await create(owner, key)
    expect([status, body.code]).toEqual([400, 'bad_request'])
    expect(await count('webhook_endpoints', owner)).toBe(0)
  })

  test('of 255 characters is accepted', async () => {
    expect((await create(await newOwner(), 'k'.repeat(255))).status).toBe(201)
  })

  test('stays free after a request that is refused or fails', async () => {
    const { owner, client } = await harness.connections.link()
    const key = randomUUID()
    const refused = [
      await create({ ...owner, secretKey: owner.secretKey.replace(/.{4}$/, '0000') }, key),
      await create(owner, key, { url: 'nowhere' }),
      await create(owner, key, { url: RECEIVER, unknown: 1 }),
      await post('/syncs', client, { startFrom: '2100-01-01' }, key),
    ]
    expect(refused.map(({ status }) => status)).toEqual([401, 400, 400, 400])
    harness.connections.adapt = () => {
      throw new Error('the adapter is broken')
    }
    const broken = await post('/passthrough', client, { method: 'GET', path: '/account' }, key)
    harness.connections.adapt = (adapter) => adapter
    expect([broken.status, await count('idempotency_keys', owner)]).toEqual([500, 0])
    const retried = await post('/passthrough', client, { method: 'GET', path: '/account' }, key)
    expect([retried.status, isReplay(retried)]).toEqual([200, false])
  })

  test('repeats an error by the state of a record', async () => {
    const { client } = await harness.connections.link()
    const running = await post('/syncs', client)
    const key = randomUUID()
    const first = await post('/syncs', client, {}, key)
    expect([first.status, first.body.code]).toEqual([409, 'conflict'])
    await post(`/syncs/${running.body.id}/cancel`, client)
    const again = await post('/syncs', client, {}, key)
    expect([isReplay(again), answerOf(again)]).toEqual([true, answerOf(first)])
    const unknown = randomUUID()
    const cancel = () => post(`/syncs/${unknownId('sync')}/cancel`, client, {}, unknown)
    expect([(await cancel()).status, isReplay(await cancel())]).toEqual([404, true])
  })

  test('runs again after a day, and its row is removed', async () => {
    const owner = await newOwner()
    const key = randomUUID()
    const first = await create(owner, key)
    harness.connections.moveClock(ANSWER_MS - 1)
    expect(isReplay(await create(owner, key))).toBe(true)
    harness.connections.moveClock(1)
    const later = await create(owner, key)
    expect([later.status, isReplay(later), later.body.id === first.body.id]).toEqual([201, false, false])
    expect(isReplay(await create(owner, key))).toBe(true)
    const { signal } = new AbortController()
    await removeExpiredRows(harness.connections.tools, signal)
    expect(await count('idempotency_keys', owner)).toBe(1)
    harness.connections.moveClock(ANSWER_MS + 1)
    await removeExpiredRows(harness.connections.tools, signal)
    expect(await count('idempotency_keys', owner)).toBe(0)
  })

  test('is in use while its request runs, and free again at the end of its lease', async () => {
    const linked = await harness.connections.link()
    const gates: (() => void)[] = []
    const reached: (() => void)[] = []
    const begun = Array.from({ length: 2 }, () => new Promise<void>((resolve) => reached.push(resolve)))
    const credentials = { apiKey: `${linked.apiKey}7` }
    harness.connections.adapt = (adapter) => ({
      ...adapter,
      async identify(...args) {
        const at = gates.length
        const gate = new Promise<void>((resolve) => gates.push(resolve))
        reached[at]?.()
        await gate
        return adapter.identify(...args)
      },
    })
    const key = randomUUID()
    const link = () => post('/connections', linked.owner, { provider: 'sandbox', credentials }, key)
    const dead = link()
    await begun[0]
    const busy = await link()
    expect([busy.status, busy.body.code, busy.body.retryAfter]).toEqual([409, 'idempotency_key_in_use', 1])
    expect(busy.headers.get('retry-after')).toBe('1')
    harness.connections.moveClock(KEY_LEASE_MS)
    const second = link()
    await begun[1]
    gates[1]?.()
    const answer = await second
    expect([answer.status, isReplay(answer)]).toEqual([201, false])
    // The first run ends after its lease: it must not overwrite the answer of the second.
    gates[0]?.()
    await dead
    harness.connections.adapt = (adapter) => adapter
    const replayed = await link()
    expect([isReplay(replayed), replayed.text]).toEqual([true, answer.text])
  })

  test('stays in use beyond its lease while its request runs', async () => {
    const { applicationId } = await newOwner()
    const request = { applicationId, connectionId: null, key: randomUUID(), content: 'one' }
    const store = createIdempotencyStore({ ...harness.connections.tools, clock: systemClock, leaseMs: 300 })
    const begun = await store.begin(request)
    if (begun.state !== 'claimed') throw new Error(begun.state)
    const leaseEnd = async () => {
      const [row] = await harness.db.rows<{ expiresAt: number }>(
        'SELECT `expiresAt` FROM `idempotency_keys` WHERE `applicationId` = ?',
        [applicationId],
      )
      return Number(row?.expiresAt)
    }
    const first = await leaseEnd()
    await expect.poll(leaseEnd).toBeGreaterThan(first)
    await begun.claim.keep('answer')
    expect(await store.begin(request)).toEqual({ state: 'answered', answer: 'answer' })
  })

  test('does not store the secrets of the request and of the answer in clear', async () => {
    const owner = await newOwner()
    const key = randomUUID()
    const { body } = await create(owner, key)
    const apiKey = 'sandbox-3-98'
    const credentials = { apiKey }
    const linked = await post('/connections', owner, { provider: 'sandbox', credentials }, randomUUID())
    expect([body.secret, linked.body.token]).toEqual([
      expect.stringMatching(/^whsec_/),
      expect.stringMatching(/^con_tkn_/),
    ])
    const rows = JSON.stringify(
      await harness.db.rows('SELECT * FROM `idempotency_keys` WHERE `applicationId` = ?', [
        owner.applicationId,
      ]),
    )
    expect(rows).toContain(owner.applicationId)
    for (const secret of [body.secret, body.secret.slice(6), linked.body.token, apiKey])
      expect(rows).not.toContain(secret)
    expect((await create(owner, key)).body.secret).toBe(body.secret)
  })

  test('reports an answer that is too large to keep, and runs the request once', async () => {
    const linked = await harness.connections.link()
    const key = randomUUID()
    const body = { method: 'POST', path: '/echo', body: '"'.repeat(MAX_ANSWER_LENGTH / 2 + 1) }
    const echo = () => post('/passthrough', linked.client, body, key)
    const first = await echo()
    expect(first.status).toBe(200)
    expect(first.text.length).toBeGreaterThan(MAX_ANSWER_LENGTH)
    const again = await echo()
    expect([again.status, again.body.code, isReplay(again)]).toEqual([409, 'conflict', false])
    expect((await harness.connections.requests(linked))['/echo']).toBe(1)
  })

  test('costs three statements, and none without a key', async () => {
    const owner = await newOwner()
    const statementsOf = async (key?: string) => {
      const seen: string[] = []
      const leave = harness.db.onStatement((sql) => void seen.push(sql))
      await create(owner, key)
      leave()
      return seen
    }
    await statementsOf()
    const plain = await statementsOf()
    expect(plain.filter((sql) => sql.includes('idempotency_keys'))).toEqual([])
    const key = randomUUID()
    const keyed = await statementsOf(key)
    expect(keyed.length - plain.length).toBe(3)
    expect(await statementsOf(key)).toHaveLength(2)
  })
})
