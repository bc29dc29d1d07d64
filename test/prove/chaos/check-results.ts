const MAX_REPORTED = 8

/** Number of checks of each oracle, and its violations: the first few of each line in full. */
export class CheckResults {
  readonly problems: string[] = []
  private readonly counts = new Map<string, number>()
  private wrong = 0

  constructor(readonly description: string) {}

  count(what: string, by = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + by)
  }

  holds(condition: unknown, problem: string): void {
    if (condition) return
    this.wrong++
    if (this.problems.length < MAX_REPORTED) this.problems.push(`${this.description}: ${problem}`)
  }

  line(): string {
    const counts = [...this.counts].map(([what, count]) => `${count} ${what}`).join(', ')
    return `${this.wrong === 0 ? 'holds' : `WRONG ×${this.wrong}`}  ${this.description}: ${counts}`
  }
}
