import type { LimitCounter } from './rate-limit.ts'

/** Request for a permit. `id` identifies it until it leaves the queue or is settled. */
export interface PermitRequest {
  readonly id: string
  readonly provider: string
  /** Digest of the account: the account itself may be a credential. */
  readonly account: string
  readonly live: boolean
  /** Counters of the request, narrowest first. */
  readonly counters: readonly LimitCounter[]
}

/** Minimum wait of a request, and whether a pause that the provider asked for is the reason. */
export interface PermitWait {
  readonly waitMs: number
  readonly paused: boolean
}

/**
 * Permits and queues of rate limit counters. A permit counts from the request until one window after its
 * response. The provider counts the request at some time between the two, so the limit holds in each of its
 * windows.
 */
export interface LimiterStore {
  /**
   * Takes a permit from each counter and returns null, or returns the wait before the next call. A waiting
   * request keeps its position in the queue.
   */
  take(request: PermitRequest): Promise<PermitWait | null>
  /** Starts the window of a permit: the request was answered, or never will be. */
  settle(request: PermitRequest): void
  /** Removes the request from the queue. */
  leave(request: PermitRequest): void
  /** Blocks an account for a duration that starts when the promise resolves. */
  pause(provider: string, account: string, ms: number): Promise<void>
  close(): Promise<void>
}

/** Time for which a permit counts without a response, because its process may have died. No request takes longer. */
export const LEASE_MS = 30_000
/** A waiting request that does not return within this time loses its position in the queue. */
export const QUEUE_GRACE_MS = 2_000
/** Wait if the time of the next free permit is unknown. */
export const MIN_WAIT_MS = 50
