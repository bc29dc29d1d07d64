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
  /** 0 for an electric vehicle. */
  fuelUsedGallons: number
  updatedAt: string
}

/** So long after its end a trip that nobody was logged in for may be claimed by who drove it. */
const CLAIM_AFTER_MS = 3 * HOUR_MS

const claimDice = dice('claim of a trip')

/** The legs of a vehicle that ended in a period, in order, as they look at `nowMs`. */
export function* trips(
  track: VehicleRoute,
  { sinceMs, untilMs }: Period,
  nowMs: number,
): Generator<TimeOrdered<TripRecord>> {
  for (let number = Math.max(0, legNumberAt(track, sinceMs)); ; number++) {
    const leg = legAt(track, number)
    if (leg.endMs >= untilMs) return
    if (leg.endMs >= sinceMs && isLegUploaded(track, leg, nowMs))
      yield { timeMs: leg.endMs, record: tripRecord(track, leg, nowMs) }
  }
}

function tripRecord(track: VehicleRoute, leg: TimedLeg, nowMs: number): TripRecord {
  const { fleet, vehicle } = track
  const { fuelTankGallons, rangeMiles } = vehicleModelOf(fleet, vehicle)
  return {
    id: idOf('trp', fleet, vehicle, leg.number),
    vehicleId: idOf('veh', fleet, vehicle),
    startedAt: timestamp(leg.startMs),
    endedAt: timestamp(leg.endMs),
    startLocation: pointAfter(track, leg.milesBefore),
    endLocation: pointAfter(track, leg.milesBefore + leg.miles),
    distanceMiles: rounded(leg.miles, 2),
    durationSeconds: (leg.endMs - leg.startMs) / 1000,
    fuelUsedGallons: rounded((leg.miles * (fuelTankGallons ?? 0)) / rangeMiles, 2),
    ...driverAndEdit(track, leg, nowMs),
  }
}

/** Where a vehicle is after so many miles, to about four inches. */
function pointAfter(track: VehicleRoute, miles: number): Point {
  const { lat, lng } = positionAfter(track, miles)
  return { lat: rounded(lat, 6), lng: rounded(lng, 6) }
}

/** Half of the trips without a driver get theirs hours later. */
function driverAndEdit({ fleet, vehicle }: VehicleRoute, leg: TimedLeg, nowMs: number) {
  const loggedIn = driverIdOf(fleet, vehicle, leg)
  const claimedMs = leg.endMs + CLAIM_AFTER_MS
  const claimed = claimDice(fleet.seed, vehicle, leg.number) < 0.5 && nowMs >= claimedMs
  if (loggedIn !== null || !claimed) return { driverId: loggedIn, updatedAt: timestamp(leg.endMs) }
  return {
    driverId: idOf('drv', fleet, driverOf(fleet, vehicle, leg.leg.shift)),
    updatedAt: timestamp(claimedMs),
  }
}
