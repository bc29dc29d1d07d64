import type { Trip } from '../../world/truth.ts'
import type { Period } from '../fake-request.ts'

export interface Sums {
  readonly meters: number
  readonly fuelLiters: number
  readonly drivingMilliseconds: number
  readonly idlingMilliseconds: number
}

export const emptySums: Sums = { meters: 0, fuelLiters: 0, drivingMilliseconds: 0, idlingMilliseconds: 0 }

/** Returns the sums of the trips that began in a period. */
export const sumsOf = (trips: readonly Trip[], { from, to }: Period): Sums =>
  trips
    .filter(({ startedAt }) => startedAt >= from && startedAt < to)
    .reduce<Sums>(
      (sums, trip) => ({
        meters: sums.meters + trip.meters,
        fuelLiters: sums.fuelLiters + trip.fuelLiters,
        drivingMilliseconds: sums.drivingMilliseconds + trip.drivingMilliseconds,
        idlingMilliseconds: sums.idlingMilliseconds + trip.idlingMilliseconds,
      }),
      emptySums,
    )
