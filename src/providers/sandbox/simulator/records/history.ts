import { isLegUploaded } from '../world/upload-delays.ts'
import { MINUTE_MS } from '../world/durations.ts'
import { motionPeriodAt } from '../world/motion.ts'
import { legAt, legNumberAt, type VehicleRoute } from '../world/vehicle-route.ts'
import { type Breadcrumb, breadcrumbAt } from './locations.ts'
import type { Period, TimeOrdered } from './time-ordered.ts'

const MOVING_STEP_MS = 30_000
const STOPPED_STEP_MS = 10 * MINUTE_MS

/**
 * Returns the breadcrumbs of a vehicle: every 30 seconds of a leg and every 10 minutes of a stop. Only the first
 * breadcrumb of each leg or stop has an address.
 */
export function* breadcrumbs(
  route: VehicleRoute,
  { sinceMs, untilMs }: Period,
  nowMs: number,
): Generator<TimeOrdered<Breadcrumb>> {
  let timeMs = sinceMs
  while (timeMs < untilMs) {
    const { moving, startMs, endMs } = motionPeriodAt(route, timeMs)
    const step = moving ? MOVING_STEP_MS : STOPPED_STEP_MS
    const isUploaded = !moving || isLegUploaded(route, legAt(route, legNumberAt(route, timeMs)), nowMs)
    timeMs = startMs + Math.ceil((timeMs - startMs) / step) * step
    for (; isUploaded && timeMs < Math.min(endMs, untilMs); timeMs += step) {
      yield { timeMs, record: breadcrumbAt(route, timeMs, { withAddress: timeMs === startMs }) }
    }
    timeMs = endMs
  }
}
