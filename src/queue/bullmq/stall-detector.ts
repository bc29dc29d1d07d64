import { STALL_TIMEOUT_MS } from '../queue.ts'

interface WatchedConsumer {
  waiting(): Promise<number>
  running(): number
  /** Number of jobs that the process has taken since its start. */
  taken(): number
  /** Called when jobs have waited for `forMs` and none was taken. */
  restart(forMs: number): void
}

/** Number of checks during the stall timeout. */
const CHECKS = 6

/** Detects a stalled consumer: jobs wait, but the consumer neither takes nor runs any. */
export class StallDetector {
  private since: number | null = null
  private takenBefore = 0
  private readonly timer: NodeJS.Timeout

  constructor(
    private readonly timeoutMs = STALL_TIMEOUT_MS,
    private readonly watched: WatchedConsumer,
  ) {
    this.timer = setInterval(() => void this.check(), timeoutMs / CHECKS).unref()
  }

  /** Whether the stall has lasted for a third of the timeout after which the consumer is restarted. */
  get isStalled(): boolean {
    return this.since !== null && performance.now() - this.since >= this.timeoutMs / 3
  }

  close(): void {
    clearInterval(this.timer)
  }

  private async check(): Promise<void> {
    // Without Redis there are no jobs to take, so an outage is not a stall.
    const waiting = await this.watched.waiting().catch(() => 0)
    const now = performance.now()
    const taken = this.watched.taken()
    if (waiting === 0 || this.watched.running() > 0 || taken > this.takenBefore) this.since = null
    else this.since ??= now
    this.takenBefore = taken
    if (this.since === null || now - this.since < this.timeoutMs) return
    this.since = null
    this.watched.restart(this.timeoutMs)
  }
}
