/** A rate limit: the most calls in any window of a length. */
export interface Limit {
  /** Key of the calls that share the limit. */
  readonly of: string
  readonly requests: number
  /** Length of the window. With 0, the limit applies to calls that run at the same time. */
  readonly milliseconds: number
}

interface Count extends Limit {
  calls: number
  /** Maximum within any window. */
  most: number
  /** Number of calls that exceeded the limit. */
  exceeded: number
  /** Start times of the calls that still count. */
  times: number[]
}

/**
 * Counts calls, also refused ones, and compares them with the limits. Windows slide in real time. A client that keeps
 * to sliding windows also keeps to fixed ones, such as whole minutes, which some providers use.
 */
export class Limits {
  private readonly counts = new Map<string, Count>()

  /** Counts the start of a call; a limit that occurs twice counts it twice. The returned function counts its end. */
  begin(limits: readonly Limit[]): () => void {
    const now = performance.now()
    const counts = limits.map((limit) => this.countOf(limit))
    for (const count of counts) {
      if (count.milliseconds > 0) count.times = count.times.filter((at) => at > now - count.milliseconds)
      count.times.push(now)
      count.calls++
      count.most = Math.max(count.most, count.times.length)
      if (count.times.length > count.requests) count.exceeded++
    }
    return () => {
      for (const { milliseconds, times } of counts)
        if (milliseconds === 0) times.splice(times.indexOf(now), 1)
    }
  }

  report(): readonly object[] {
    return [...this.counts.values()].map(({ times: _, ...reported }) => reported)
  }

  reset(): void {
    this.counts.clear()
  }

  private countOf(limit: Limit): Count {
    const key = `${limit.of} ${limit.milliseconds}`
    const count = this.counts.get(key) ?? { ...limit, calls: 0, most: 0, exceeded: 0, times: [] }
    this.counts.set(key, count)
    return count
  }
}
