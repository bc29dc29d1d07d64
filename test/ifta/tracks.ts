import type { Fix } from '../../src/ifta/fix.ts'
import type { Distances } from '../../src/ifta/tally.ts'
import { kilometersBetween, type Place, placeBetween } from '../../src/ifta/sphere.ts'

export interface Drive {
  readonly startAt: number
  readonly kph?: number
  readonly everySeconds?: number
  /** What the odometer counts for a kilometer as the crow flies; without it there is no odometer. */
  readonly odometerScale?: number
}

export const at = (iso: string): number => Date.parse(iso)
export const place = (latitude: number, longitude: number): Place => ({ latitude, longitude })

/** A drive along straight lines at one speed, a fix every so often. */
export function* drive(
  waypoints: readonly Place[],
  { startAt, kph = 100, everySeconds = 30, odometerScale }: Drive,
): Generator<Fix> {
  let locatedAt = startAt
  let driven = 0
  const fix = (where: Place): Fix => ({
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
      yield fix(placeBetween(from, to, step / steps))
    }
  }
}

export const lengthOf = (places: readonly Place[]): number =>
  places.slice(1).reduce((sum, to, index) => sum + kilometersBetween(places[index] as Place, to), 0)

/** The sums by jurisdiction over all months, `null` by that name. */
export function byJurisdiction({ distances }: Distances): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { jurisdiction, kilometers } of distances)
    sums[String(jurisdiction)] = (sums[String(jurisdiction)] ?? 0) + kilometers
  return sums
}

export const total = ({ distances }: Distances): number =>
  distances.reduce((sum, { kilometers }) => sum + kilometers, 0)
