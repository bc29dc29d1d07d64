/**
 * Rate limiter with evenly spaced permits; unused permits do not accumulate. `perSecond` null is no limit.
 */
export class DeliveryRateLimiter {
  private nextAt = 0

  constructor(private readonly perSecond: number | null) {}

  /** Takes the next permit. Returns the wait for it in ms; `now` is in ms of any clock that only advances. */
  take(now: number): number {
    if (this.perSecond === null) return 0
    const at = Math.max(now, this.nextAt)
    this.nextAt = at + 1000 / this.perSecond
    return at - now
  }
}
