import { describe, expect, test } from 'vitest'
import { startFake } from '../../../fakes/kit/start-fake.ts'

const asFleet1 = { headers: { authorization: 'Bearer token-1' } }
const now = '2026-06-15T18:00:00.000Z'

describe('any fake', () => {
  test('has a clock that changes only when a test moves it', async () => {
    await using fake = await startFake('traccar', { now, vehicles: 2 })
    const clock = async () => (await (await fetch(`${fake.url}/_fake/clock`)).json()) as unknown
    expect(await clock()).toEqual({ now })
    await fake.move({ advanceMilliseconds: 90_000 })
    expect(await clock()).toEqual({ now: '2026-06-15T18:01:30.000Z' })
    await fake.move({ now: '2026-07-01T00:00:00Z' })
    expect(await clock()).toEqual({ now: '2026-07-01T00:00:00.000Z' })
  })

  test('counts calls by caller and endpoint, and the most in an interval', async () => {
    await using fake = await startFake('traccar', { now, vehicles: 2, accounts: 2 })
    const groups = `${fake.url}/api/groups`
    await Promise.all([fetch(groups, asFleet1), fetch(groups, asFleet1), fetch(groups)])
    const { total, refused, byEndpoint, byKey } = await fake.calls(60_000)
    expect({ total, refused, byEndpoint }).toEqual({
      total: 3,
      refused: 1,
      byEndpoint: { 'GET /api/groups': 3 },
    })
    expect(byKey.find(({ key }) => key === '1')).toMatchObject({ calls: 2, refused: 0, most: { 60000: 2 } })
    await fake.forgetCalls()
    expect(await fake.calls()).toMatchObject({ total: 0 })
  })

  test('counts calls above a rate limit, refused or not', async () => {
    await using fake = await startFake('geotab', { now, vehicles: 2 })
    const params = { database: 'fleet_1', userName: 'reader@fleet.example', password: 'wrong' }
    const body = JSON.stringify({ method: 'Authenticate', params })
    const callTimes = async (times: number) => {
      for (let time = 1; time <= times; time++) await fetch(`${fake.url}/apiv1`, { method: 'POST', body })
    }
    const limit = {
      of: 'fleet_1 reader@fleet.example Authenticate',
      requests: 10,
      milliseconds: 60_000,
    }
    await callTimes(10)
    expect(await fake.limits()).toEqual([{ ...limit, calls: 10, most: 10, exceeded: 0 }])
    await callTimes(2)
    expect(await fake.limits()).toEqual([{ ...limit, calls: 12, most: 12, exceeded: 2 }])
    await fake.forgetLimits()
    expect(await fake.limits()).toEqual([])
  })

  test('counts calls above a concurrency limit', async () => {
    await using fake = await startFake('traccar', { now, vehicles: 2, settings: { atOnce: '2' } })
    await fake.fail({ kind: 'hang', times: 3 })
    const waiting = new AbortController()
    const hung = [1, 2, 3].map(() => fetch(`${fake.url}/api/groups`, { ...asFleet1, signal: waiting.signal }))
    const settled = Promise.allSettled(hung)
    const limit = { of: '1 at once', requests: 2, milliseconds: 0, calls: 3, most: 3, exceeded: 1 }
    await expect.poll(() => fake.limits()).toEqual([limit])
    waiting.abort()
    await settled
  })

  test('refuses calls on request, by endpoint, offset and count, with given headers', async () => {
    await using fake = await startFake('traccar', { now, vehicles: 2 })
    await fake.fail({
      kind: 'status',
      status: 429,
      headers: { 'retry-after': '0.40235' },
      endpoint: 'GET /api/groups',
      after: 1,
      times: 2,
    })
    const statuses: number[] = []
    for (const list of ['groups', 'drivers', 'groups', 'groups', 'groups'])
      statuses.push((await fetch(`${fake.url}/api/${list}`, asFleet1)).status)
    expect(statuses).toEqual([200, 200, 429, 429, 200])
    await fake.fail({
      kind: 'status',
      status: 503,
      headers: { 'retry-after': 'Mon, 15 Jun 2026 18:05:00 GMT' },
    })
    const refused = await fetch(`${fake.url}/api/groups`, asFleet1)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([
      503,
      'Mon, 15 Jun 2026 18:05:00 GMT',
    ])
  })

  test('truncates, hangs, drops and repeats responses on request', async () => {
    await using fake = await startFake('traccar', { now, vehicles: 2 })
    const read = async (path: string) => (await fetch(`${fake.url}/api/${path}`, asFleet1)).text()
    const page = (offset: number) => read(`devices?limit=1&offset=${offset}`)
    const complete = await page(0)
    await fake.fail({ kind: 'truncated' })
    const half = await page(0)
    expect(complete.startsWith(half) && half.length < complete.length).toBe(true)
    await fake.fail({ kind: 'repeated' })
    expect([await page(0), await page(1)]).not.toContain(await read('groups'))
    await fake.fail({ kind: 'repeated', endpoint: 'GET /api/devices' })
    const before = await read('devices?limit=1&offset=1')
    expect(before).toBe(await page(1))
    await fake.fail({ kind: 'cut' }, { kind: 'lost' })
    await expect(page(0)).rejects.toThrow()
    await expect(page(0)).rejects.toThrow()
    await fake.fail({ kind: 'hang' })
    const hangs = fetch(`${fake.url}/api/groups`, { ...asFleet1, signal: AbortSignal.timeout(200) })
    await expect(hangs).rejects.toThrow()
    await fake.fail({ kind: 'slow', milliseconds: 1 })
    expect(await page(0)).toBe(complete)
  })

  test('fails for a share of calls, the same calls in every run', async () => {
    const statuses = async () => {
      await using fake = await startFake('traccar', { now, vehicles: 1, seed: 3 })
      await fake.fail({ kind: 'status', status: 500, share: 0.5, times: null })
      const seen: number[] = []
      for (let call = 0; call < 20; call++)
        seen.push((await fetch(`${fake.url}/api/groups`, asFleet1)).status)
      return seen
    }
    const [once, again] = [await statuses(), await statuses()]
    expect(once).toEqual(again)
    expect(new Set(once)).toEqual(new Set([200, 500]))
  })

  test('refuses an unknown switch', async () => {
    await using fake = await startFake('traccar', { now, vehicles: 1 })
    await expect(fake.behave({ noSuchThing: 'on' })).rejects.toThrow('noSuchThing cannot be on')
    await expect(fake.behave({ knots: 'miles' })).rejects.toThrow('knots cannot be miles')
  })

  test('has a separate fleet for each account', async () => {
    await using fake = await startFake('traccar', { now, vehicles: 2, accounts: 2 })
    const [one, other] = [
      await fake.truth('Vehicle', { account: 1 }),
      await fake.truth('Vehicle', { account: 2 }),
    ]
    expect(one).not.toEqual(other)
  })
})
