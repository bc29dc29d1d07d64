/** Number of consecutive failures that opens the circuit. */
const FAILURE_THRESHOLD = 3
/** Time between two probes. */
const PROBE_INTERVAL_MS = 1000

/**
 * Circuit breaker of a remote subgraph. After consecutive failures the circuit opens: requests fail at once instead of
 * waiting for the timeout. While it is open, one request per second runs a probe. If the subgraph answers, the
 * circuit closes.
 */
export class CircuitBreaker {
  private failures = 0
  private probedAt = -Infinity
  private probe: Promise<boolean> | null = null

  constructor(
    private readonly isBack: () => Promise<boolean>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  async allowsRequest(): Promise<boolean> {
    if (this.failures < FAILURE_THRESHOLD) return true
    if (!this.probe && this.now() - this.probedAt < PROBE_INTERVAL_MS) return false
    return (this.probe ??= this.runProbe())
  }

  succeeded(): void {
    this.failures = 0
  }

  failed(): void {
    this.failures += 1
  }

  private async runProbe(): Promise<boolean> {
    const isBack = await this.isBack()
    if (isBack) this.succeeded()
    this.probedAt = this.now()
    this.probe = null
    return isBack
  }
}
