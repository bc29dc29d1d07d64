import { HOUR_MS } from '../../world/durations.ts'
import { type Fleet, vehicleIsSilent, WORLD_START_MS } from '../../world/fleet.ts'
import { motionAt } from '../../world/motion.ts'
import { dice } from '../../world/random.ts'
import { type TimedLeg, type VehicleRoute, vehicleRouteOf } from '../../world/vehicle-route.ts'

/** Often enough that any 24 hours have a crash, beside those that happen by chance. */
const EVERY_MS = 23 * HOUR_MS
/** One of so many vehicles has it; a smaller fleet is left to chance. */
const CANDIDATES = 25

const phaseDice = dice('time of the first crash')
const vehicleDice = dice('vehicle of a crash')

/** When in a leg there is a crash that is certain; null in nearly all legs. */
export function crashMsIn({ fleet, vehicle }: VehicleRoute, { startMs, endMs }: TimedLeg): number | null {
  if (fleet.size < CANDIDATES || vehicle >= CANDIDATES) return null
  const firstMs = WORLD_START_MS + Math.floor(phaseDice(fleet.seed, 0) * EVERY_MS)
  const turn = Math.max(0, Math.ceil((startMs - firstMs) / EVERY_MS))
  const timeMs = firstMs + turn * EVERY_MS
  return timeMs < endMs && crashedAt(fleet, turn, timeMs) === vehicle ? timeMs : null
}

/** The first candidate that drives at that time, beginning with another one each turn. */
function crashedAt(fleet: Fleet, turn: number, timeMs: number): number | undefined {
  const first = Math.floor(vehicleDice(fleet.seed, turn) * CANDIDATES)
  return Array.from({ length: CANDIDATES }, (_, i) => (first + i) % CANDIDATES).find(
    (vehicle) => !vehicleIsSilent(vehicle) && motionAt(vehicleRouteOf(fleet, vehicle), timeMs).moving,
  )
}
