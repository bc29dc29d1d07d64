import type { Instant } from '../../../domain/time.ts'
import type { Jurisdiction } from '../../../domain/jurisdictions/jurisdiction-lookup.ts'
import { drivenBetween, type GpsFix } from './gps-fix.ts'
import { kilometersBetween } from '../../../domain/geo/geodesy.ts'

/** Gap in a track. The jurisdictions between its ends are unknown. */
export interface TrackGap {
  readonly startedAt: Instant
  readonly endedAt: Instant
  /** The time is too long, the distance too great, or the speed impossible. */
  readonly reason: 'time' | 'distance' | 'speed'
  readonly fromJurisdiction: Jurisdiction | null
  readonly toJurisdiction: Jurisdiction | null
  /** Great-circle distance between the ends of the gap. */
  readonly straightKilometers: number
  /** Odometer distance. Null if it is unknown; the gap then counts in no total. */
  readonly odometerKilometers: number | null
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Maximum time between two fixes of a moving vehicle: IFTA requires a location record at least this often. */
export const MAX_FIX_INTERVAL_MS = 10 * MINUTE_MS
/** Maximum distance between two fixes without a gap. */
const MAX_FIX_DISTANCE_KILOMETERS = 5
/** Maximum plausible speed. */
const MAX_SPEED_KPH = 200
/** Maximum GPS error: two simultaneous fixes of one location differ by less. */
const GPS_ERROR_KILOMETERS = 0.3
/** Maximum straight and odometer distances over a long interval in which the vehicle was parked. */
const PARKED_KILOMETERS = 0.5
const PARKED_ODOMETER_KILOMETERS = 1

/** Returns the reason why the segment between two fixes is a gap. Null if it is not a gap. */
export function gapReason(from: GpsFix, to: GpsFix): TrackGap['reason'] | null {
  const kilometers = kilometersBetween(from, to)
  const ms = to.locatedAt - from.locatedAt
  if (kilometers > MAX_FIX_DISTANCE_KILOMETERS) return ms > MAX_FIX_INTERVAL_MS ? 'time' : 'distance'
  if (ms > MAX_FIX_INTERVAL_MS) return wasParked(from, to, kilometers) ? null : 'time'
  return kilometers > GPS_ERROR_KILOMETERS && kilometers > maxDrivableKilometers(ms) ? 'speed' : null
}

/** Returns the odometer distance over a gap in km. Null if it is unknown or implausibly large. */
export function odometerDistanceOver(from: GpsFix, to: GpsFix): number | null {
  const driven = drivenBetween(from, to)
  return driven !== null && driven <= maxOdometerKilometers(to.locatedAt - from.locatedAt) ? driven : null
}

const wasParked = (from: GpsFix, to: GpsFix, kilometers: number): boolean =>
  kilometers <= PARKED_KILOMETERS && (drivenBetween(from, to) ?? 0) <= PARKED_ODOMETER_KILOMETERS

/** Maximum plausible difference between two odometer values. */
export const maxOdometerKilometers = (ms: number): number =>
  maxDrivableKilometers(ms) + PARKED_ODOMETER_KILOMETERS

const maxDrivableKilometers = (ms: number): number => (ms / HOUR_MS) * MAX_SPEED_KPH
