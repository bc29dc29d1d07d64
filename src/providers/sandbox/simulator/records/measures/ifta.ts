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
  /** A state or a province, two letters. */
  jurisdiction: string
  miles: number
  updatedAt: string
}

/** What a vehicle drove in each state and province in each month of the fleet's calendar; of this month, so far. */
export function* iftaMonths(
  track: VehicleRoute,
  { from, to, untilMs }: { from: string; to: string; untilMs: number },
): Generator<TimeOrdered<IftaRecord>> {
  for (const { name, startMs, endMs } of monthsIn(timeZoneOf(track.fleet), from, to)) {
    if (startMs >= untilMs) return
    const lastMs = Math.min(endMs, untilMs)
    const miles = milesByState(track, motionAt(track, startMs).miles, motionAt(track, lastMs).miles)
    const states = [...miles.keys()].sort()
    // A month's records are told apart by the millisecond, for the sake of the cursor.
    for (const [i, state] of states.entries())
      yield { timeMs: startMs + i, record: iftaRecord(track, name, state, miles.get(state) ?? 0, lastMs) }
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
