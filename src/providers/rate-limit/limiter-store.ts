import type { LimitCounter } from './rate-limit.ts'

/** A request that wants its turn. */
export interface PermitRequest {
  readonly id: string
  readonly provider: string
  /** Whose account it is for; a digest. */
  readonly account: string
  readonly live: boolean
  /** The narrowest first. */
  readonly counters: readonly LimitCounter[]
}

/** How long a request waits at least, and whether that is because the provider said so. */
export interface PermitWait {
  readonly waitMs: number
  readonly paused: boolean
}

/**
 * Who has taken what of which budget, and who waits. What is taken counts from the turn until a window after the
 * answer: wherever in between the provider counted it, no window of the provider's holds more than the budget.
 */
export interface LimiterStore {
  /** Takes one of each counter, or gives the wait after which to ask again; whoever waits keeps its place in line. */
  take(ask: PermitRequest): Promise<PermitWait | null>
  /** The request was answered, or never will be. */
  settle(ask: PermitRequest): void
  /** The request gives up its place in line. */
  leave(ask: PermitRequest): void
  /** No turns for an account for so long, from when this resolves. */
  pause(provider: string, account: string, ms: number): Promise<void>
  close(): Promise<void>
}

/** What is under way is given up after this long, for the process that asked may have died: no request takes longer. */
export const LEASE_MS = 30_000
/** Who does not come back in time loses the place in line. */
export const GRACE_MS = 2_000
/** Where nothing says when there will be room. */
export const MIN_WAIT_MS = 50
