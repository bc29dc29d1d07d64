import type { Ms } from './truth.ts'

export interface WorldOptions {
  readonly timeZone: string
  /** How often a vehicle tells where it is while it drives. */
  readonly fixEveryMilliseconds: number
  /** The share of trips that are out of coverage, so that all about them arrives hours later. */
  readonly lateShare: number
  /** The share of trips and safety events that are corrected afterwards: their driver becomes known. */
  readonly correctedShare: number
  /** How restless the roster is: 0 never changes, 1 is a fleet of 500 with about six changes a day. */
  readonly restlessness: number
}

export const usual: WorldOptions = {
  timeZone: 'America/Chicago',
  fixEveryMilliseconds: 300_000,
  lateShare: 0.06,
  correctedShare: 0.04,
  restlessness: 1,
}

/** What everything in a world is made from. */
export interface Seeded {
  readonly seed: number
  /** How many there are when the fleet begins; more come. */
  readonly vehicles: number
  readonly startsAt: Ms
  readonly options: WorldOptions
}
