import { REFILL_MS, type RateLimitStatus } from '../../domain/rate-limit.ts'

/** Token bucket of an application, or of one of its keys, sessions or connections. */
export interface Bucket {
  readonly kind: 'application' | 'key' | 'session' | 'connection'
  readonly id: string
  readonly applicationId: string
  readonly pointsPerMinute: number
}

/** State of a bucket, as this process knows it. */
export interface BucketState {
  /** Time at which the bucket is full again. */
  fullAt: number
  /** Points that this process has taken from Redis and not spent yet. */
  held: number
  /** Whether a request is taking a block of points from Redis. */
  isRefilling: boolean
}

/** Returns the status of the bucket that is closest to its limit: first by its wait, then by its remaining share. */
export function closestToLimit(
  buckets: readonly Bucket[],
  states: readonly BucketState[],
  waits: readonly number[],
  now: number,
): RateLimitStatus {
  let closest: RateLimitStatus | undefined
  let leastShare = Infinity
  for (const [index, { kind, pointsPerMinute }] of buckets.entries()) {
    const { fullAt, held } = states[index] as BucketState
    const waitMs = waits[index] ?? 0
    const msUntilFull = Math.max(0, fullAt - now)
    const remaining = Math.max(0, (1 - msUntilFull / REFILL_MS) * pointsPerMinute + held)
    const share = remaining / pointsPerMinute
    if (closest && (waitMs < closest.waitMs || (waitMs === closest.waitMs && share >= leastShare))) continue
    leastShare = share
    closest = { policy: kind, pointsPerMinute, remainingPoints: Math.floor(remaining), msUntilFull, waitMs }
  }
  if (!closest) throw new Error('a request without buckets has no limit')
  return closest
}
