import type { Calendar } from '../calendar.ts'
import type { Motion } from './motion.ts'
import { countersAt } from '../trip-runs.ts'
import { DAY } from '../calendar.ts'
import type { JurisdictionDistance } from '../truth.ts'

/** Returns the distances of a month by jurisdiction, from the arrived trips and the borders on the roads. */
export function distancesIn(
  month: string,
  vehicles: readonly number[],
  motion: Motion,
  calendar: Calendar,
): JurisdictionDistance[] {
  const { from, to } = calendar.monthOf(month)
  return vehicles.flatMap((vehicle) => {
    const sums = new Map<string, number>()
    for (const run of motion.runsBetween(vehicle, from - DAY, to)) {
      const until = Math.min(motion.arrivedUntil(run) ?? 0, to)
      const [start, end] = [Math.max(run.drive.startsAt, from), until].map(
        (at) => countersAt(run, at).odometerMeters,
      )
      for (const [jurisdiction, meters] of run.road.distancesBetween(start as number, end as number))
        sums.set(jurisdiction, (sums.get(jurisdiction) ?? 0) + meters)
    }
    return [...sums].map(([jurisdiction, meters]) => ({ vehicle, month, jurisdiction, meters }))
  })
}
