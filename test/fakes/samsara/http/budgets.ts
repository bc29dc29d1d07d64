import { Refusal } from './call.ts'

/** A rate limit: a number of requests in a period. */
export interface Budget {
  readonly name: string
  readonly requests: number
  readonly perSeconds: number
}

export interface Spent {
  requests: number
  refused: number
  /** Maximum of accepted requests within any window of this length. */
  most: number
}

interface Account {
  readonly spent: Spent
  /** Times of the accepted requests that still count. */
  readonly times: number[]
}

export const OF_TOKEN: Budget = { name: 'token', requests: 150, perSeconds: 1 }
export const OF_ORGANIZATION: Budget = { name: 'organization', requests: 200, perSeconds: 1 }

/** Applies rate limits in real time: the clock of a fleet may stand still. */
export class Budgets {
  private readonly accounts = new Map<string, Account>()
  /** Changed limits by name; `*` is every other. */
  readonly changed = new Map<string, number>()

  constructor(private readonly milliseconds: () => number) {}

  /** Accepts or rejects a request, before all other checks. */
  spend(organization: number, token: string, budget: Budget | null): void {
    const kept: [string, Budget][] = [
      [`${organization} ${OF_TOKEN.name} ${token}`, OF_TOKEN],
      [`${organization} ${OF_ORGANIZATION.name}`, OF_ORGANIZATION],
    ]
    if (budget) kept.push([`${organization} ${budget.name}`, budget])
    const accounts = kept.map(([key, budget]) => ({ budget, account: this.accountOf(key) }))
    for (const { account } of accounts) account.spent.requests++
    const full = accounts.find(({ account, budget }) => this.waitOf(account, budget) > 0)
    if (full) {
      full.account.spent.refused++
      const seconds = this.waitOf(full.account, full.budget) / 1000
      throw new Refusal(429, 'Exceeded rate limit.', { 'retry-after': seconds.toFixed(5) })
    }
    for (const { account } of accounts) {
      account.times.push(this.milliseconds())
      account.spent.most = Math.max(account.spent.most, account.times.length)
    }
  }

  /** Returns the usage by organization and limit. */
  report(): Record<string, Spent> {
    const reported = [...this.accounts].filter(([key]) => !key.includes(` ${OF_TOKEN.name} `))
    return Object.fromEntries(reported.map(([key, { spent }]) => [key, spent]))
  }

  reset(): void {
    this.accounts.clear()
  }

  private accountOf(key: string): Account {
    const account = this.accounts.get(key) ?? { spent: { requests: 0, refused: 0, most: 0 }, times: [] }
    this.accounts.set(key, account)
    return account
  }

  private waitOf({ times }: Account, { name, requests, perSeconds }: Budget): number {
    const now = this.milliseconds()
    while (times.length > 0 && (times[0] as number) <= now - perSeconds * 1000) times.shift()
    const room = this.changed.get(name) ?? this.changed.get('*') ?? requests
    const oldest = times[times.length - room]
    return oldest === undefined ? (room > 0 ? 0 : perSeconds * 1000) : oldest + perSeconds * 1000 - now
  }
}
