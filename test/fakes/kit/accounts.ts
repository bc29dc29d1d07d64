import type { WorldOptions } from '../world/options.ts'
import type { Ms, World } from '../world/truth.ts'
import { worldOf } from '../world/world.ts'

const DAY = 86_400_000

export interface Fleets {
  readonly seed: number
  readonly vehicles: number
  /** Number of customers of the provider. Each has one fleet. */
  readonly accounts: number
  /** Days of history of each customer at the start. */
  readonly days: number
  readonly startsAt: Ms
  readonly world: Partial<WorldOptions>
}

/** Customers of a provider, numbered from 1, with their fleets. */
export class Accounts {
  private readonly worlds = new Map<number, World>()

  constructor(
    private readonly fleets: Fleets,
    private readonly now: () => Ms,
  ) {}

  has(account: number): boolean {
    return Number.isInteger(account) && account >= 1 && account <= this.fleets.accounts
  }

  world(account: number): World {
    const { seed, vehicles, days, startsAt, world: options } = this.fleets
    const world =
      this.worlds.get(account) ??
      worldOf({ seed: seed + account - 1, vehicles, startsAt: startsAt - days * DAY, now: this.now, options })
    this.worlds.set(account, world)
    return world
  }
}
