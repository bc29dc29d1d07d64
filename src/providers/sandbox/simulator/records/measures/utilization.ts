import { daysIn, timeZoneOf } from '../../world/calendar.ts'
import { drivingMsAt, engineMsAt } from '../../world/engine.ts'
import { rounded } from '../../world/road-network/geometry.ts'
import { motionAt } from '../../world/motion.ts'
import type { VehicleRoute } from '../../world/vehicle-route.ts'
import { idOf, timestamp } from '../ids.ts'
import type { Period, TimeOrdered } from '../time-ordered.ts'
import { gallonsPerMile } from '../vehicles.ts'

export interface UtilizationRecord {
  id: string
  vehicleId: string
  date: string
  miles: number
  /** Null for an electric vehicle. */
  fuelGallons: number | null
  drivingSeconds: number
  idlingSeconds: number
  updatedAt: string
}

/**
 * Returns the utilization of a vehicle for each day that overlaps a period. Days are those of the fleet's time
 * zone. The current day is incomplete.
 */
export function* utilization(
  route: VehicleRoute,
  { sinceMs, untilMs }: Period,
  nowMs: number,
): Generator<TimeOrdered<UtilizationRecord>> {
  const timeZone = timeZoneOf(route.fleet)
  for (const { name, startMs, endMs } of daysIn(timeZone, sinceMs, untilMs))
    yield { timeMs: startMs, record: dayRecord(route, name, startMs, Math.min(endMs, nowMs)) }
}

function dayRecord(route: VehicleRoute, date: string, startMs: number, endMs: number): UtilizationRecord {
  const { fleet, vehicle } = route
  const [start, end] = [totalsAt(route, startMs), totalsAt(route, endMs)]
  const miles = end.miles - start.miles
  const perMile = gallonsPerMile(fleet, vehicle)
  const drivingMs = end.drivingMs - start.drivingMs
  const idlingMs = end.engineMs - start.engineMs - drivingMs
  return {
    id: `${idOf('use', fleet, vehicle)}-${date}`,
    vehicleId: idOf('veh', fleet, vehicle),
    date,
    miles: rounded(miles, 2),
    fuelGallons: perMile === null ? null : rounded(miles * perMile, 2),
    drivingSeconds: Math.round(drivingMs / 1000),
    idlingSeconds: Math.round(idlingMs / 1000),
    updatedAt: timestamp(endMs),
  }
}

function totalsAt(route: VehicleRoute, timeMs: number) {
  const motion = motionAt(route, timeMs)
  return {
    miles: motion.miles,
    drivingMs: drivingMsAt(motion, timeMs),
    engineMs: engineMsAt(route, motion, timeMs),
  }
}
