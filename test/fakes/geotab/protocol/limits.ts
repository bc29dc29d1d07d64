import type { Ms } from '../../world/truth.ts'
import { MINUTE } from '../times.ts'
import type { Switches } from '../switches.ts'
import { Refusal } from './refusal.ts'

const perMinute: Readonly<Record<string, number>> = { Authenticate: 10, GetFeed: 60, GetCountOf: 100 }
const OTHERS_PER_MINUTE = 100

interface Window {
  readonly endsAt: Ms
  count: number
}

export interface CountedCall {
  readonly method: string
  readonly typeName: string
  readonly user: string
  readonly database: string
}

/** Returns the calls per minute of a method. */
export const callsPerMinute = (method: string, switches: Readonly<Switches>): number =>
  method === 'Get' ? Number(switches.getsPerMinute) : (perMinute[method] ?? OTHERS_PER_MINUTE)

/** Rate limits per minute, for each method, type, user and database. */
export class Limits {
  private readonly windows = new Map<string, Window>()

  constructor(
    private readonly switches: Readonly<Switches>,
    private readonly clock: () => Ms,
  ) {}

  /** Counts a call and returns headers with the remaining calls. Throws if the limit is exceeded. */
  count(spending: CountedCall): Record<string, string> {
    const { method, typeName, user, database } = spending
    const most = callsPerMinute(method, this.switches)
    const window = this.windowOf([method, typeName, user, database].join(' '))
    if (window.count >= most) {
      const seconds = Math.ceil((window.endsAt - this.clock()) / 1000)
      throw new Refusal(
        'OverLimitException',
        `API calls quota exceeded. Maximum admitted ${most} per 1m.`,
        seconds,
      )
    }
    window.count++
    return {
      'x-rate-limit-limit': '1m',
      'x-rate-limit-remaining': String(most - window.count),
      'x-rate-limit-reset': new Date(window.endsAt).toISOString().replace('Z', '0000Z'),
    }
  }

  private windowOf(key: string): Window {
    const known = this.windows.get(key)
    if (known && this.clock() < known.endsAt) return known
    const window = { endsAt: this.clock() + MINUTE, count: 0 }
    this.windows.set(key, window)
    return window
  }
}
