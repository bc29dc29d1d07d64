import type { Instant } from '../../../domain/time.ts'
import type { Jurisdiction } from '../jurisdictions/jurisdiction-lookup.ts'
import { drivenBetween, type GpsFix } from './gps-fix.ts'
import { kilometersBetween } from '../jurisdictions/geodesy.ts'

/** A part of a track that nobody saw, so that no jurisdiction can be told for it. */
export interface TrackGap {
  readonly startedAt: Instant
  readonly endedAt: Instant
  /** Too long a time, too long a way, or faster than a vehicle can be. */
  readonly reason: 'time' | 'distance' | 'speed'
  readonly fromJurisdiction: Jurisdiction | null
  readonly toJurisdiction: Jurisdiction | null
  /** As the crow flies. */
  readonly straightKilometers: number
  /** What the odometer says was driven; null where it does not tell, and then it is in no total. */
  readonly odometerKilometers: number | null
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A record for IFTA is made at least so often. */
export const SEEN_MS = 10 * MINUTE_MS
const SEEN_KILOMETERS = 5
const FASTEST_KPH = 200
/** Two fixes of one place at once differ by less. */
const ERROR_KILOMETERS = 0.3
/** A vehicle that is silent and found again so near has stood, unless its odometer says otherwise. */
const STANDING_KILOMETERS = 0.5
const STANDING_ODOMETER_KILOMETERS = 1

/** Why the way between two fixes is a gap; null where it was seen. */
export function gapReason(from: GpsFix, to: GpsFix): TrackGap['reason'] | null {
  const kilometers = kilometersBetween(from, to)
  const ms = to.locatedAt - from.locatedAt
  if (kilometers > SEEN_KILOMETERS) return ms > SEEN_MS ? 'time' : 'distance'
  if (ms > SEEN_MS) return hasStood(from, to, kilometers) ? null : 'time'
  return kilometers > ERROR_KILOMETERS && kilometers > maxDrivableKilometers(ms) ? 'speed' : null
}

/** The distance over a gap by the odometer, unless it jumped. */
export function odometerDistanceOver(from: GpsFix, to: GpsFix): number | null {
  const driven = drivenBetween(from, to)
  const possible = maxDrivableKilometers(to.locatedAt - from.locatedAt) + STANDING_ODOMETER_KILOMETERS
  return driven !== null && driven <= possible ? driven : null
}

const hasStood = (from: GpsFix, to: GpsFix, kilometers: number): boolean =>
  kilometers <= STANDING_KILOMETERS && (drivenBetween(from, to) ?? 0) <= STANDING_ODOMETER_KILOMETERS

const maxDrivableKilometers = (ms: number): number => (ms / HOUR_MS) * FASTEST_KPH
