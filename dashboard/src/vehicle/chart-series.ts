import { speedIn, type Units } from '../shell/measure-format.ts'
import type { FuelPoint } from './read-day.ts'
import { GAP_MS, type TrackPoint } from './track.ts'

/** Columns of the chart, ordered by time. A null speed interrupts the line, a null fuel level does not. */
export interface ChartSeries {
  readonly seconds: readonly number[]
  readonly speeds: readonly (number | null)[]
  readonly fuel: readonly (number | null)[]
}

/** Merges positions and fuel levels by their time. A gap between positions interrupts the line of the speed. */
export function chartSeries(
  track: readonly TrackPoint[],
  fuel: readonly FuelPoint[],
  units: Units,
): ChartSeries {
  const rows: { at: number; speed: number | null; fuel: number | null }[] = []
  for (const [index, { at, speed }] of track.entries()) {
    rows.push({ at, speed: speed === null ? null : speedIn(speed, units), fuel: null })
    const next = track[index + 1]
    if (next && next.at - at > GAP_MS) rows.push({ at: at + 1, speed: null, fuel: null })
  }
  // A row of a fuel level would interrupt the line of the speed, unless it repeats the speed.
  for (const { at, percentage } of fuel) rows.push({ at, speed: null, fuel: percentage })
  rows.sort((one, other) => one.at - other.at)
  return {
    seconds: rows.map(({ at }) => at / 1000),
    speeds: withoutHoles(rows),
    fuel: rows.map((row) => row.fuel),
  }
}

/** Replaces the null speed in rows of fuel levels by the speed before it, except within a gap. */
function withoutHoles(rows: readonly { speed: number | null; fuel: number | null }[]): (number | null)[] {
  let last: number | null = null
  return rows.map(({ speed, fuel }) => {
    if (fuel === null) last = speed
    return last
  })
}
