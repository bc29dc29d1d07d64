/** A rate limit: a number of calls within any window of this length. */
export interface Limit {
  /** Key of the calls that are counted together. */
  readonly of: string
  readonly requests: number
  /** 0 limits concurrency instead, for calls of any duration. */
  readonly milliseconds: number
}

interface Count extends Limit {
  calls: number
  /** Maximum within any window. */
  most: number
  /** Number of calls above the limit. */
  exceeded: number
  /** Start times of the calls that still count. */
  times: number[]
}

/**
 * Counts all calls against the limits in real time, including refused ones. Real providers may be more
 * lenient and use fixed windows, for example whole minutes. Clients within these counts are within both.
 */
export class Limits {
  private readonly counts = new Map<string, Count>()

  /**
   * Counts a call. The returned function must be called after the response. A repeated limit counts twice.
   */
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
