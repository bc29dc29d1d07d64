import type { Ms } from '../../world/truth.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { idlingOf, stopTimeOf, type ReportedTrip, tripsOf } from '../records/trip.ts'
import { dateAfter, localDate, monthAfter, monthsBetween, startOfDate } from '../times.ts'
import { deviceId, rounded } from '../formats.ts'

interface Day {
  readonly vehicle: number
  readonly date: string
  meters: number
  driving: number
  idling: number
}

/** Returns daily sums of trips. A trip over midnight counts to both days in proportion to the time. */
export function vehicleUtilizations(fleet: Fleet, from: Ms, to: Ms) {
  const { timeZone, world } = fleet
  const days = new Map<string, Day>()
  for (const vehicle of fleet.vehicleNumbers())
    for (const reported of tripsOf(fleet, vehicle, world.startsAt, world.now + 1))
      if (reported.deletedAt === null) addToDays(days, reported, timeZone)
  return [...days.values()]
    .filter(({ date }) => from <= startOfDate(date, timeZone) && startOfDate(date, timeZone) < to)
    .map(toUtilization)
}

function addToDays(days: Map<string, Day>, { trip, next }: ReportedTrip, timeZone: string): void {
  const stop = stopTimeOf(trip)
  for (let from = trip.startedAt; from < stop;) {
    const date = localDate(from, timeZone)
    const to = Math.min(stop, startOfDate(dateAfter(date), timeZone))
    const share = (to - from) / (stop - trip.startedAt)
    const key = `${trip.vehicle} ${date}`
    const day = days.get(key) ?? { vehicle: trip.vehicle, date, meters: 0, driving: 0, idling: 0 }
    day.meters += trip.meters * share
    day.driving += to - from
    day.idling += idlingOf(trip, next) * share
    days.set(key, day)
    from = to
  }
}

const toUtilization = ({ vehicle, date, meters, driving, idling }: Day) => ({
  sourceId: `${deviceId(vehicle)}:${date}`,
  vehicleSourceId: deviceId(vehicle),
  date,
  distanceKilometers: rounded(meters / 1000, 3),
  fuelConsumedLiters: null,
  drivingMilliseconds: driving,
  idlingMilliseconds: Math.round(idling),
})

/** Rows of the months that the period touches. */
export const iftaSummaries = ({ world, timeZone }: Fleet, from: Ms, to: Ms) =>
  monthsBetween(Math.max(from, world.startsAt), Math.min(to, world.now), timeZone)
    .filter((month) => startOfDate(`${monthAfter(month)}-01`, timeZone) > from)
    .flatMap((month) => world.jurisdictionDistances(month))
    .map(({ vehicle, month, jurisdiction, meters }) => ({
      sourceId: `${deviceId(vehicle)}:${month}:${jurisdiction}`,
      vehicleSourceId: deviceId(vehicle),
      month,
      jurisdiction,
      distanceKilometers: meters / 1000,
    }))
