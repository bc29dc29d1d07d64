import { countersOf } from '../../../src/providers/rate-limit/rate-limit.ts'
import type { LimiterFor } from '../../../src/providers/rate-limit/rate-limiter.ts'

/** Permits of the counter of a rate limit. */
interface Permits {
  readonly background: number
  readonly windowMs: number
  taken: number
}

/**
 * Counts the requests of syncs against the rate limits that an adapter declares, without waiting: the clock of the
 * service stands still during a sync. The limiter of the service would spread the requests of a sync.
 */
export class CountedCalls {
  total = 0
  /** Requests of the sync with the most. */
  mostInSync = 0
  /** Time that the limiter of the service needs for the sync that uses the most of a limit. */
  longestMs = 0
  private inSync = 0
  private readonly permits = new Map<string, Permits>()

  readonly limiterFor: LimiterFor = ({ rateLimits, account, endpointOf }) => ({
    take: async (request) => {
      this.inSync++
      const endpoint = endpointOf?.(request) ?? `${request.method} ${request.path}`
      for (const { key, background, windowMs } of countersOf(rateLimits, account, endpoint)) {
        const permits = this.permits.get(key) ?? { background, windowMs, taken: 0 }
        permits.taken++
        this.permits.set(key, permits)
      }
      return () => undefined
    },
    pause: async () => undefined,
  })

  endSync(): void {
    const needed = [...this.permits.values()].map(
      ({ background, windowMs, taken }) => (taken / background) * windowMs,
    )
    this.longestMs = Math.max(this.longestMs, ...needed)
    this.mostInSync = Math.max(this.mostInSync, this.inSync)
    this.total += this.inSync
    this.inSync = 0
    this.permits.clear()
  }
}
