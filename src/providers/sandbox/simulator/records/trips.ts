import { isLegUploaded } from '../world/upload-delays.ts'
import { HOUR_MS } from '../world/durations.ts'
import { driverOf } from '../world/fleet.ts'
import { type Point, rounded } from '../world/road-network/geometry.ts'
import { positionAfter } from '../world/motion.ts'
import { dice } from '../world/random.ts'
import { legAt, legNumberAt, type TimedLeg, type VehicleRoute } from '../world/vehicle-route.ts'
import { idOf, timestamp } from './ids.ts'
import { driverIdOf } from './locations.ts'
import type { Period, TimeOrdered } from './time-ordered.ts'
import { vehicleModelOf } from './vehicles.ts'

export interface TripRecord {
  id: string
  vehicleId: string
  driverId: string | null
  startedAt: string
  endedAt: string
  startLocation: Point
  endLocation: Point
  distanceMiles: number
  durationSeconds: number
  /** Fuel used; 0 for an electric vehicle. */
  fuelUsedGallons: number
  updatedAt: string
}

/** Time between the end of a trip without a driver and its claim by a driver. */
const CLAIM_AFTER_MS = 3 * HOUR_MS

const claimDice = dice('claim of a trip')

/** Returns the trips of a vehicle that ended in a period, in order, as of `nowMs`. */
export function* trips(
  route: VehicleRoute,
  { sinceMs, untilMs }: Period,
  nowMs: number,
): Generator<TimeOrdered<TripRecord>> {
  for (let number = Math.max(0, legNumberAt(route, sinceMs)); ; number++) {
    const leg = legAt(route, number)
    if (leg.endMs >= untilMs) return
    if (leg.endMs >= sinceMs && isLegUploaded(route, leg, nowMs))
      yield { timeMs: leg.endMs, record: tripRecord(route, leg, nowMs) }
  }
}

function tripRecord(route: VehicleRoute, leg: TimedLeg, nowMs: number): TripRecord {
  const { fleet, vehicle } = route
  const { fuelTankGallons, rangeMiles } = vehicleModelOf(fleet, vehicle)
  return {
    id: idOf('trp', fleet, vehicle, leg.number),
    vehicleId: idOf('veh', fleet, vehicle),
    startedAt: timestamp(leg.startMs),
    endedAt: timestamp(leg.endMs),
    startLocation: pointAfter(route, leg.milesBefore),
    endLocation: pointAfter(route, leg.milesBefore + leg.miles),
    distanceMiles: rounded(leg.miles, 2),
    durationSeconds: (leg.endMs - leg.startMs) / 1000,
    fuelUsedGallons: rounded((leg.miles * (fuelTankGallons ?? 0)) / rangeMiles, 2),
    ...driverAndEdit(route, leg, nowMs),
  }
}

/** Returns the position of a vehicle after a distance, with a precision of about four inches. */
function pointAfter(route: VehicleRoute, miles: number): Point {
  const { lat, lng } = positionAfter(route, miles)
  return { lat: rounded(lat, 6), lng: rounded(lng, 6) }
}

/** Returns the driver and the edit time. In half of the trips without a driver, the driver claims the trip later. */
function driverAndEdit({ fleet, vehicle }: VehicleRoute, leg: TimedLeg, nowMs: number) {
  const loggedInId = driverIdOf(fleet, vehicle, leg)
  const claimedMs = leg.endMs + CLAIM_AFTER_MS
  const isClaimed = claimDice(fleet.seed, vehicle, leg.number) < 0.5 && nowMs >= claimedMs
  if (loggedInId !== null || !isClaimed) return { driverId: loggedInId, updatedAt: timestamp(leg.endMs) }
  return {
    driverId: idOf('drv', fleet, driverOf(fleet, vehicle, leg.leg.shift)),
    updatedAt: timestamp(claimedMs),
  }
}
