import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dialects } from '../factories.ts'
import { eventually } from '../sync/rig.ts'
import { DAY } from './durations.ts'
import { ConnectionsRig, type Linked } from './rig.ts'

const SYNC = 'sync { id status startFrom attempts failureReason completedAt providerRequests issues { id } }'

describe.each(dialects)('syncs on request on %s', (dialect) => {
  let rig: ConnectionsRig
  beforeAll(async () => void (rig = await ConnectionsRig.start(dialect)))
  afterAll(() => rig[Symbol.asyncDispose]())

  const request = ({ party }: Linked, input: object = {}) => rig.mutate(party, 'requestSync', input, SYNC)
  const retry = ({ party }: Linked, syncId: string) =>
    rig.mutate(party, 'retrySync', { syncId }, `message ${SYNC}`)
  const cancel = ({ party }: Linked, syncId: string) =>
    rig.mutate(party, 'cancelSync', { syncId }, `message ${SYNC}`)

  test('are queued at once, with a look at what is only of now', async () => {
    const linked = await rig.link()
    rig.added.length = 0
    const { payload } = await request(linked)
    expect(payload.sync).toMatchObject({ status: 'REQUESTED', startFrom: null, attempts: 0, issues: [] })
    expect(rig.added).toContain(`sync-connection ${linked.id} ${payload.sync.id}`)
    expect(rig.added.some((job) => job.startsWith(`poll-latest ${linked.id}`))).toBe(true)
    expect(await rig.events(linked, 'sync.')).toEqual(['sync.requested'])
  })

  test('start where they are told to; days win over a moment', async () => {
    const startFrom = '2026-01-01T00:00:00.000Z'
    const from = async (input: object) => (await request(await rig.link(), input)).payload.sync.startFrom
    const daysAgo = (days: number) => new Date(rig.tools.clock.now() - days * DAY).toISOString()
    expect(await from({ startFrom })).toBe(startFrom)
    expect(await from({ startFrom, days: 7 })).toBe(daysAgo(7))
    expect(await from({ days: 0.5 })).toBe(daysAgo(0.5))
    expect(await from({ days: 0 })).toBe(daysAgo(0))
    expect(await from({ days: 1e300 })).toBe('1970-01-01T00:00:00.000Z')
    expect(await from({})).toBeNull()
  })

  test('keep what has to be done by hand', async () => {
    const providerRequests = ['HISTORICAL_FILES', 'PROVISION_CREDENTIALS', 'HISTORICAL_FILES']
    const { payload } = await request(await rig.link(), { providerRequests })
    expect(payload.sync.providerRequests).toEqual(['HISTORICAL_FILES', 'PROVISION_CREDENTIALS'])
  })

  test.each([[{ days: -1 }], [{ startFrom: '2999-01-01T00:00:00Z' }]])('refuse %j', async (input) => {
    expect(await request(await rig.link(), input)).toMatchObject({
      code: 'BAD_USER_INPUT',
      detail: [{ path: `input.${Object.keys(input)[0]}` }],
    })
  })

  test('are one at a time; the conflict names the one that is unfinished', async () => {
    const linked = await rig.link()
    const outcomes = await Promise.all([request(linked), request(linked), request(linked)])
    const first = outcomes.find(({ code }) => code === null)
    const others = outcomes.filter((outcome) => outcome !== first)
    expect(others.map(({ code, detail }) => [code, detail])).toEqual(
      others.map(() => ['CONFLICT', first!.payload.sync.id]),
    )
    await rig.run(first!.payload.sync.id)
    expect(await request(linked)).toMatchObject({ code: null })
  })

  test.each([
    ['disconnected', 'CONNECTION_DISCONNECTED'],
    ['archived', 'UNPROCESSABLE_ENTITY'],
    ['pending_deletion', 'UNPROCESSABLE_ENTITY'],
    ['deleted', 'UNPROCESSABLE_ENTITY'],
  ])('are refused of a connection that is %s', async (status, code) => {
    const linked = await rig.link()
    const syncId = await rig.sync(linked)
    await rig.set('syncs', syncId, { status: 'failed' })
    await rig.set('connections', linked.id, { status })
    expect(await request(linked)).toMatchObject({ code })
    expect(await retry(linked, syncId)).toMatchObject({ code })
  })

  test('that failed are taken up again, by another attempt of the same sync', async () => {
    const linked = await rig.link()
    await rig.fault(linked, { path: '/vehicles', status: 500, count: 5, retryAfter: '0' })
    const syncId = await rig.requestSync(linked)
    await expect(rig.run(syncId, 6)).rejects.toThrow('500')
    expect(await rig.row('syncs', syncId)).toMatchObject({ status: 'failed' })
    rig.added.length = 0
    const { payload } = await retry(linked, syncId)
    expect(payload).toMatchObject({
      message: expect.any(String),
      sync: { id: syncId, status: 'REQUESTED', attempts: 1, failureReason: null, completedAt: null },
    })
    expect(rig.added).toContain(`sync-connection ${linked.id} ${syncId}`)
    await rig.run(syncId)
    expect(await rig.row('syncs', syncId)).toMatchObject({ status: 'completed', attempts: 2 })
    expect(await rig.row('connections', linked.id)).toMatchObject({ lastSyncId: syncId })
  })

  test('are only retried when they failed, and not beside another', async () => {
    const linked = await rig.link()
    const done = await rig.sync(linked)
    expect(await retry(linked, done)).toMatchObject({ code: 'UNPROCESSABLE_ENTITY' })
    const failed = await rig.requestSync(linked)
    await cancel(linked, failed)
    const running = await rig.requestSync(linked)
    expect(await retry(linked, running)).toMatchObject({ code: 'UNPROCESSABLE_ENTITY' })
    expect(await retry(linked, failed)).toMatchObject({ code: 'CONFLICT', detail: running })
  })

  test('that are cancelled have failed at once, and can be retried', async () => {
    const linked = await rig.link()
    const syncId = await rig.requestSync(linked)
    expect((await cancel(linked, syncId)).payload).toMatchObject({
      message: expect.any(String),
      sync: { status: 'FAILED', failureReason: 'Cancelled.', completedAt: expect.any(String) },
    })
    expect(await cancel(linked, syncId)).toMatchObject({ code: 'UNPROCESSABLE_ENTITY' })
    await rig.run(syncId)
    expect(await rig.row('syncs', syncId)).toMatchObject({ status: 'failed', attempts: 0 })
    await retry(linked, syncId)
    await rig.run(syncId)
    expect(await rig.row('syncs', syncId)).toMatchObject({ status: 'completed' })
    expect(await rig.events(linked, 'sync.')).toEqual([
      'sync.requested',
      'sync.failed',
      'sync.requested',
      'sync.started',
      'sync.completed',
    ])
  })

  test('that are cancelled while they run write nothing more', async () => {
    const linked = await rig.link()
    await rig.fault(linked, { path: '/vehicles', stallMs: 3000, count: 1 })
    const syncId = await rig.requestSync(linked)
    const running = rig.run(syncId)
    await eventually(async () => (await stored(linked, 'drivers')) > 0)
    expect(await cancel(linked, syncId)).toMatchObject({ code: null })
    await running
    expect(await stored(linked, 'vehicles')).toBe(0)
    expect(await rig.row('syncs', syncId)).toMatchObject({ status: 'failed', failureReason: 'Cancelled.' })
    expect(await rig.events(linked, 'sync.')).toEqual(['sync.requested', 'sync.started', 'sync.failed'])
  })

  test('are listed newest first', async () => {
    const linked = await rig.link()
    const ids = [await rig.sync(linked), await rig.sync(linked), await rig.sync(linked)]
    const { data } = await rig.ask(linked.party, '{ syncs { nodes { id } } }')
    expect(data).toEqual({ syncs: { nodes: ids.reverse().map((id) => ({ id })) } })
  })

  async function stored({ id }: Linked, table: string): Promise<number> {
    const [row] = await rig.db.rows<{ n: number }>(
      `SELECT COUNT(*) AS n FROM \`${table}\` WHERE \`connectionId\` = ?`,
      [id],
    )
    return Number(row?.n)
  }
})

describe.each(dialects)('connections on %s', (dialect) => {
  test('are listed oldest or newest first', async () => {
    await using rig = await ConnectionsRig.start(dialect)
    const application = await rig.application()
    const ids = [(await rig.link(application)).id, (await rig.link(application)).id]
    const listed = async (args: string) => {
      const { data } = await rig.ask(application.owner, `{ connections${args} { nodes { id } } }`)
      return (data as { connections: { nodes: { id: string }[] } }).connections.nodes.map(({ id }) => id)
    }
    expect(await listed('')).toEqual(ids)
    expect(await listed('(order: DESC)')).toEqual(ids.reverse())
  })
})
