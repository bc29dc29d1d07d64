import { kilometersBetween } from '../../../domain/geo/geodesy.ts'
import type { Point } from '../../../domain/models/point.ts'
import { type Area, onGrid } from './place-table.ts'

export const metersBetween = (a: Point, b: Point): number => kilometersBetween(a, b) * 1000

/** Returns an area around a point, moved to the grid of the table. */
export function areaAround(point: Point, accuracyMeters: number): Area {
  const moved = onGrid(point)
  return { ...moved, accuracyMeters: accuracyMeters + metersBetween(point, moved) }
}

/** Returns a function for the distance between a point and the fourth closest of other points. */
export function widthAmong(points: readonly Point[]): (point: Point) => number {
  const sorted = points.toSorted((one, other) => one.latitude - other.latitude)
  const latitudes = sorted.map(({ latitude }) => latitude)
  return (point) => {
    for (let degrees = 0.05; ; degrees *= 3) {
      const from = indexFrom(latitudes, point.latitude - degrees)
      const to = indexFrom(latitudes, point.latitude + degrees)
      const others = sorted.slice(from, to).filter((other) => other !== point)
      const fourth = others.map((other) => metersBetween(point, other)).toSorted((a, b) => a - b)[3]
      if (fourth !== undefined && fourth <= degrees * 111_000) return fourth
    }
  }
}

/** Returns the index of the first value in ascending ones that is not below a limit. */
function indexFrom(values: readonly number[], limit: number): number {
  let [from, to] = [0, values.length]
  while (from < to) {
    const at = (from + to) >> 1
    if ((values[at] ?? limit) < limit) from = at + 1
    else to = at
  }
  return from
}

/** Returns the smallest area around the middle of areas that contains them all. */
export function around(areas: readonly Area[]): Area {
  const [first, ...more] = areas
  if (first && more.length === 0) return first
  const middle = (values: readonly number[]) => (Math.min(...values) + Math.max(...values)) / 2
  const point = onGrid({
    latitude: middle(areas.map(({ latitude }) => latitude)),
    longitude: middle(areas.map(({ longitude }) => longitude)),
  })
  const reaches = areas.map((area) => metersBetween(point, area) + area.accuracyMeters)
  return { ...point, accuracyMeters: Math.max(...reaches) }
}
