import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { ProviderError } from '../provider-error.ts'
import { type LimitedRequest, type RateLimit, countersOf, digestOf, type Priority } from './rate-limit.ts'
import type { PermitRequest, LimiterStore } from './limiter-store.ts'

/** Rate limiter of one account's requests. */
export interface RateLimiter {
  /** Waits for a permit. Returns a function to call when the request was answered or will not be. */
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

/** The request was aborted before it got a permit; the provider received nothing. */
export class QueueTimeout extends Error {
  override readonly name = 'AbortError'
}

/** Creates the rate limiter of an account for an adapter. */
export type LimiterFor = (request: LimiterRequest) => RateLimiter

/** Maximum wait for a permit. A caller has a deadline; a job can wait longer. */
const MAX_QUEUE_WAIT_MS: Readonly<Record<Priority, number>> = { live: 10_000, background: 300_000 }
/** A longer pause is left to the retry of the job. */
const MAX_PAUSE_WAIT_MS = 15_000
/**
 * Maximum pause, even if a provider requests more. A longer one would hide that the provider has recovered.
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
        await waitForPermit(store, permitRequest, MAX_QUEUE_WAIT_MS[priority], signal)
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

/** Waits and retries until the store grants a permit. Requests with precedence can make it wait again. */
async function waitForPermit(
  store: LimiterStore,
  permitRequest: PermitRequest,
  maxWaitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    if (signal.aborted) throw queueTimeout(signal)
    const refusal = await store.take(permitRequest)
    if (!refusal) return
    const { waitMs, paused } = refusal
    const leftMs = maxWaitMs - (performance.now() - startedAt)
    if (waitMs > leftMs || (paused && waitMs > MAX_PAUSE_WAIT_MS)) throw limited(waitMs, paused)
    await wait(waitMs, undefined, { signal }).catch(() => Promise.reject(queueTimeout(signal)))
  }
}

const queueTimeout = ({ reason }: AbortSignal): QueueTimeout =>
  new QueueTimeout('the request was aborted before it got a permit', { cause: reason })

const limited = (retryAfterMs: number, paused: boolean): ProviderError =>
  new ProviderError(
    'limited',
    paused ? 'the provider asked for a pause' : 'the rate limit of the provider is used up',
    { retryAfterMs },
  )

/** Rate limiter without limits. */
export const unlimited: RateLimiter = { take: async () => () => undefined, pause: async () => undefined }
