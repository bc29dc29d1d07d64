const INTERVAL_MS = 100

/** Memory of each process by its name. */
type Memory = ReadonlyMap<string, number>

/** Samples the memory of several processes. */
export class PeakGrowth {
  private peak = 0
  private readonly timer = setInterval(() => this.sample(), INTERVAL_MS)

  constructor(
    private readonly idle: Memory,
    private readonly read: () => Memory,
  ) {}

  /** Returns the largest growth of a process above its idle memory, in bytes. */
  stop(): number {
    clearInterval(this.timer)
    this.sample()
    return this.peak
  }

  private sample(): void {
    for (const [name, bytes] of this.read()) this.peak = Math.max(this.peak, bytes - this.idle.get(name)!)
  }
}
