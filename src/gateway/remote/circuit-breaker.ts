const FAILURE_THRESHOLD = 3
const OPEN_MS = 1000

/**
 * Keeps a subgraph that does not answer from costing every request its patience. After some failures in a row it
 * refuses at once; the first request after each second asks whether the subgraph is back, and passes if it is.
 */
export class CircuitBreaker {
  private failures = 0
  private probedAt = -Infinity
  private isProbing: Promise<boolean> | null = null

  constructor(
    private readonly isBack: () => Promise<boolean>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  async allowsRequest(): Promise<boolean> {
    if (this.failures < FAILURE_THRESHOLD) return true
    if (!this.isProbing && this.now() - this.probedAt < OPEN_MS) return false
    return (this.isProbing ??= this.ask())
  }

  succeeded(): void {
    this.failures = 0
  }

  failed(): void {
    this.failures += 1
  }

  private async ask(): Promise<boolean> {
    const back = await this.isBack()
    if (back) this.succeeded()
    this.probedAt = this.now()
    this.isProbing = null
    return back
  }
}
