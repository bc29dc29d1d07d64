import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewConnectionInput } from '../../../../src/subgraphs/connections/lifecycle/new-connection.ts'
import { dialects } from '../../../support/factories.ts'
import { HOUR } from '../../../support/durations.ts'
import {
  type Application,
  ConnectionsHarness,
  type Linked,
} from '../../../support/harnesses/connections-harness.ts'
import { decryptedColumn } from '../../../support/secrets/decrypted-column.ts'

describe.each(dialects)('an account that is linked again on %s', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  async function createApplication(values: Readonly<Record<string, unknown>> = { mergesConnections: 1 }) {
    const application = await harness.application()
    await harness.set('applications', application.id, values)
    return application
  }

  /** Two API keys of the same account. */
  const KEYS = ['sandbox-3-7', 'sandbox-3-07'] as const
  const link = (
    application: Application,
    input: Partial<NewConnectionInput> = {},
    apiKey: string = KEYS[0],
  ) => harness.link(application, { credentials: { apiKey }, ...input })
  const connectionsOf = ({ id }: Application) =>
    harness.db.rows<{ id: string; externalId: string | null }>(
      'SELECT * FROM `connections` WHERE `applicationId` = ? ORDER BY `id`',
      [id],
    )
  const eventsAfterLink = async (linked: Linked) => (await harness.events(linked, '')).slice(2)
  const setStatus = (linked: Linked, status: string) => harness.set('connections', linked.id, { status })

  test.each([
    ['a production application', { environment: 'prod' }, 1],
    ['a sandbox', { environment: 'sandbox' }, 2],
    ['a production application without merging', { environment: 'prod', mergesConnections: 0 }, 2],
    ['a sandbox with merging', { environment: 'sandbox', mergesConnections: 1 }, 1],
  ])('has one connection in %s only if it merges connections', async (_name, settings, count) => {
    const application = await createApplication(settings)
    const [one, other] = [await link(application), await link(application)]
    expect([await connectionsOf(application), new Set([one.id, other.id]).size]).toEqual([
      expect.objectContaining({ length: count }),
      count,
    ])
  })

  test('keeps its connection and token, with the tags and agreements of both and the new credentials', async () => {
    const application = await createApplication()
    const agreed = (type: string) => ({ agreements: [{ type, agreementUrl: 'https://example.com/terms' }] })
    const first = await link(application, { tags: ['west', 'a'], ...agreed('first'), externalId: 'fleet-1' })
    harness.moveClock(1000)
    const again = await link(application, { tags: ['a', 'north'], ...agreed('second') }, KEYS[1])
    expect(again.client).toEqual(first.client)
    const row = await harness.row('connections', first.id)
    expect(row).toMatchObject({
      externalId: 'fleet-1',
      status: 'connected',
      updatedAt: harness.tools.clock.now(),
    })
    expect(JSON.parse(String(row['tags']))).toEqual(['west', 'a', 'north'])
    expect(decryptedColumn(harness.tools.secrets, 'connections.credentialsSealed', row)).toContain(KEYS[1])
    const agreements = await harness.db.rows(
      'SELECT `type` FROM `agreements` WHERE `connectionId` = ? ORDER BY `id`',
      [first.id],
    )
    expect(agreements.map((one) => ({ ...(one as object) }))).toEqual([{ type: 'first' }, { type: 'second' }])
  })

  test('keeps the setup of the connection', async () => {
    const application = await createApplication()
    const setUp = { options: { speed: 'slow' }, filters: { vehicles: { status: 'active' } } }
    const first = await link(application, { ...setUp, company: { name: 'Acme' } })
    const before = await harness.row('connections', first.id)
    await link(application, { options: {}, filters: null, company: { name: 'Other' } })
    const { updatedAt: _, credentialsSealed: __, ...after } = await harness.row('connections', first.id)
    expect(before).toMatchObject(after)
  })

  test('emits an event for each completed run with its metadata, and an update only for a change', async () => {
    const application = await createApplication()
    const first = await link(application, { tags: ['west'], externalId: 'fleet-1' })
    await link(application, { tags: ['west'] })
    expect(await eventsAfterLink(first)).toEqual(['connection.completed'])
    await link(application, { tags: ['north'], externalId: 'fleet-1' })
    expect(await eventsAfterLink(first)).toEqual([
      'connection.completed',
      'connection.updated',
      'connection.completed',
    ])
    const rows = await harness.db.rows<{ detail: string }>(
      "SELECT `detail` FROM `events` WHERE `connectionId` = ? AND `type` = 'connection.completed' ORDER BY `sequence`",
      [first.id],
    )
    expect(rows.map(({ detail }) => (JSON.parse(detail) as { metadata: unknown }).metadata)).toEqual([
      { externalId: 'fleet-1', tags: ['west'] },
      { tags: ['west'] },
      { externalId: 'fleet-1', tags: ['north'] },
    ])
  })

  test.each(['disconnected', 'archived'])(
    'reconnects a connection that is %s, and syncs it at once',
    async (status) => {
      const application = await createApplication()
      const first = await link(application)
      await setStatus(first, status)
      expect((await link(application)).id).toBe(first.id)
      expect(await harness.row('connections', first.id)).toMatchObject({ status: 'connected' })
      expect(await eventsAfterLink(first)).toEqual([
        'connection.reconnected',
        'connection.completed',
        'sync.requested',
      ])
    },
  )

  test('requests no sync for a connection with manual syncs', async () => {
    const application = await createApplication()
    const first = await link(application, { syncMode: 'manual' as never })
    await setStatus(first, 'disconnected')
    await link(application)
    expect(await eventsAfterLink(first)).toEqual(['connection.reconnected', 'connection.completed'])
  })

  test('extends the backfill if the run requests an earlier start', async () => {
    const application = await createApplication()
    const first = await link(application)
    const backfillFrom = harness.tools.clock.now() - 48 * HOUR
    await link(application, { backfillFrom })
    await link(application, { backfillFrom: backfillFrom + HOUR })
    expect(await eventsAfterLink(first)).toEqual([
      'connection.completed',
      'sync.requested',
      'connection.completed',
    ])
    const { lastSyncId } = await harness.row('connections', first.id)
    expect(await harness.row('syncs', String(lastSyncId))).toMatchObject({ startFrom: backfillFrom })
  })

  test('gets another connection for another external id, and each is found again', async () => {
    const application = await createApplication()
    const one = await link(application, { externalId: 'fleet-1' })
    const other = await link(application, { externalId: 'fleet-2' })
    expect(other.id).not.toBe(one.id)
    for (const [externalId, id] of [
      ['fleet-1', one.id],
      ['fleet-2', other.id],
      [null, one.id],
    ] as const)
      expect((await link(application, { externalId })).id).toBe(id)
    expect(await connectionsOf(application)).toHaveLength(2)
  })

  test('sets the external id of a connection without one', async () => {
    const application = await createApplication()
    const first = await link(application)
    expect((await link(application, { externalId: 'fleet-1' })).id).toBe(first.id)
    expect(await connectionsOf(application)).toMatchObject([{ externalId: 'fleet-1' }])
    expect((await link(application, { externalId: 'fleet-1 ' })).id).not.toBe(first.id)
  })

  test.each(['pending_deletion', 'deleting', 'deleted'])(
    'does not change a connection that is %s',
    async (status) => {
      const application = await createApplication()
      const first = await link(application, { externalId: 'fleet-1' })
      await setStatus(first, status)
      const again = await link(application, { externalId: 'fleet-1' })
      expect(again.id).not.toBe(first.id)
      expect(await harness.row('connections', first.id)).toMatchObject({ status })
      expect(await eventsAfterLink(first)).toEqual([])
    },
  )

  test('finds no connection of another account, provider or application', async () => {
    const [application, other] = [await createApplication(), await createApplication()]
    const first = await link(application)
    const ids = [(await link(application, {}, 'sandbox-3-8')).id, (await link(other)).id]
    await harness.set('connections', first.id, { provider: 'elsewhere' })
    expect([...ids, (await link(application)).id]).not.toContain(first.id)
    expect(await eventsAfterLink(first)).toEqual([])
  })

  test('gets one connection from twenty concurrent runs, and one event for each run', async () => {
    const application = await createApplication()
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, at) => link(application, { tags: [`t${at}`] })),
    )
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect(new Set(all.map(({ client }) => client.token)).size).toBe(1)
    expect(await connectionsOf(application)).toHaveLength(1)
    const [first] = all
    const events = await harness.events(first as Linked, 'connection.')
    expect(events.filter((type) => type === 'connection.created')).toHaveLength(1)
    expect(events.filter((type) => type === 'connection.completed')).toHaveLength(20)
    const row = await harness.row('connections', (first as Linked).id)
    expect((JSON.parse(String(row['tags'])) as string[]).length).toBe(20)
  })

  test('is merged by the createConnection mutation, too', async () => {
    const application = await createApplication()
    const first = await link(application)
    await setStatus(first, 'disconnected')
    const { payload } = await harness.mutate(
      application.owner,
      'createConnection',
      { provider: 'sandbox', credentials: { apiKey: KEYS[1] }, tags: ['north'] },
      'connection { id status tags token lastSync { status } }',
    )
    expect(payload.connection).toEqual({
      id: first.id,
      status: 'CONNECTED',
      tags: ['north'],
      token: first.client.token,
      lastSync: { status: 'REQUESTED' },
    })
    expect(harness.added).toContain(
      `sync-connection ${first.id} ${(await harness.row('connections', first.id))['lastSyncId']}`,
    )
  })

  test('adds an audit entry with the actor', async () => {
    const application = await createApplication()
    const actor = { kind: 'fleet', id: 'lnk_1' } as const
    const { id } = await link(application, { actor })
    await link(application)
    const rows = await harness.db.rows<Record<string, unknown>>(
      "SELECT `actorKind`, `actorId`, `action`, `targetId` FROM `audit_log` WHERE `applicationId` = ? AND `action` LIKE 'connection.%' ORDER BY `id`",
      [application.id],
    )
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { actorKind: 'fleet', actorId: 'lnk_1', action: 'connection.created', targetId: id },
      { actorKind: 'service', actorId: null, action: 'connection.merged', targetId: id },
    ])
  })

  test('makes no provider request if the account is known', async () => {
    const application = await createApplication()
    const account = { sourceId: 'acc', name: 'Acme', dotNumbers: [], user: {}, timeZone: null }
    const first = await harness.link(application, { account, credentials: { apiKey: 'revoked' } })
    expect((await harness.link(application, { account, credentials: { apiKey: 'revoked-too' } })).id).toBe(
      first.id,
    )
  })
})
