import type { Point } from '../world/geometry.ts'
import { rounded } from '../world/geometry.ts'
import { positionAfter } from '../world/motion.ts'
import { legAt, legNumberAt, type TimedLeg, type Track } from '../world/track.ts'
import { idOf, timestamp } from './ids.ts'
import { driverIdOf } from './locations.ts'
import type { Period, Timed } from './timed.ts'
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

/** The legs of a vehicle that ended in a period, in order. */
export function* trips(track: Track, { sinceMs, untilMs }: Period): Generator<Timed<TripRecord>> {
  for (let number = Math.max(0, legNumberAt(track, sinceMs)); ; number++) {
    const leg = legAt(track, number)
    if (leg.endMs >= untilMs) return
    if (leg.endMs >= sinceMs) yield { timeMs: leg.endMs, record: tripRecord(track, leg) }
  }
}

function tripRecord(track: Track, leg: TimedLeg): TripRecord {
  const { fleet, vehicle } = track
  const { fuelTankGallons, rangeMiles } = vehicleModelOf(fleet, vehicle)
  return {
    id: idOf('trp', fleet, vehicle, leg.number),
    vehicleId: idOf('veh', fleet, vehicle),
    driverId: driverIdOf(fleet, vehicle, leg),
    startedAt: timestamp(leg.startMs),
    endedAt: timestamp(leg.endMs),
    startLocation: pointAfter(track, leg.milesBefore),
    endLocation: pointAfter(track, leg.milesBefore + leg.miles),
    distanceMiles: rounded(leg.miles, 2),
    durationSeconds: (leg.endMs - leg.startMs) / 1000,
    fuelUsedGallons: rounded((leg.miles * (fuelTankGallons ?? 0)) / rangeMiles, 2),
    updatedAt: timestamp(leg.endMs),
  }
}

/** Where a vehicle is after so many miles, to about four inches. */
function pointAfter(track: Track, miles: number): Point {
  const { lat, lng } = positionAfter(track, miles)
  return { lat: rounded(lat, 6), lng: rounded(lng, 6) }
}
