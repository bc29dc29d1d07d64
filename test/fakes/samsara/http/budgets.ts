import { Refusal } from './call.ts'

export interface Budget {
  readonly name: string
  readonly requests: number
  readonly perSeconds: number
}

export interface BudgetReport {
  requests: number
  refused: number
  /** Most accepted requests in any window. */
  most: number
}

interface Usage {
  readonly spent: BudgetReport
  /** Times of the accepted requests in the current window. */
  readonly times: number[]
}

export const TOKEN_BUDGET: Budget = { name: 'token', requests: 150, perSeconds: 1 }
export const ORGANIZATION_BUDGET: Budget = { name: 'organization', requests: 200, perSeconds: 1 }

/** Applies rate limits in real time, because the clock of a fleet can stand still. */
export class Budgets {
  private readonly usages = new Map<string, Usage>()
  /** Limits that a test changed, by name; `*` stands for all others. */
  readonly changed = new Map<string, number>()

  constructor(private readonly milliseconds: () => number) {}

  /** Counts a request. Throws if it exceeds a limit. */
  spend(organization: number, token: string, budget: Budget | null): void {
    const applied: [string, Budget][] = [
      [`${organization} ${TOKEN_BUDGET.name} ${token}`, TOKEN_BUDGET],
      [`${organization} ${ORGANIZATION_BUDGET.name}`, ORGANIZATION_BUDGET],
    ]
    if (budget) applied.push([`${organization} ${budget.name}`, budget])
    const usages = applied.map(([key, budget]) => ({ budget, usage: this.usageOf(key) }))
    for (const { usage } of usages) usage.spent.requests++
    const exceeded = usages.find(({ usage, budget }) => this.waitOf(usage, budget) > 0)
    if (exceeded) {
      exceeded.usage.spent.refused++
      const seconds = this.waitOf(exceeded.usage, exceeded.budget) / 1000
      throw new Refusal(429, 'Exceeded rate limit.', { 'retry-after': seconds.toFixed(5) })
    }
    for (const { usage } of usages) {
      usage.times.push(this.milliseconds())
      usage.spent.most = Math.max(usage.spent.most, usage.times.length)
    }
  }

  /** Returns the usage of each limit by organization, except those of tokens. */
  report(): Record<string, BudgetReport> {
    const reported = [...this.usages].filter(([key]) => !key.includes(` ${TOKEN_BUDGET.name} `))
    return Object.fromEntries(reported.map(([key, { spent }]) => [key, spent]))
  }

  reset(): void {
    this.usages.clear()
  }

  private usageOf(key: string): Usage {
    const usage = this.usages.get(key) ?? { spent: { requests: 0, refused: 0, most: 0 }, times: [] }
    this.usages.set(key, usage)
    return usage
  }

  private waitOf({ times }: Usage, { name, requests, perSeconds }: Budget): number {
    const now = this.milliseconds()
    while (times.length > 0 && (times[0] as number) <= now - perSeconds * 1000) times.shift()
    const room = this.changed.get(name) ?? this.changed.get('*') ?? requests
    const oldest = times[times.length - room]
    return oldest === undefined ? (room > 0 ? 0 : perSeconds * 1000) : oldest + perSeconds * 1000 - now
  }
}
