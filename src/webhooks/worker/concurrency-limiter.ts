const POLL_INTERVAL_MS = 250

/**
 * Bounds how many requests are under way in a worker. One that takes long gives its place to others and goes on among
 * the slow ones, of which there may be many: receivers that never answer must not hold up those that do.
 */
export class ConcurrencyLimiter {
  private quick = new Map<symbol, number>()
  private slow = new Set<symbol>()
  private readonly waiting: ((slot: symbol) => void)[] = []
  private readonly timer: NodeJS.Timeout

  constructor(
    private readonly most: number,
    private readonly mostSlow: number,
    private readonly slowMs = 1000,
  ) {
    this.timer = setInterval(() => this.pass(performance.now()), POLL_INTERVAL_MS).unref()
  }

  get taken(): number {
    return this.quick.size + this.slow.size
  }

  /** A place, in the order in which they are asked for. */
  acquire(): Promise<symbol> | symbol {
    if (this.quick.size < this.most && this.waiting.length === 0) return this.give()
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  release(slot: symbol): void {
    this.slow.delete(slot)
    this.quick.delete(slot)
    this.fill()
  }

  close(): void {
    clearInterval(this.timer)
  }

  private give(): symbol {
    const slot = Symbol('slot')
    this.quick.set(slot, performance.now())
    return slot
  }

  private pass(now: number): void {
    for (const [slot, since] of this.quick) {
      if (now - since < this.slowMs || this.slow.size >= this.mostSlow) break
      this.quick.delete(slot)
      this.slow.add(slot)
    }
    this.fill()
  }

  private fill(): void {
    while (this.quick.size < this.most) {
      const next = this.waiting.shift()
      if (!next) return
      next(this.give())
    }
  }
}
