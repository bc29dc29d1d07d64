import type { Instant } from '../../../domain/time.ts'
import type { Point } from '../../../domain/models/point.ts'

/** Location of a vehicle at a time, with its odometer value if known. */
export interface GpsFix extends Point {
  readonly locatedAt: Instant
  readonly odometerKilometers?: number | null
}

/** Returns the odometer distance in km. Null if an odometer value is unknown, or if the odometer was set back. */
export function drivenBetween(from: GpsFix, to: GpsFix): number | null {
  if (from.odometerKilometers == null || to.odometerKilometers == null) return null
  const driven = to.odometerKilometers - from.odometerKilometers
  return driven >= 0 ? driven : null
}
