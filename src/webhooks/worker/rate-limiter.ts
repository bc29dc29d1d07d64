/** So many a second, evenly; a pause is not made up for by a burst. */
export class DeliveryRateLimiter {
  private nextAt = 0

  constructor(private readonly perSecond: number | null) {}

  /** Takes the next turn; gives how long to wait for it. Times are in milliseconds of any clock that only advances. */
  take(now: number): number {
    if (this.perSecond === null) return 0
    const at = Math.max(now, this.nextAt)
    this.nextAt = at + 1000 / this.perSecond
    return at - now
  }
}
