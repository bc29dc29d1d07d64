import type { Ms } from './truth.ts'

export interface WorldOptions {
  readonly timeZone: string
  /** Interval between fixes while a vehicle drives. */
  readonly fixEveryMilliseconds: number
  /** Share of trips without coverage: their data arrives hours later. */
  readonly lateShare: number
  /** Share of trips and safety events that are corrected later: their driver becomes known. */
  readonly correctedShare: number
  /** Rate of roster changes: 0 means none, 1 is a fleet of 500 with about six changes a day. */
  readonly restlessness: number
}

export const usual: WorldOptions = {
  timeZone: 'America/Chicago',
  fixEveryMilliseconds: 300_000,
  lateShare: 0.06,
  correctedShare: 0.04,
  restlessness: 1,
}

/** Input of all data of a world. */
export interface Seeded {
  readonly seed: number
  /** Initial number of vehicles; more come. */
  readonly vehicles: number
  readonly startsAt: Ms
  readonly options: WorldOptions
}
