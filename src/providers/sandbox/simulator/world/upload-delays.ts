import { HOUR_MS } from './durations.ts'
import { between, dice } from './random.ts'
import type { TimedLeg, VehicleRoute } from './vehicle-route.ts'

const lateDice = dice('late upload of a leg')
const delayDice = dice('delay of a late upload')

/** Of thirty legs one is driven without coverage: what it recorded is uploaded hours after its end. */
export function isLegUploaded(track: VehicleRoute, leg: TimedLeg, nowMs: number): boolean {
  return nowMs >= uploadedMs(track, leg)
}

/** From when on a leg's trip, breadcrumbs and measurements are listed; 0 for those that come as they happen. */
export function uploadedMs({ fleet, vehicle }: VehicleRoute, { number, endMs }: TimedLeg): number {
  if (lateDice(fleet.seed, vehicle, number) >= 1 / 30) return 0
  return endMs + Math.floor(between(1, 5, delayDice(fleet.seed, vehicle, number)) * HOUR_MS)
}
