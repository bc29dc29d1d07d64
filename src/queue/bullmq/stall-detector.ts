import { STALL_TIMEOUT_MS } from '../queue.ts'

interface WatchedConsumer {
  waiting(): Promise<number>
  running(): number
  /** Number of jobs that the process has taken since its start. */
  taken(): number
  /** Called when jobs have waited for `forMs` while none was taken and none ran. */
  restart(forMs: number): void
}

/** Number of checks during the stall timeout. */
const CHECKS_PER_TIMEOUT = 6

/** Detects a stalled consumer: jobs wait, but the consumer neither takes nor runs any. */
export class StallDetector {
  private stalledSince: number | null = null
  private takenAtLastCheck = 0
  private readonly timer: NodeJS.Timeout

  constructor(
    private readonly timeoutMs = STALL_TIMEOUT_MS,
    private readonly watched: WatchedConsumer,
  ) {
    this.timer = setInterval(() => void this.check(), timeoutMs / CHECKS_PER_TIMEOUT).unref()
  }

  /**
   * Whether the stall has lasted for a third of `timeoutMs`. After the whole `timeoutMs`, the consumer is restarted.
   */
  get isStalled(): boolean {
    return this.stalledSince !== null && performance.now() - this.stalledSince >= this.timeoutMs / 3
  }

  close(): void {
    clearInterval(this.timer)
  }

  private async check(): Promise<void> {
    // Without Redis there are no jobs to take, so an outage is not a stall.
    const waiting = await this.watched.waiting().catch(() => 0)
    const now = performance.now()
    const taken = this.watched.taken()
    if (waiting === 0 || this.watched.running() > 0 || taken > this.takenAtLastCheck) this.stalledSince = null
    else this.stalledSince ??= now
    this.takenAtLastCheck = taken
    if (this.stalledSince === null || now - this.stalledSince < this.timeoutMs) return
    this.stalledSince = null
    this.watched.restart(this.timeoutMs)
  }
}
