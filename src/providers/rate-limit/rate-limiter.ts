import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { ProviderError } from '../provider-error.ts'
import { type LimitedRequest, type RateLimit, countersOf, digestOf, type Priority } from './rate-limit.ts'
import type { PermitRequest, LimiterStore } from './limiter-store.ts'

/** The turns of one account's requests. */
export interface RateLimiter {
  /** Waits for the turn of a request, and gives what is to be called when it has been answered, or never will be. */
  take(request: LimitedRequest, signal: AbortSignal): Promise<() => void>
  /** Stops all processes from asking for this account, for so long. */
  pause(ms: number): Promise<void>
}

interface LimiterRequest {
  readonly provider: string
  readonly rateLimits: readonly RateLimit[]
  /** Whatever tells this account from others at the provider. */
  readonly account: string
  readonly priority: Priority
  /** What the provider counts a request as, where its path does not tell. */
  endpointOf?(request: LimitedRequest): string
}

/** Its asker's time was over before the turn of a request came: the provider was not asked. */
export class QueueTimeout extends Error {
  override readonly name = 'AbortError'
}

/** Gives an adapter the turns of an account. */
export type LimiterFor = (request: LimiterRequest) => RateLimiter

/** The longest a request waits in line: a caller has its deadline, and a job has time. */
const MAX_QUEUE_WAIT_MS: Readonly<Record<Priority, number>> = { live: 10_000, background: 300_000 }
/** A pause that is longer than this is the job's to keep, not the request's. */
const MAX_PAUSE_WAIT_MS = 15_000
/** Whatever a provider says: nobody would notice that it has stopped saying so. */
const MAX_PAUSE_MS = 900_000

/** Has every request of an account wait for its turn in the budgets that it is counted in. */
export function createRateLimiter(
  store: LimiterStore,
  { provider, rateLimits, account, priority, endpointOf = named }: LimiterRequest,
): RateLimiter {
  const digest = digestOf(account)
  const askOf = (request: LimitedRequest): PermitRequest => ({
    id: randomUUID(),
    provider,
    account: digest,
    live: priority === 'live',
    counters: countersOf(rateLimits, digest, endpointOf(request)),
  })
  return {
    async take(request, signal) {
      const ask = askOf(request)
      try {
        await waitForPermit(store, ask, MAX_QUEUE_WAIT_MS[priority], signal)
      } catch (error) {
        store.leave(ask)
        throw error
      }
      return () => store.settle(ask)
    },
    pause: (ms) => store.pause(provider, digest, Math.min(Math.max(ms, 1), MAX_PAUSE_MS)),
  }
}

const named = ({ method, path }: LimitedRequest): string => `${method} ${path}`

/** Sleeps as long as it is told to, again where others were served first. */
async function waitForPermit(
  store: LimiterStore,
  ask: PermitRequest,
  longestMs: number,
  signal: AbortSignal,
): Promise<void> {
  const begun = performance.now()
  for (;;) {
    if (signal.aborted) throw queueTimeout(signal)
    const told = await store.take(ask)
    if (!told) return
    const { waitMs, paused } = told
    const leftMs = longestMs - (performance.now() - begun)
    if (waitMs > leftMs || (paused && waitMs > MAX_PAUSE_WAIT_MS)) throw limited(waitMs, paused)
    await wait(waitMs, undefined, { signal }).catch(() => Promise.reject(queueTimeout(signal)))
  }
}

const queueTimeout = ({ reason }: AbortSignal): QueueTimeout =>
  new QueueTimeout("the time was over before the request's turn came", { cause: reason })

const limited = (retryAfterMs: number, paused: boolean): ProviderError =>
  new ProviderError(
    'limited',
    paused ? 'the provider asked for a pause' : "the provider's budget of requests is used up",
    { retryAfterMs },
  )

/** Where nothing is limited. */
export const unlimited: RateLimiter = { take: async () => () => undefined, pause: async () => undefined }
