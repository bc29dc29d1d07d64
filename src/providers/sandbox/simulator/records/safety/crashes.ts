import { HOUR_MS } from '../../world/durations.ts'
import { type Fleet, vehicleIsSilent, WORLD_START_MS } from '../../world/fleet.ts'
import { motionAt } from '../../world/motion.ts'
import { dice } from '../../world/random.ts'
import { type TimedLeg, type VehicleRoute, vehicleRouteOf } from '../../world/vehicle-route.ts'

/** Interval between guaranteed crashes, so that any 24 hours have one. Random crashes happen too. */
const INTERVAL_MS = 23 * HOUR_MS
/** Number of vehicles that can have a guaranteed crash. A fleet with fewer vehicles has random crashes only. */
const CANDIDATES = 25

const phaseDice = dice('time of the first crash')
const vehicleDice = dice('vehicle of a crash')

/** Returns the time of the guaranteed crash in a leg; null for nearly all legs. */
export function crashMsIn({ fleet, vehicle }: VehicleRoute, { startMs, endMs }: TimedLeg): number | null {
  if (fleet.size < CANDIDATES || vehicle >= CANDIDATES) return null
  const firstMs = WORLD_START_MS + Math.floor(phaseDice(fleet.seed, 0) * INTERVAL_MS)
  const crashNumber = Math.max(0, Math.ceil((startMs - firstMs) / INTERVAL_MS))
  const timeMs = firstMs + crashNumber * INTERVAL_MS
  return timeMs < endMs && crashingVehicle(fleet, crashNumber, timeMs) === vehicle ? timeMs : null
}

/** Returns the first candidate that moves at a time. Each crash starts the search at another candidate. */
function crashingVehicle(fleet: Fleet, crashNumber: number, timeMs: number): number | undefined {
  const first = Math.floor(vehicleDice(fleet.seed, crashNumber) * CANDIDATES)
  return Array.from({ length: CANDIDATES }, (_, i) => (first + i) % CANDIDATES).find(
    (vehicle) => !vehicleIsSilent(vehicle) && motionAt(vehicleRouteOf(fleet, vehicle), timeMs).moving,
  )
}
