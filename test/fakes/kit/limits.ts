/** What a provider permits: so many calls in any stretch of time that is so long. */
export interface Limit {
  /** Whose calls of what are counted together. */
  readonly of: string
  readonly requests: number
  /** 0: so many at once, however long they take. */
  readonly milliseconds: number
}

interface Count extends Limit {
  calls: number
  /** Of any stretch of time. */
  most: number
  /** How many calls were one too many. */
  exceeded: number
  /** When those began that still count. */
  times: number[]
}

/**
 * Counts all calls against what is permitted, those that are refused as well, by the time that really passes. A provider
 * may be more patient, and look only from one whole minute to the next: whoever is within these counts is within all.
 */
export class Limits {
  private readonly counts = new Map<string, Count>()

  /** Counts a call; what it gives back is called when it is answered. A limit that stands there twice counts twice. */
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
    return [...this.counts.values()].map(({ times: _, ...told }) => told)
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
