import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dialects } from '../../support/factories.ts'
import { lists, OnDemandHarness, locationList } from '../../support/harnesses/on-demand-harness.ts'

describe.each(dialects)('an on-demand request on %s', (dialect) => {
  let live: OnDemandHarness
  beforeAll(async () => void (live = await OnDemandHarness.start(dialect)))
  afterAll(() => live[Symbol.asyncDispose]())

  test.each([
    ['fails', { status: 500, retryAfter: '60' }, 502, 'bad_gateway'],
    ['sends an unreadable response', { status: 418 }, 502, 'bad_gateway'],
    ['denies permission', { status: 403 }, 422, 'insufficient_permissions'],
    ['limits the rate', { status: 429, retryAfter: '60' }, 429, 'too_many_requests'],
  ])('fails if the provider %s', async (_, fault, status, code) => {
    const linked = await live.manual()
    for (const { path, providerPath } of lists) {
      await live.harness.fault(linked, { path: providerPath, ...fault })
      const response = await live.get(linked.client, path)
      expect([response.status, response.body.code]).toEqual([status, code])
      // The next request reads again.
      expect((await live.get(linked.client, path)).status).toBe(200)
    }
    expect(await live.statusOf(linked)).toBe('connected')
  })

  test('shares one failure with all waiting callers', async () => {
    const linked = await live.manual()
    await live.harness.fault(linked, {
      path: locationList.providerPath,
      status: 500,
      retryAfter: '60',
      count: 1,
      stallMs: 200,
    })
    const responses = await Promise.all([1, 2, 3].map(() => live.get(linked.client, locationList.path)))
    const failed = responses.filter(({ status }) => status === 502)
    expect(failed.length).toBeGreaterThan(0)
    expect(await live.requestCount(linked)).toBe(failed.length === responses.length ? 1 : 2)
  })

  test('disconnects the connection if its credentials are refused', async () => {
    const linked = await live.manual()
    const syncId = await live.harness.requestSync(linked)
    await live.harness.revoke(linked)
    const responses = await Promise.all([1, 2, 3].map(() => live.get(linked.client, locationList.path)))
    for (const { status, body } of responses)
      expect([status, body.code]).toEqual([422, 'connection_disconnected'])
    expect(await live.statusOf(linked)).toBe('disconnected')
    expect(await live.harness.events(linked, 'connection.disconnected')).toHaveLength(1)
    const requests = await live.requestCount(linked)
    expect((await live.get(linked.client, locationList.path)).body.code).toBe('connection_disconnected')
    expect(await live.requestCount(linked)).toBe(requests)
    // A sync fails by itself, with the reason.
    await live.harness.run(syncId)
    expect(await live.harness.row('syncs', syncId)).toMatchObject({
      status: 'failed',
      failureReason: 'The provider no longer accepts the credentials.',
    })
  })

  test.each([
    ['archived', 'unprocessable_entity'],
    ['disconnected', 'connection_disconnected'],
  ])('is refused for a connection that is %s', async (status, code) => {
    const linked = await live.manual()
    await live.patch(linked.client, { status })
    for (const { path, providerPath } of lists) {
      const response = await live.get(linked.client, path)
      expect([response.status, response.body.code, await live.requestCount(linked, providerPath)]).toEqual([
        422,
        code,
        0,
      ])
    }
  })

  test('returns 501, or no trailers, if the provider has no such records', async () => {
    const linked = await live.manual()
    live.harness.adapt = (adapter) => ({ ...adapter, latest: {} })
    const responses = []
    for (const { path } of lists) responses.push(await live.get(linked.client, path))
    live.harness.adapt = (adapter) => adapter
    const [vehicles, trailers, hours] = responses
    expect([vehicles!.status, vehicles!.body.code]).toEqual([501, 'not_implemented'])
    expect([trailers!.status, trailers!.body]).toEqual([200, { results: [] }])
    expect([hours!.status, hours!.body.code]).toEqual([501, 'not_implemented'])
  })

  test.each([
    ['1', 1],
    ['2.5', 3],
    ['99999999999999999999999999', 3600],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 3600],
  ])('returns 429 if the provider answers each attempt with Retry-After: %s', async (retryAfter, seconds) => {
    await using impatient = await OnDemandHarness.start(dialect, { liveTimeoutMs: 1500 })
    const linked = await impatient.manual()
    await impatient.harness.fault(linked, {
      path: locationList.providerPath,
      status: 429,
      retryAfter,
      count: 100,
    })
    const { status, body, headers } = await impatient.get(linked.client, locationList.path)
    expect([status, body.code]).toEqual([429, 'too_many_requests'])
    const named = Number(headers['retry-after'])
    expect(Number.isInteger(named)).toBe(true)
    // Part of the wait can be over.
    expect(named).toBeGreaterThanOrEqual(1)
    expect(named).toBeLessThanOrEqual(seconds)
  })

  test('returns 504 if the provider does not answer in time', async () => {
    await using impatient = await OnDemandHarness.start(dialect, { liveTimeoutMs: 300 })
    const linked = await impatient.manual()
    for (const { path, providerPath } of lists) {
      await impatient.harness.fault(linked, { path: providerPath, stallMs: 60_000, count: 3 })
      const responses = await Promise.all([1, 2, 3].map(() => impatient.get(linked.client, path)))
      for (const { status, body } of responses) expect([status, body.code]).toEqual([504, 'gateway_timeout'])
    }
    expect(await impatient.statusOf(linked)).toBe('connected')
  })
})
