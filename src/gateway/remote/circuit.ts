const MOST_FAILURES = 3
const REST_MS = 1000

/**
 * Keeps a subgraph that does not answer from costing every request its patience. After some failures in a row it
 * refuses at once; the first request after each second asks whether the subgraph is back, and passes if it is.
 */
export class Circuit {
  private failures = 0
  private askedAt = -Infinity
  private asking: Promise<boolean> | null = null

  constructor(
    private readonly isBack: () => Promise<boolean>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  async admits(): Promise<boolean> {
    if (this.failures < MOST_FAILURES) return true
    if (!this.asking && this.now() - this.askedAt < REST_MS) return false
    return (this.asking ??= this.ask())
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
    this.askedAt = this.now()
    this.asking = null
    return back
  }
}
