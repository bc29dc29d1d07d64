/**
 * Arithmetic of a token bucket (GCRA). A bucket holds the points of one minute and refills evenly. Its state is one
 * number: the time until it is full again, from 0 (full) to one minute (empty).
 */

/** Time in which an empty bucket becomes full. */
export const REFILL_MS = 60_000

/** Limits of a rate, in points a minute. A request takes at least 100 points. */
export const MIN_POINTS_PER_MINUTE = 100
export const MAX_POINTS_PER_MINUTE = 1_000_000_000

/** Returns the time in which a bucket refills a number of points. */
export const refillMsOf = (points: number, pointsPerMinute: number): number =>
  (points * REFILL_MS) / pointsPerMinute

/**
 * Returns the wait until points can be taken; 0 if they can be taken now. A request for more points than the bucket
 * holds needs a full bucket, which then takes longer than a minute to refill. The rate therefore holds for every
 * request.
 */
export const waitMsFor = (msUntilFull: number, refillMs: number): number =>
  Math.max(0, msUntilFull + refillMs - Math.max(REFILL_MS, refillMs))

/** Converts a wait to whole seconds that suffice. */
export const toRetryAfterSeconds = (waitMs: number): number => Math.max(1, Math.ceil(waitMs / 1000))

/** State of the rate limit of a request that is closest to being used up. */
export interface RateLimitStatus {
  /** What the limit applies to, such as `application`. */
  readonly policy: string
  readonly pointsPerMinute: number
  readonly remainingPoints: number
  readonly msUntilFull: number
  /** Wait before the request can be accepted; 0 if it was accepted. */
  readonly waitMs: number
}
