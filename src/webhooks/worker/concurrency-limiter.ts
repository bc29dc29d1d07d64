const POLL_INTERVAL_MS = 250

/**
 * Limits the in-flight requests of a worker. A request that takes longer than `slowMs` moves to the slow
 * slots, of which there are more, and frees its quick slot. Receivers that never answer therefore do not
 * delay those that do.
 */
export class ConcurrencyLimiter {
  private quick = new Map<symbol, number>()
  private slow = new Set<symbol>()
  private readonly waiting: ((slot: symbol) => void)[] = []
  private readonly timer: NodeJS.Timeout

  constructor(
    private readonly maxQuick: number,
    private readonly maxSlow: number,
    private readonly slowMs = 1000,
  ) {
    this.timer = setInterval(() => this.demoteSlow(performance.now()), POLL_INTERVAL_MS).unref()
  }

  get taken(): number {
    return this.quick.size + this.slow.size
  }

  /** Acquires a slot; callers get slots in the order of their calls. */
  acquire(): Promise<symbol> | symbol {
    if (this.quick.size < this.maxQuick && this.waiting.length === 0) return this.grant()
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  release(slot: symbol): void {
    this.slow.delete(slot)
    this.quick.delete(slot)
    this.grantWaiting()
  }

  close(): void {
    clearInterval(this.timer)
  }

  private grant(): symbol {
    const slot = Symbol('slot')
    this.quick.set(slot, performance.now())
    return slot
  }

  private demoteSlow(now: number): void {
    for (const [slot, since] of this.quick) {
      if (now - since < this.slowMs || this.slow.size >= this.maxSlow) break
      this.quick.delete(slot)
      this.slow.add(slot)
    }
    this.grantWaiting()
  }

  private grantWaiting(): void {
    while (this.quick.size < this.maxQuick) {
      const next = this.waiting.shift()
      if (!next) return
      next(this.grant())
    }
  }
}
