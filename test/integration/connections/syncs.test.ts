import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dialects } from '../../support/factories.ts'
import { eventually } from '../../support/sync/sync-harness.ts'
import { DAY } from '../../support/durations.ts'
import { ConnectionsHarness, type Linked } from '../../support/harnesses/connections-harness.ts'

const SYNC = 'sync { id status startFrom attempts failureReason completedAt providerRequests issues { id } }'

describe.each(dialects)('requested syncs on %s', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  const request = ({ client }: Linked, input: object = {}) =>
    harness.mutate(client, 'requestSync', input, SYNC)
  const retry = ({ client }: Linked, syncId: string) =>
    harness.mutate(client, 'retrySync', { syncId }, `message ${SYNC}`)
  const cancel = ({ client }: Linked, syncId: string) =>
    harness.mutate(client, 'cancelSync', { syncId }, `message ${SYNC}`)

  test('are queued at once, with a poll of the latest models', async () => {
    const linked = await harness.link()
    harness.added.length = 0
    const { payload } = await request(linked)
    expect(payload.sync).toMatchObject({ status: 'REQUESTED', startFrom: null, attempts: 0, issues: [] })
    expect(harness.added).toContain(`sync-connection ${linked.id} ${payload.sync.id}`)
    expect(harness.added.some((job) => job.startsWith(`poll-latest ${linked.id}`))).toBe(true)
    expect(await harness.events(linked, 'sync.')).toEqual(['sync.requested'])
  })

  test('start at the requested time; days take precedence over startFrom', async () => {
    const startFrom = '2026-01-01T00:00:00.000Z'
    const from = async (input: object) => (await request(await harness.link(), input)).payload.sync.startFrom
    const daysAgo = (days: number) => new Date(harness.tools.clock.now() - days * DAY).toISOString()
    expect(await from({ startFrom })).toBe(startFrom)
    expect(await from({ startFrom, days: 7 })).toBe(daysAgo(7))
    expect(await from({ days: 0.5 })).toBe(daysAgo(0.5))
    expect(await from({ days: 0 })).toBe(daysAgo(0))
    expect(await from({ days: 1e300 })).toBe('1970-01-01T00:00:00.000Z')
    expect(await from({})).toBeNull()
  })

  test('store the provider requests without duplicates', async () => {
    const providerRequests = ['HISTORICAL_FILES', 'PROVISION_CREDENTIALS', 'HISTORICAL_FILES']
    const { payload } = await request(await harness.link(), { providerRequests })
    expect(payload.sync.providerRequests).toEqual(['HISTORICAL_FILES', 'PROVISION_CREDENTIALS'])
  })

  test.each([[{ days: -1 }], [{ startFrom: '2999-01-01T00:00:00Z' }]])('refuse %j', async (input) => {
    expect(await request(await harness.link(), input)).toMatchObject({
      code: 'BAD_USER_INPUT',
      detail: [{ path: `input.${Object.keys(input)[0]}` }],
    })
  })

  test('run one at a time; the conflict names the unfinished sync', async () => {
    const linked = await harness.link()
    const outcomes = await Promise.all([request(linked), request(linked), request(linked)])
    const first = outcomes.find(({ code }) => code === null)
    const others = outcomes.filter((outcome) => outcome !== first)
    expect(others.map(({ code, detail }) => [code, detail])).toEqual(
      others.map(() => ['CONFLICT', first!.payload.sync.id]),
    )
    await harness.run(first!.payload.sync.id)
    expect(await request(linked)).toMatchObject({ code: null })
  })

  test.each([
    ['disconnected', 'CONNECTION_DISCONNECTED'],
    ['archived', 'UNPROCESSABLE_ENTITY'],
    ['pending_deletion', 'UNPROCESSABLE_ENTITY'],
    ['deleted', 'UNPROCESSABLE_ENTITY'],
  ])('are refused for a connection that is %s', async (status, code) => {
    const linked = await harness.link()
    const syncId = await harness.sync(linked)
    await harness.set('syncs', syncId, { status: 'failed' })
    await harness.set('connections', linked.id, { status })
    expect(await request(linked)).toMatchObject({ code })
    expect(await retry(linked, syncId)).toMatchObject({ code })
  })

  test('can be retried after a failure, as another attempt of the same sync', async () => {
    const linked = await harness.link()
    await harness.fault(linked, { path: '/vehicles', status: 500, count: 5, retryAfter: '0' })
    const syncId = await harness.requestSync(linked)
    await expect(harness.run(syncId, 6)).rejects.toThrow('500')
    expect(await harness.row('syncs', syncId)).toMatchObject({ status: 'failed' })
    harness.added.length = 0
    const { payload } = await retry(linked, syncId)
    expect(payload).toMatchObject({
      message: expect.any(String),
      sync: { id: syncId, status: 'REQUESTED', attempts: 1, failureReason: null, completedAt: null },
    })
    expect(harness.added).toContain(`sync-connection ${linked.id} ${syncId}`)
    await harness.run(syncId)
    expect(await harness.row('syncs', syncId)).toMatchObject({ status: 'completed', attempts: 2 })
    expect(await harness.row('connections', linked.id)).toMatchObject({ lastSyncId: syncId })
  })

  test('can be retried only after a failure, and not while another sync is unfinished', async () => {
    const linked = await harness.link()
    const done = await harness.sync(linked)
    expect(await retry(linked, done)).toMatchObject({ code: 'UNPROCESSABLE_ENTITY' })
    const failed = await harness.requestSync(linked)
    await cancel(linked, failed)
    const running = await harness.requestSync(linked)
    expect(await retry(linked, running)).toMatchObject({ code: 'UNPROCESSABLE_ENTITY' })
    expect(await retry(linked, failed)).toMatchObject({ code: 'CONFLICT', detail: running })
  })

  test('fail at once when cancelled, and can be retried', async () => {
    const linked = await harness.link()
    const syncId = await harness.requestSync(linked)
    expect((await cancel(linked, syncId)).payload).toMatchObject({
      message: expect.any(String),
      sync: { status: 'FAILED', failureReason: 'Cancelled.', completedAt: expect.any(String) },
    })
    expect(await cancel(linked, syncId)).toMatchObject({ code: 'UNPROCESSABLE_ENTITY' })
    await harness.run(syncId)
    expect(await harness.row('syncs', syncId)).toMatchObject({ status: 'failed', attempts: 0 })
    await retry(linked, syncId)
    await harness.run(syncId)
    expect(await harness.row('syncs', syncId)).toMatchObject({ status: 'completed' })
    expect(await harness.events(linked, 'sync.')).toEqual([
      'sync.requested',
      'sync.failed',
      'sync.requested',
      'sync.started',
      'sync.completed',
    ])
  })

  test('write nothing after a cancellation', async () => {
    const linked = await harness.link()
    await harness.fault(linked, { path: '/vehicles', stallMs: 3000, count: 1 })
    const syncId = await harness.requestSync(linked)
    const running = harness.run(syncId)
    await eventually(async () => (await stored(linked, 'drivers')) > 0)
    expect(await cancel(linked, syncId)).toMatchObject({ code: null })
    await running
    expect(await stored(linked, 'vehicles')).toBe(0)
    expect(await harness.row('syncs', syncId)).toMatchObject({
      status: 'failed',
      failureReason: 'Cancelled.',
    })
    expect(await harness.events(linked, 'sync.')).toEqual(['sync.requested', 'sync.started', 'sync.failed'])
  })

  test('are listed newest first', async () => {
    const linked = await harness.link()
    const ids = [await harness.sync(linked), await harness.sync(linked), await harness.sync(linked)]
    const { data } = await harness.ask(linked.client, '{ syncs { nodes { id } } }')
    expect(data).toEqual({ syncs: { nodes: ids.reverse().map((id) => ({ id })) } })
  })

  async function stored({ id }: Linked, table: string): Promise<number> {
    const [row] = await harness.db.rows<{ n: number }>(
      `SELECT COUNT(*) AS n FROM \`${table}\` WHERE \`connectionId\` = ?`,
      [id],
    )
    return Number(row?.n)
  }
})

describe.each(dialects)('connections on %s', (dialect) => {
  test('are listed oldest or newest first', async () => {
    await using harness = await ConnectionsHarness.start(dialect)
    const application = await harness.application()
    const ids = [(await harness.link(application)).id, (await harness.link(application)).id]
    const listed = async (args: string) => {
      const { data } = await harness.ask(application.owner, `{ connections${args} { nodes { id } } }`)
      return (data as { connections: { nodes: { id: string }[] } }).connections.nodes.map(({ id }) => id)
    }
    expect(await listed('')).toEqual(ids)
    expect(await listed('(order: DESC)')).toEqual(ids.reverse())
  })
})
