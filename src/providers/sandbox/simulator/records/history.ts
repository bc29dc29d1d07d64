import { isLegUploaded } from '../world/upload-delays.ts'
import { MINUTE_MS } from '../world/durations.ts'
import { motionPeriodAt } from '../world/motion.ts'
import { legAt, legNumberAt, type VehicleRoute } from '../world/vehicle-route.ts'
import { type Breadcrumb, breadcrumbAt } from './locations.ts'
import type { Period, TimeOrdered } from './time-ordered.ts'

const MOVING_STEP_MS = 30_000
const STOPPED_STEP_MS = 10 * MINUTE_MS

/** Where a vehicle was: every 30 seconds of a leg, every 10 minutes of a stop, with an address where either begins. */
export function* breadcrumbs(
  track: VehicleRoute,
  { sinceMs, untilMs }: Period,
  nowMs: number,
): Generator<TimeOrdered<Breadcrumb>> {
  let timeMs = sinceMs
  while (timeMs < untilMs) {
    const { moving, startMs, endMs } = motionPeriodAt(track, timeMs)
    const step = moving ? MOVING_STEP_MS : STOPPED_STEP_MS
    const listed = !moving || isLegUploaded(track, legAt(track, legNumberAt(track, timeMs)), nowMs)
    timeMs = startMs + Math.ceil((timeMs - startMs) / step) * step
    for (; listed && timeMs < Math.min(endMs, untilMs); timeMs += step) {
      yield { timeMs, record: breadcrumbAt(track, timeMs, timeMs === startMs) }
    }
    timeMs = endMs
  }
}
