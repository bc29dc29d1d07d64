import { describe, expect, test } from 'vitest'
import type { RateLimit } from '../../../../src/providers/rate-limit/rate-limit.ts'
import { harnessFactories, until } from '../../../support/providers/rate-limit-harness.ts'

const second = (requests: number): RateLimit[] => [{ per: 'provider', requests, perSeconds: 1 }]
const LONG_SECONDS = 200
/** Returns a budget that does not refill during the test. Background requests wait for it. */
const long = (requests: number): RateLimit[] => [{ per: 'provider', requests, perSeconds: LONG_SECONDS }]
const oneAtATime: RateLimit[] = [{ per: 'account', requests: 1, perSeconds: 0 }]

const times = (count: number) => Array.from({ length: count }, (_, at) => at)

describe.each(harnessFactories)('budgets %s', (_where, start) => {
  test('are used in full and never exceeded in any window of the provider', async () => {
    await using harness = await start({ latencyMs: 40 })
    const apis = [0, 1].map((process) => harness.api(process, { budgets: second(20), priority: 'live' }))
    await Promise.all(times(70).map((at) => apis[at % 2]!.get('/account')))
    expect(await harness.requests()).toBe(70)
    expect(await harness.counted()).toMatchObject({ all: 20 })
  })

  test('prevent refusals of a provider with the same limits', async () => {
    await using harness = await start({ totalBudget: 15, accountBudget: 5, latencyMs: 20 })
    const budgets: RateLimit[] = [{ per: 'account', requests: 5, perSeconds: 1 }, ...second(15)]
    const keys = ['sandbox-3-1', 'sandbox-3-2', 'sandbox-3-3', 'sandbox-3-4']
    const apis = keys.map((key, at) => harness.api(at % 2, { budgets, key, priority: 'live' }))
    await Promise.all(times(48).map((at) => apis[at % 4]!.get('/account')))
    const { all, accounts, refused } = await harness.counted()
    expect(refused).toBe(0)
    expect(all).toBe(15)
    for (const most of Object.values(accounts)) expect(most).toBeLessThanOrEqual(5)
  })

  test('reserve capacity for live reads', async () => {
    await using harness = await start()
    const controller = new AbortController()
    const background = harness.api(0, { budgets: long(10), signal: controller.signal })
    const waiting = Promise.allSettled(times(12).map(() => background.get('/account')))
    await until(async () => (await harness.requests()) === 8 && harness.results.length === 12)
    await harness.api(1, { budgets: long(10), priority: 'live' }).get('/account')
    expect(harness.asks.filter(({ live }) => live)).toHaveLength(1)
    expect(await harness.requests()).toBe(9)
    controller.abort()
    const statuses = (await waiting).map(({ status }) => status)
    expect(statuses.filter((status) => status === 'rejected')).toHaveLength(4)
  })

  test('serve a live read before background requests, which are served in order', async () => {
    await using harness = await start()
    const first = harness.api(0, { budgets: oneAtATime })
    const answered: string[] = []
    const send = async (name: string, process: number, priority: 'live' | 'background') => {
      const before = harness.results.length
      const done = harness
        .api(process, { budgets: oneAtATime, priority })
        .get('/account')
        .then(() => answered.push(name))
      await until(() => harness.results.length > before)
      return { done }
    }
    await harness.fault({ stallMs: 400 })
    const running = first.get('/account')
    await until(async () => (await harness.requests()) === 1)
    const waiting = [
      await send('first', 1, 'background'),
      await send('second', 0, 'background'),
      await send('third', 1, 'background'),
      await send('live', 1, 'live'),
    ]
    expect(answered).toEqual([])
    await Promise.all([running, ...waiting.map(({ done }) => done)])
    expect(answered).toEqual(['live', 'first', 'second', 'third'])
  })

  test('of one account do not delay another account', async () => {
    await using harness = await start()
    const budgets: RateLimit[] = [{ per: 'account', requests: 2, perSeconds: LONG_SECONDS }, ...long(20)]
    const controller = new AbortController()
    const busy = harness.api(0, { budgets, priority: 'background', signal: controller.signal })
    const waiting = Promise.allSettled(times(30).map(() => busy.get('/account')))
    await until(() => harness.results.length === 30)
    await harness.api(1, { budgets, key: 'sandbox-3-2' }).get('/account')
    expect(harness.asks.slice(30)).toHaveLength(1)
    controller.abort()
    await waiting
  })

  test('remove an aborted request from the queue', async () => {
    await using harness = await start()
    await harness.fault({ stallMs: 300 })
    const running = harness.api(0, { budgets: oneAtATime }).get('/account')
    await until(async () => (await harness.requests()) === 1)
    const controller = new AbortController()
    const aborted = harness.api(1, { budgets: oneAtATime, signal: controller.signal }).get('/account')
    await until(() => harness.results.length === 2)
    controller.abort()
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
    await harness.api(0, { budgets: oneAtATime }).get('/account')
    await running
    expect(await harness.requests()).toBe(2)
  })

  test('refuse a live read at once if its wait is too long, with the length of the wait', async () => {
    await using harness = await start()
    const api = harness.api(0, { budgets: long(1), priority: 'live' })
    await api.get('/account')
    const error = await api.get('/account').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'ProviderError', kind: 'limited' })
    expect((error as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(100_000)
    expect(await harness.requests()).toBe(1)
  })

  test('pause an account in every process after a 429 in one of them', async () => {
    await using harness = await start()
    await harness.fault({ status: 429, retryAfter: '60' })
    const budgets = second(100)
    await expect(harness.api(0, { budgets }).get('/account')).rejects.toMatchObject({ kind: 'limited' })
    const paused = { kind: 'limited', message: 'the provider asked for a pause' }
    await expect(harness.api(1, { budgets }).get('/vehicles')).rejects.toMatchObject(paused)
    const file = harness.api(1, { budgets }).file('/safety-events/1/media')
    await expect(file).rejects.toMatchObject(paused)
    expect(await harness.requests()).toBe(1)
    await harness.api(1, { budgets, key: 'sandbox-3-2' }).get('/account')
    expect(await harness.requests()).toBe(2)
  })

  test('resume after a short pause', async () => {
    await using harness = await start()
    const budgets = second(100)
    await harness.fault({ status: 429, retryAfter: '0.2' })
    const pass = { method: 'GET', path: '/account', headers: {}, body: null }
    expect((await harness.api(0, { budgets }).send(pass)).status).toBe(429)
    await harness.api(1, { budgets }).get('/account')
    expect(harness.asks.length).toBeGreaterThan(2)
    expect(await harness.requests()).toBe(2)
  })

  test('release the slot of a request whose connection breaks', async () => {
    await using harness = await start()
    await harness.fault({ status: 0, count: 1 })
    await harness.api(0, { budgets: oneAtATime }).get('/account')
    expect(await harness.requests()).toBe(2)
  })
})
