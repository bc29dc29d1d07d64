import type { Ms } from './truth.ts'

export interface WorldOptions {
  readonly timeZone: string
  /** Interval of GPS fixes while a vehicle drives. */
  readonly fixEveryMilliseconds: number
  /** Share of trips without network coverage: their data arrives hours later. */
  readonly lateShare: number
  /** Share of trips and safety events that get their driver only later. */
  readonly correctedShare: number
  /** Rate of roster changes: 0 for none, 1 for about six a day in a fleet of 500. */
  readonly restlessness: number
}

export const defaultOptions: WorldOptions = {
  timeZone: 'America/Chicago',
  fixEveryMilliseconds: 300_000,
  lateShare: 0.06,
  correctedShare: 0.04,
  restlessness: 1,
}

/** Everything that determines the data of a world, apart from the clock. */
export interface Seeded {
  readonly seed: number
  /** Initial number of vehicles. More are added over time. */
  readonly vehicles: number
  readonly startsAt: Ms
  readonly options: WorldOptions
}
