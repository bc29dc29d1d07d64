import type { GpsFix } from '../../../src/sync/ifta/mileage/gps-fix.ts'
import type { MileageResult } from '../../../src/sync/ifta/mileage/mileage-calculator.ts'
import { interpolate, kilometersBetween } from '../../../src/domain/geo/geodesy.ts'
import type { Point } from '../../../src/domain/models/point.ts'

export interface Drive {
  readonly startAt: number
  readonly kph?: number
  readonly everySeconds?: number
  /** Odometer kilometers for each kilometer of the straight line. Without it, the points have no odometer. */
  readonly odometerScale?: number
}

export const at = (iso: string): number => Date.parse(iso)
export const place = (latitude: number, longitude: number): Point => ({ latitude, longitude })

/** Generates a drive along straight lines at constant speed, with fixes at a fixed interval. */
export function* drive(
  waypoints: readonly Point[],
  { startAt, kph = 100, everySeconds = 30, odometerScale }: Drive,
): Generator<GpsFix> {
  let locatedAt = startAt
  let driven = 0
  const fix = (where: Point): GpsFix => ({
    ...where,
    locatedAt,
    odometerKilometers: odometerScale === undefined ? null : 5000 + driven * odometerScale,
  })
  for (const [index, to] of waypoints.entries()) {
    const from = waypoints[index - 1]
    if (!from) {
      yield fix(to)
      continue
    }
    const kilometers = kilometersBetween(from, to)
    const steps = Math.ceil(((kilometers / kph) * 3600) / everySeconds)
    for (let step = 1; step <= steps; step++) {
      locatedAt += everySeconds * 1000
      driven += kilometers / steps
      yield fix(interpolate(from, to, step / steps))
    }
  }
}

export const lengthOf = (places: readonly Point[]): number =>
  places.slice(1).reduce((sum, to, index) => sum + kilometersBetween(places[index] as Point, to), 0)

/** Returns the distances by jurisdiction over all months; the key `null` is the unknown jurisdiction. */
export function byJurisdiction({ distances }: MileageResult): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { jurisdiction, kilometers } of distances)
    sums[String(jurisdiction)] = (sums[String(jurisdiction)] ?? 0) + kilometers
  return sums
}

export const total = ({ distances }: MileageResult): number =>
  distances.reduce((sum, { kilometers }) => sum + kilometers, 0)
