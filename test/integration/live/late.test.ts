import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../../src/providers/rate-limit/memory-store.ts'
import { createRateLimiter } from '../../../src/providers/rate-limit/rate-limiter.ts'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import { dialects } from '../../support/factories.ts'
import { OnDemandHarness, places } from '../../support/on-demand-harness.ts'

const LONGEST_POLL_MS = 300
const untilLate = () => new Promise((resolve) => setTimeout(resolve, 2 * LONGEST_POLL_MS))

/** A provider of which one request is asked in a long while. */
function inLine(adapter: ProviderAdapter): ProviderAdapter {
  const ledger = createMemoryStore()
  const rateLimits = [{ per: 'provider' as const, requests: 1, perSeconds: 100 }]
  return {
    ...adapter,
    api(credentials, signal, priority = 'background', renewing) {
      const api = adapter.api(credentials, signal, priority, renewing)
      const turns = createRateLimiter(ledger, { provider: 'sandbox', rateLimits, account: 'one', priority })
      const asked = { method: 'GET', path: '/locations' }
      return { ...api, get: async (...asking) => (await turns.take(asked, signal), api.get(...asking)) }
    },
  }
}

/** A provider that is read in time, and more than once. */
const reading =
  (read: (page: number) => Promise<unknown>) =>
  (adapter: ProviderAdapter): ProviderAdapter => {
    const reader = adapter.latest[places.model] as Reader<never>
    let page = 0
    const readNext: typeof reader.read = async (...asking) => {
      await read(++page)
      return { ...(await reader.read(...asking)), next: { page } }
    }
    return { ...adapter, latest: { ...adapter.latest, [places.model]: { ...reader, read: readNext } } }
  }

describe.each(dialects)('a poll whose time is over, on %s,', (dialect) => {
  let live: OnDemandHarness
  beforeAll(
    async () => void (live = await OnDemandHarness.start(dialect, { longestPollMs: LONGEST_POLL_MS })),
  )
  afterEach(() => void (live.harness.adapt = (adapter) => adapter))
  afterAll(() => live[Symbol.asyncDispose]())

  test('has failed where the provider did not answer', async () => {
    const linked = await live.harness.link()
    await live.harness.fault(linked, { path: places.asks, stallMs: 60_000 })
    await expect(live.poll(linked)).rejects.toMatchObject({ kind: 'unavailable', timedOut: true })
  })

  test('has failed of a fault of ours, whatever it had read', async () => {
    const linked = await live.harness.link()
    live.harness.adapt = reading(async (page) => {
      if (page === 1) return
      await untilLate()
      throw new Error('a fault of ours')
    })
    await expect(live.poll(linked)).rejects.toThrow('a fault of ours')
  })

  test('is gone on with where it was only waiting for its turn', async () => {
    const linked = await live.harness.link()
    const adapter = live.harness.tools.registry.find('sandbox') as ProviderAdapter
    const waiting = inLine(adapter)
    live.harness.adapt = () => waiting
    await live.poll(linked)
    const asked = await live.askedFor(linked)
    await live.poll(linked)
    expect([asked, await live.askedFor(linked)]).toEqual([1, 1])
  })

  test('is gone on with where it had read a page', async () => {
    const linked = await live.harness.link()
    live.harness.adapt = reading(async (page) => void (page > 1 && (await untilLate())))
    await live.poll(linked)
  })
})
