import { STALL_TIMEOUT_MS } from '../queue.ts'

interface WatchedConsumer {
  waiting(): Promise<number>
  running(): number
  /** How many jobs it has taken since its start. */
  taken(): number
  /** Called when jobs have been waiting for so long and none was taken. */
  restart(forMs: number): void
}

const CHECKS = 6

/** Watches a consumer: while jobs wait it should be taking or running some. */
export class StallDetector {
  private since: number | null = null
  private takenBefore = 0
  private readonly timer: NodeJS.Timeout

  constructor(
    private readonly longestMs = STALL_TIMEOUT_MS,
    private readonly watched: WatchedConsumer,
  ) {
    this.timer = setInterval(() => void this.check(), longestMs / CHECKS).unref()
  }

  /** Whether it has lasted for a third of the time after which the consumer is made anew. */
  get isLong(): boolean {
    return this.since !== null && performance.now() - this.since >= this.longestMs / 3
  }

  close(): void {
    clearInterval(this.timer)
  }

  private async check(): Promise<void> {
    // Without Redis there is nothing to take: that is no standstill.
    const waiting = await this.watched.waiting().catch(() => 0)
    const now = performance.now()
    const taken = this.watched.taken()
    if (waiting === 0 || this.watched.running() > 0 || taken > this.takenBefore) this.since = null
    else this.since ??= now
    this.takenBefore = taken
    if (this.since === null || now - this.since < this.longestMs) return
    this.since = null
    this.watched.restart(this.longestMs)
  }
}
