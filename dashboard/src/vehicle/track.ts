/** Point of a track: a stored position. */
export interface TrackPoint {
  readonly at: number
  readonly longitude: number
  readonly latitude: number
  /** In km/h. */
  readonly speed: number | null
  readonly heading: number | null
}

/** Where a vehicle was at a time. */
export interface Moment extends TrackPoint {
  /** Whether the time lies in a gap: the vehicle was last seen at this place, and is drawn there. */
  readonly isGap: boolean
  /** Index of the last point at or before the time. */
  readonly index: number
}

/** Between two points further apart than this, the vehicle stood still or was out of reach. */
export const GAP_MS = 5 * 60_000

/** Returns where the vehicle was, between the points on a straight line; null before the first point. */
export function momentAt(points: readonly TrackPoint[], at: number): Moment | null {
  const index = lastIndexAt(points, at)
  const [before, after] = [points[index], points[index + 1]]
  if (!before) return null
  if (!after || after.at - before.at > GAP_MS) {
    const isGap = at - before.at > GAP_MS || (after !== undefined && at > before.at)
    return { ...before, at, index, isGap, ...(at > before.at && { speed: null }) }
  }
  const share = (at - before.at) / (after.at - before.at || 1)
  const between = (one: number, other: number) => one + (other - one) * share
  return {
    at,
    index,
    isGap: false,
    longitude: between(before.longitude, after.longitude),
    latitude: between(before.latitude, after.latitude),
    speed: before.speed === null || after.speed === null ? before.speed : between(before.speed, after.speed),
    heading: before.heading,
  }
}

/** Returns the index of the last point at or before a time; -1 if there is none. */
export function lastIndexAt(points: readonly TrackPoint[], at: number): number {
  let [low, high] = [0, points.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle]?.at ?? Infinity) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Time of the next point after a gap; null if the time lies in no gap, or nothing follows. */
export function endOfGap(points: readonly TrackPoint[], at: number): number | null {
  const index = lastIndexAt(points, at)
  const [before, after] = [points[index], points[index + 1]]
  if (!after) return null
  return before === undefined || after.at - before.at > GAP_MS ? after.at : null
}

/** Returns the point of a track that is nearest to a place; null without points. */
export function nearestPoint(
  points: readonly TrackPoint[],
  { longitude, latitude }: Pick<TrackPoint, 'longitude' | 'latitude'>,
): TrackPoint | null {
  const shrink = Math.cos((latitude * Math.PI) / 180)
  let nearest: TrackPoint | null = null
  let least = Infinity
  for (const point of points) {
    const distance = ((point.longitude - longitude) * shrink) ** 2 + (point.latitude - latitude) ** 2
    if (distance >= least) continue
    least = distance
    nearest = point
  }
  return nearest
}

/** Part of a track with one class of speed, as coordinates. A gap is a part of its own. */
export interface TrackRun {
  readonly speedClass: number | 'gap'
  readonly coordinates: readonly (readonly [longitude: number, latitude: number])[]
}

/** Lower bounds of the classes of speed after the first, in km/h. */
export const SPEED_BOUNDS: readonly number[] = [20, 50, 80, 105]

const speedClassOf = (speed: number | null): number =>
  SPEED_BOUNDS.filter((bound) => (speed ?? 0) >= bound).length

/** Splits a track where the class of its speed changes, and at gaps. Each part begins where the one before it ends. */
export function runsOf(points: readonly TrackPoint[]): TrackRun[] {
  const runs: { speedClass: TrackRun['speedClass']; coordinates: [number, number][] }[] = []
  for (const [index, point] of points.entries()) {
    const next = points[index + 1]
    if (!next) break
    const speedClass = next.at - point.at > GAP_MS ? 'gap' : speedClassOf(point.speed)
    const end: [number, number] = [next.longitude, next.latitude]
    const last = runs.at(-1)
    if (last?.speedClass === speedClass) last.coordinates.push(end)
    else runs.push({ speedClass, coordinates: [[point.longitude, point.latitude], end] })
  }
  return runs
}
