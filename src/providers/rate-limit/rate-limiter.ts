import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { ProviderError } from '../provider-error.ts'
import { type LimitedRequest, type RateLimit, countersOf, digestOf, type Priority } from './rate-limit.ts'
import type { PermitRequest, LimiterStore } from './limiter-store.ts'

/** Rate limiter of one account's requests. */
export interface RateLimiter {
  /** Waits for a permit. Returns a function to call once the request has been answered, or never will be. */
  take(request: LimitedRequest, signal: AbortSignal): Promise<() => void>
  /** Pauses the requests of this account in all processes. */
  pause(ms: number): Promise<void>
}

interface LimiterRequest {
  readonly provider: string
  readonly rateLimits: readonly RateLimit[]
  /** Any text that identifies the account at the provider. */
  readonly account: string
  readonly priority: Priority
  /** Name under which the provider counts a request, if its path does not identify it. */
  endpointOf?(request: LimitedRequest): string
}

/** Error of a request that was aborted before it got a permit. The provider has not received it. */
export class QueueTimeout extends Error {
  override readonly name = 'AbortError'
}

/** Creates the rate limiter of an account for an adapter. */
export type LimiterFor = (request: LimiterRequest) => RateLimiter

/** Maximum wait for a permit. A `live` request has a caller with a deadline; the job of a background one can wait. */
const MAX_QUEUE_WAIT_MS: Readonly<Record<Priority, number>> = { live: 10_000, background: 300_000 }
/** Maximum pause for which a request waits. With a longer one it fails, and its job runs again later. */
const MAX_PAUSE_WAIT_MS = 15_000
/**
 * Maximum pause, even if a provider asks for more. During a longer one, nobody would notice that the provider has
 * recovered.
 */
const MAX_PAUSE_MS = 900_000

/** Creates a rate limiter. Each request waits until all its counters permit it. */
export function createRateLimiter(
  store: LimiterStore,
  { provider, rateLimits, account, priority, endpointOf = methodAndPath }: LimiterRequest,
): RateLimiter {
  const digest = digestOf(account)
  const permitRequestOf = (request: LimitedRequest): PermitRequest => ({
    id: randomUUID(),
    provider,
    account: digest,
    live: priority === 'live',
    counters: countersOf(rateLimits, digest, endpointOf(request)),
  })
  return {
    async take(request, signal) {
      const permitRequest = permitRequestOf(request)
      try {
        await waitForPermit(store, permitRequest, priority, signal)
      } catch (error) {
        store.leave(permitRequest)
        throw error
      }
      return () => store.settle(permitRequest)
    },
    pause: (ms) => store.pause(provider, digest, Math.min(Math.max(ms, 1), MAX_PAUSE_MS)),
  }
}

const methodAndPath = ({ method, path }: LimitedRequest): string => `${method} ${path}`

/** Waits and asks again until the store grants a permit: requests of higher priority may take the free ones. */
async function waitForPermit(
  store: LimiterStore,
  permitRequest: PermitRequest,
  priority: Priority,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    if (signal.aborted) throw queueTimeout(signal)
    const permitWait = await store.take(permitRequest)
    if (!permitWait) return
    const { waitMs, paused } = permitWait
    const leftMs = MAX_QUEUE_WAIT_MS[priority] - (performance.now() - startedAt)
    if (waitMs > leftMs || (paused && waitMs > MAX_PAUSE_WAIT_MS)) throw limitedError(waitMs, paused)
    await wait(waitMs, undefined, { signal }).catch(() => {
      // The deadline of a caller is over because of the rate limit. A job just continues later.
      throw priority === 'live' ? limitedError(waitMs, paused) : queueTimeout(signal)
    })
  }
}

const queueTimeout = ({ reason }: AbortSignal): QueueTimeout =>
  new QueueTimeout('the request was aborted before it got a permit', { cause: reason })

const limitedError = (retryAfterMs: number, paused: boolean): ProviderError =>
  new ProviderError(
    'limited',
    paused ? 'the provider asked for a pause' : 'the rate limit of the provider is used up',
    { retryAfterMs },
  )

/** Rate limiter without limits. */
export const unlimited: RateLimiter = { take: async () => () => undefined, pause: async () => undefined }
