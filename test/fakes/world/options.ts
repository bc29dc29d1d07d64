import type { Ms } from './truth.ts'

export interface WorldOptions {
  readonly timeZone: string
  /** Interval of GPS fixes while a vehicle drives. */
  readonly fixEveryMilliseconds: number
  /** Share of trips without network coverage: their data arrives hours later. */
  readonly lateShare: number
  /** Range of the hours between the end of such a trip and the arrival of its data. */
  readonly lateTripHours: readonly [min: number, max: number]
  /** Range of the hours between the start of a late duty status and its arrival. */
  readonly lateDutyHours: readonly [min: number, max: number]
  /** Share of trips on which a fault begins. */
  readonly faultShare: number
  /** Share of trips and safety events that get their driver only later. */
  readonly correctedShare: number
  /** Rate of roster changes: 0 for none, 1 for about six a day in a fleet of 500. */
  readonly restlessness: number
}

export const defaultOptions: WorldOptions = {
  timeZone: 'America/Chicago',
  fixEveryMilliseconds: 300_000,
  lateShare: 0.06,
  lateTripHours: [0.5, 20],
  lateDutyHours: [1, 36],
  faultShare: 0.012,
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
