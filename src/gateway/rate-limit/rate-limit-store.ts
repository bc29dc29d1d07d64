import { LRUCache } from 'lru-cache'
import { refillMsOf, type RateLimitStatus, waitMsFor } from '../../domain/rate-limit.ts'
import { type Bucket, type BucketState, closestToLimit } from './bucket.ts'
import type { SharedBuckets } from './shared-buckets.ts'

const MAX_BUCKETS = 100_000
/** Share of the points of a minute that the gateways together may hold unspent. */
const HELD_SHARE = 0.01
/** Added to the wait of a refusal: the state of a shared bucket is behind Redis by up to a round trip. */
const ROUND_TRIP_MS = 100

type Shared = Pick<SharedBuckets, 'take' | 'gateways' | 'isAvailable'>

/**
 * Buckets of the callers of this process. With Redis, all gateways share them: this process takes blocks of points from
 * Redis and spends them without a round trip. Its state of a bucket is then a lower limit of the time until the bucket
 * is full, because other gateways take points too. While Redis is unavailable, this process continues from that state,
 * with the rate divided by the number of gateways.
 */
export class RateLimitStore {
  private readonly states = new LRUCache<string, BucketState>({ max: MAX_BUCKETS })

  constructor(
    private readonly shared: Shared | null = null,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Takes points from all buckets or from none. */
  take(buckets: readonly Bucket[], points: number): RateLimitStatus | Promise<RateLimitStatus> {
    const states = buckets.map((bucket) => this.stateOf(bucket))
    if (!this.shared) return this.takeLocally(buckets, states, points, 1)
    if (!this.shared.isAvailable) return this.takeLocally(buckets, states, points, this.shared.gateways)
    const now = this.nowMs()
    if (states.every(({ held }) => held >= points)) {
      for (const state of states) state.held -= points
      return closestToLimit(buckets, states, [], now)
    }
    // A refusal by Redis holds until the points have refilled, so a flood of requests does not reach Redis.
    const waits = waitsFor(buckets, states, points, now)
    if (waits.some((wait) => wait > 0)) return refusedByRedis(buckets, states, waits, now)
    return this.takeShared(this.shared, buckets, states, points)
  }

  private stateOf({ kind, id }: Bucket): BucketState {
    const key = `${kind}:${id}`
    const known = this.states.get(key)
    if (known) return known
    const state: BucketState = { fullAt: 0, held: 0, isRefilling: false }
    this.states.set(key, state)
    return state
  }

  private takeLocally(
    buckets: readonly Bucket[],
    states: readonly BucketState[],
    points: number,
    gateways: number,
  ): RateLimitStatus {
    const now = this.nowMs()
    const waits = waitsFor(buckets, states, points, now, gateways)
    if (waits.some((wait) => wait > 0)) return closestToLimit(buckets, states, waits, now)
    for (const [index, bucket] of buckets.entries()) {
      const state = states[index] as BucketState
      const needed = spendHeld(state, points)
      state.fullAt = Math.max(state.fullAt, now) + refillMsOf(needed, bucket.pointsPerMinute / gateways)
    }
    return closestToLimit(buckets, states, [], now)
  }

  private async takeShared(
    shared: Shared,
    buckets: readonly Bucket[],
    states: readonly BucketState[],
    points: number,
  ): Promise<RateLimitStatus> {
    const sentAt = this.nowMs()
    const requests = buckets.map((bucket, index) => {
      const state = states[index] as BucketState
      const needed = spendHeld(state, points)
      // Only one request at a time takes a block. The others take what they need, so that blocks do not add up.
      const takesBlock = needed > 0 && !state.isRefilling
      if (takesBlock) state.isRefilling = true
      const block = Math.floor((bucket.pointsPerMinute * HELD_SHARE) / shared.gateways)
      const wanted = takesBlock ? Math.max(needed, block) : needed
      return { bucket, needed, wanted, msUntilFull: Math.max(0, state.fullAt - sentAt), state, takesBlock }
    })
    const release = () => {
      for (const { state, takesBlock } of requests) if (takesBlock) state.isRefilling = false
    }
    const giveBack = () => {
      for (const { state, needed } of requests) state.held += points - needed
    }
    try {
      const { isAccepted, buckets: results } = await shared.take(requests)
      for (const [index, { state, needed }] of requests.entries()) {
        const { taken = 0, msUntilFull = 0 } = results[index] ?? {}
        // The script ran after `sentAt`, so this is a lower limit.
        state.fullAt = Math.max(state.fullAt, sentAt + msUntilFull)
        if (isAccepted) state.held += taken - needed
      }
      const now = this.nowMs()
      if (isAccepted) return closestToLimit(buckets, states, [], now)
      giveBack()
      return refusedByRedis(buckets, states, waitsFor(buckets, states, points, now), now)
    } catch {
      giveBack()
      return this.takeLocally(buckets, states, points, shared.gateways)
    } finally {
      release()
    }
  }
}

function refusedByRedis(...args: Parameters<typeof closestToLimit>): RateLimitStatus {
  const status = closestToLimit(...args)
  return { ...status, waitMs: status.waitMs + ROUND_TRIP_MS }
}

/** Spends held points. Returns the number of points that are still needed. */
function spendHeld(state: BucketState, points: number): number {
  const spent = Math.min(state.held, points)
  state.held -= spent
  return points - spent
}

/** Returns the wait of each bucket until it has the points. */
const waitsFor = (
  buckets: readonly Bucket[],
  states: readonly BucketState[],
  points: number,
  now: number,
  gateways = 1,
): number[] =>
  buckets.map(({ pointsPerMinute }, index) => {
    const { fullAt, held } = states[index] as BucketState
    const needed = points - Math.min(held, points)
    if (needed === 0) return 0
    return waitMsFor(Math.max(0, fullAt - now), refillMsOf(needed, pointsPerMinute / gateways))
  })
