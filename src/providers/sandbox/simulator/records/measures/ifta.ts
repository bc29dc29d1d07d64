import { monthsIn, timeZoneOf } from '../../world/calendar.ts'
import { rounded } from '../../world/road-network/geometry.ts'
import { milesByState } from '../../world/road-network/jurisdictions.ts'
import { motionAt } from '../../world/motion.ts'
import type { VehicleRoute } from '../../world/vehicle-route.ts'
import { idOf, timestamp } from '../ids.ts'
import type { TimeOrdered } from '../time-ordered.ts'

export interface IftaRecord {
  id: string
  vehicleId: string
  month: string
  /** Two-letter code of a state or province. */
  jurisdiction: string
  miles: number
  updatedAt: string
}

/**
 * Returns the distance of a vehicle by month and jurisdiction. Months are those of the fleet's time zone. The
 * current month is incomplete.
 */
export function* iftaMonths(
  route: VehicleRoute,
  { from, to, untilMs }: { from: string; to: string; untilMs: number },
): Generator<TimeOrdered<IftaRecord>> {
  for (const { name, startMs, endMs } of monthsIn(timeZoneOf(route.fleet), from, to)) {
    if (startMs >= untilMs) return
    const lastMs = Math.min(endMs, untilMs)
    const miles = milesByState(route, motionAt(route, startMs).miles, motionAt(route, lastMs).miles)
    const states = [...miles.keys()].sort()
    // Records of a month get distinct milliseconds, because the cursor identifies a record by its time.
    for (const [i, state] of states.entries())
      yield { timeMs: startMs + i, record: iftaRecord(route, name, state, miles.get(state) ?? 0, lastMs) }
  }
}

function iftaRecord(
  { fleet, vehicle }: VehicleRoute,
  month: string,
  jurisdiction: string,
  miles: number,
  updatedMs: number,
): IftaRecord {
  return {
    id: `${idOf('ifta', fleet, vehicle)}-${month}-${jurisdiction}`,
    vehicleId: idOf('veh', fleet, vehicle),
    month,
    jurisdiction,
    miles: rounded(miles, 2),
    updatedAt: timestamp(updatedMs),
  }
}
