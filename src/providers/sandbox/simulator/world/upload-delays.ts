import { HOUR_MS } from './durations.ts'
import { between, dice } from './random.ts'
import type { TimedLeg, VehicleRoute } from './vehicle-route.ts'

const lateDice = dice('late upload of a leg')
const delayDice = dice('delay of a late upload')

/**
 * Whether the tracker has uploaded the records of a leg. One leg in thirty has no coverage, so its upload is hours
 * after its end.
 */
export function isLegUploaded(route: VehicleRoute, leg: TimedLeg, nowMs: number): boolean {
  return nowMs >= uploadedMs(route, leg)
}

/**
 * Returns the time from which lists contain a leg's trip, breadcrumbs and measurements; 0 if the tracker uploads
 * them at once.
 */
export function uploadedMs({ fleet, vehicle }: VehicleRoute, { number, endMs }: TimedLeg): number {
  if (lateDice(fleet.seed, vehicle, number) >= 1 / 30) return 0
  return endMs + Math.floor(between(1, 5, delayDice(fleet.seed, vehicle, number)) * HOUR_MS)
}
