/** Estimated cost of the results that may be in progress at one time. */
const MAX_COST = 10_000
/** Least cost of a result, because also a small one has a context. */
const MIN_COST = 100

/**
 * Limits the results of events that one application has in progress. An event can have thousands of subscriptions.
 * Without a limit, all their results would be in memory at one time. Results begin in the order of their requests.
 */
export class ResultsInProgress {
  private cost = 0
  private readonly waiting: { readonly cost: number; readonly begin: () => void }[] = []

  /** Computes a result as soon as it may begin. A single result may always begin. */
  async run<T>(estimatedCost: number, compute: () => Promise<T>): Promise<T> {
    // Whole numbers add up exactly, so the cost in progress returns to 0.
    const cost = Math.max(MIN_COST, Math.ceil(estimatedCost))
    await this.begin(cost)
    try {
      return await compute()
    } finally {
      this.cost -= cost
      this.beginWaiting()
    }
  }

  private begin(cost: number): Promise<void> {
    return new Promise((begin) => {
      this.waiting.push({ cost, begin })
      this.beginWaiting()
    })
  }

  private beginWaiting(): void {
    for (let next = this.waiting[0]; next && this.mayBegin(next.cost); next = this.waiting[0]) {
      this.waiting.shift()
      this.cost += next.cost
      next.begin()
    }
  }

  private mayBegin(cost: number): boolean {
    return this.cost === 0 || this.cost + cost <= MAX_COST
  }
}
