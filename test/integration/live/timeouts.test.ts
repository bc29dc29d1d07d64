import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../../src/providers/rate-limit/memory-store.ts'
import { createRateLimiter } from '../../../src/providers/rate-limit/rate-limiter.ts'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import { dialects } from '../../support/factories.ts'
import { OnDemandHarness, locationList } from '../../support/harnesses/on-demand-harness.ts'

const MAX_POLL_MS = 300
const waitPastLimit = () => new Promise((resolve) => setTimeout(resolve, 2 * MAX_POLL_MS))

/** Returns an adapter that permits one request in 100 seconds. */
function withSlowLimiter(adapter: ProviderAdapter): ProviderAdapter {
  const store = createMemoryStore()
  const rateLimits = [{ per: 'provider' as const, requests: 1, perSeconds: 100 }]
  return {
    ...adapter,
    api(credentials, signal, priority = 'background', renewing) {
      const api = adapter.api(credentials, signal, priority, renewing)
      const limiter = createRateLimiter(store, { provider: 'sandbox', rateLimits, account: 'one', priority })
      const request = { method: 'GET', path: '/locations' }
      return {
        ...api,
        get: async (...parameters) => (await limiter.take(request, signal), api.get(...parameters)),
      }
    },
  }
}

/** Returns an adapter whose reader calls `read` before each page, and always has a next page. */
const withEndlessPages =
  (read: (page: number) => Promise<unknown>) =>
  (adapter: ProviderAdapter): ProviderAdapter => {
    const reader = adapter.latest[locationList.model] as Reader<never>
    let page = 0
    const readNext: typeof reader.read = async (...parameters) => {
      await read(++page)
      return { ...(await reader.read(...parameters)), next: { page } }
    }
    return { ...adapter, latest: { ...adapter.latest, [locationList.model]: { ...reader, read: readNext } } }
  }

describe.each(dialects)('a poll at its time limit on %s', (dialect) => {
  let live: OnDemandHarness
  beforeAll(async () => void (live = await OnDemandHarness.start(dialect, { maxPollMs: MAX_POLL_MS })))
  afterEach(() => void (live.harness.adapt = (adapter) => adapter))
  afterAll(() => live[Symbol.asyncDispose]())

  test('fails if the provider does not answer', async () => {
    const linked = await live.harness.link()
    await live.harness.fault(linked, { path: locationList.providerPath, stallMs: 60_000 })
    await expect(live.poll(linked)).rejects.toMatchObject({ kind: 'unavailable', timedOut: true })
  })

  test('fails on an internal error, also after a page', async () => {
    const linked = await live.harness.link()
    live.harness.adapt = withEndlessPages(async (page) => {
      if (page === 1) return
      await waitPastLimit()
      throw new Error('an internal error')
    })
    await expect(live.poll(linked)).rejects.toThrow('an internal error')
  })

  test('does not fail if it only waits for the rate limiter', async () => {
    const linked = await live.harness.link()
    const adapter = live.harness.tools.registry.find('sandbox') as ProviderAdapter
    const limited = withSlowLimiter(adapter)
    live.harness.adapt = () => limited
    await live.poll(linked)
    const requests = await live.requestCount(linked)
    await live.poll(linked)
    expect([requests, await live.requestCount(linked)]).toEqual([1, 1])
  })

  test('does not fail if it has read a page', async () => {
    const linked = await live.harness.link()
    live.harness.adapt = withEndlessPages(async (page) => void (page > 1 && (await waitPastLimit())))
    await live.poll(linked)
  })
})
