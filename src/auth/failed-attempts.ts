import { LRUCache } from 'lru-cache'
import { PublicError } from '../domain/errors.ts'
import { refillMsOf, toRetryAfterSeconds, waitMsFor } from '../domain/rate-limit.ts'
import { rateLimitRefusals } from '../platform/instrumentation.ts'
import { networkOf } from '../platform/remote-address.ts'

const MAX_ADDRESSES = 10_000

/** Limits the failed authentications from each address, in this process. */
export class FailedAttempts {
  /** Times at which the buckets of addresses are full again. */
  private readonly fullAt = new LRUCache<string, number>({ max: MAX_ADDRESSES })

  constructor(
    private readonly perMinute: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Throws `too_many_requests` if the address has used up its failed attempts. */
  check(address: string): void {
    const waitMs = waitMsFor(this.msUntilFull(address), refillMsOf(1, this.perMinute))
    if (waitMs === 0) return
    rateLimitRefusals.emit({ bucket: 'address', applicationId: null })
    throw new PublicError(
      'too_many_requests',
      'There were too many requests with wrong credentials from this address.',
      { retryAfterSeconds: toRetryAfterSeconds(waitMs) },
    )
  }

  /** Counts a failed attempt. */
  add(address: string): void {
    const msUntilFull = this.msUntilFull(address) + refillMsOf(1, this.perMinute)
    this.fullAt.set(networkOf(address), this.nowMs() + msUntilFull)
  }

  private msUntilFull(address: string): number {
    return Math.max(0, (this.fullAt.get(networkOf(address)) ?? 0) - this.nowMs())
  }
}
