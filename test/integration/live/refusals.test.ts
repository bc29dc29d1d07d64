import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dialects } from '../../support/factories.ts'
import { lists, OnDemandHarness, places } from '../../support/on-demand-harness.ts'

describe.each(dialects)('a provider that is asked in the request, on %s,', (dialect) => {
  let live: OnDemandHarness
  beforeAll(async () => void (live = await OnDemandHarness.start(dialect)))
  afterAll(() => live[Symbol.asyncDispose]())

  test.each([
    ['fails', { status: 500, retryAfter: '60' }, 502, 'bad_gateway'],
    ['answers what cannot be read', { status: 418 }, 502, 'bad_gateway'],
    ['permits it to nobody', { status: 403 }, 422, 'insufficient_permissions'],
    ['takes no more requests', { status: 429, retryAfter: '60' }, 429, 'too_many_requests'],
  ])('and %s', async (_, fault, status, code) => {
    const linked = await live.manual()
    for (const { path, asks } of lists) {
      await live.harness.fault(linked, { path: asks, ...fault })
      const answer = await live.get(linked.party, path)
      expect([answer.status, answer.body.code]).toEqual([status, code])
      // It is over: who asks next asks anew.
      expect((await live.get(linked.party, path)).status).toBe(200)
    }
    expect(await live.statusOf(linked)).toBe('connected')
  })

  test('that tells all who wait the same, having failed once', async () => {
    const linked = await live.manual()
    await live.harness.fault(linked, {
      path: places.asks,
      status: 500,
      retryAfter: '60',
      count: 1,
      stallMs: 200,
    })
    const answers = await Promise.all([1, 2, 3].map(() => live.get(linked.party, places.path)))
    const failed = answers.filter(({ status }) => status === 502)
    expect(failed.length).toBeGreaterThan(0)
    expect(await live.askedFor(linked)).toBe(failed.length === answers.length ? 1 : 2)
  })

  test('and accepts the credentials no longer, disconnects the connection', async () => {
    const linked = await live.manual()
    const syncId = await live.harness.requestSync(linked)
    await live.harness.revoke(linked)
    const answers = await Promise.all([1, 2, 3].map(() => live.get(linked.party, places.path)))
    for (const { status, body } of answers)
      expect([status, body.code]).toEqual([422, 'connection_disconnected'])
    expect(await live.statusOf(linked)).toBe('disconnected')
    expect(await live.harness.events(linked, 'connection.disconnected')).toHaveLength(1)
    const asked = await live.askedFor(linked)
    expect((await live.get(linked.party, places.path)).body.code).toBe('connection_disconnected')
    expect(await live.askedFor(linked)).toBe(asked)
    // A sync finds out by itself, and says why it failed.
    await live.harness.run(syncId)
    expect(await live.harness.row('syncs', syncId)).toMatchObject({
      status: 'failed',
      failureReason: 'The provider no longer accepts the credentials.',
    })
  })

  test.each([
    ['archived', 'unprocessable_entity'],
    ['disconnected', 'connection_disconnected'],
  ])('is not asked for a connection that is %s', async (status, code) => {
    const linked = await live.manual()
    await live.patch(linked.party, { status })
    for (const { path, asks } of lists) {
      const answer = await live.get(linked.party, path)
      expect([answer.status, answer.body.code, await live.askedFor(linked, asks)]).toEqual([422, code, 0])
    }
  })

  test('and has no such records', async () => {
    const linked = await live.manual()
    live.harness.adapt = (adapter) => ({ ...adapter, latest: {} })
    const answers = []
    for (const { path } of lists) answers.push(await live.get(linked.party, path))
    live.harness.adapt = (adapter) => adapter
    const [vehicles, trailers, hours] = answers
    expect([vehicles!.status, vehicles!.body.code]).toEqual([501, 'not_implemented'])
    expect([trailers!.status, trailers!.body]).toEqual([200, { results: [] }])
    expect([hours!.status, hours!.body.code]).toEqual([501, 'not_implemented'])
  })

  test('and does not answer in time', async () => {
    await using impatient = await OnDemandHarness.start(dialect, { liveTimeoutMs: 300 })
    const linked = await impatient.manual()
    for (const { path, asks } of lists) {
      await impatient.harness.fault(linked, { path: asks, stallMs: 60_000, count: 3 })
      const answers = await Promise.all([1, 2, 3].map(() => impatient.get(linked.party, path)))
      for (const { status, body } of answers) expect([status, body.code]).toEqual([504, 'gateway_timeout'])
    }
    expect(await impatient.statusOf(linked)).toBe('connected')
  })
})
