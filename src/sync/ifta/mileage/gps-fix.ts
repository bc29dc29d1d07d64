import type { Instant } from '../../../domain/time.ts'
import type { Coordinates } from '../jurisdictions/geodesy.ts'

/** Where a vehicle was at a time, and what its odometer showed, where that is known. */
export interface GpsFix extends Coordinates {
  readonly locatedAt: Instant
  readonly odometerKilometers?: number | null
}

/** By the odometer; null where it is not known or was set back. */
export function drivenBetween(from: GpsFix, to: GpsFix): number | null {
  if (from.odometerKilometers == null || to.odometerKilometers == null) return null
  const driven = to.odometerKilometers - from.odometerKilometers
  return driven >= 0 ? driven : null
}
