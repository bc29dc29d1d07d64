import { interpolate, kilometersBetween } from './geodesy.ts'
import type { Point } from '../models/point.ts'
import type { Instant } from '../time.ts'

/** Position of a vehicle at a time, with its speed in km/h. */
export interface TrackPosition extends Point {
  readonly at: Instant
  readonly speed: number | null
}

/**
 * Returns the positions of a track without those that the others imply: straight lines between the returned ones are at
 * every time within `tolerance` meters of the vehicle, and within half as many km/h of its speed. The first and the last
 * position stay. The positions are ordered by time.
 */
export function simplifyTrack<Position extends TrackPosition>(
  positions: readonly Position[],
  tolerance: number,
): readonly Position[] {
  if (tolerance === 0) return positions
  const kept: Position[] = []
  let run: Position[] = []
  for (const position of positions) {
    const [first] = run
    if (first && (run.length === POSITIONS_PER_RUN || hasSpeed(first) !== hasSpeed(position))) {
      keepNeeded(run, tolerance, kept)
      run = []
    }
    run.push(position)
  }
  if (run.length > 0) keepNeeded(run, tolerance, kept)
  return kept
}

/** The comparisons grow with the square of this number for the worst line, so a long track is divided. */
const POSITIONS_PER_RUN = 1000

const hasSpeed = ({ speed }: TrackPosition): boolean => speed !== null

type Span = readonly [from: number, to: number]

/** Adds the first and the last position to `kept`, and between them those that the lines need (Douglas and Peucker). */
function keepNeeded<Position extends TrackPosition>(
  run: readonly Position[],
  tolerance: number,
  kept: Position[],
): void {
  const ends: Span = [0, run.length - 1]
  const isNeeded = new Set<number>(ends)
  const pending = [ends]
  for (let span = pending.pop(); span; span = pending.pop()) {
    const [from, to] = span
    const furthest = furthestBetween(run, from, to, tolerance)
    if (furthest === null) continue
    isNeeded.add(furthest)
    pending.push([from, furthest], [furthest, to])
  }
  kept.push(...run.filter((_, index) => isNeeded.has(index)))
}

/** Returns the index of the position that is furthest from the line between two others; null if all are close enough. */
function furthestBetween(
  run: readonly TrackPosition[],
  from: number,
  to: number,
  tolerance: number,
): number | null {
  const [first, last] = [run[from], run[to]]
  if (!first || !last) return null
  let furthest: number | null = null
  let greatest = 1
  for (let index = from + 1; index < to; index++) {
    const position = run[index] as TrackPosition
    const deviation = deviationFrom(first, last, position) / tolerance
    if (deviation <= greatest) continue
    greatest = deviation
    furthest = index
  }
  return furthest
}

/** Meters between a position and the place on the line at its time. A deviation of 1 km/h counts as 2 meters. */
function deviationFrom(first: TrackPosition, last: TrackPosition, position: TrackPosition): number {
  const share = (position.at - first.at) / (last.at - first.at)
  const meters = kilometersBetween(position, interpolate(first, last, share)) * 1000
  if (position.speed === null || first.speed === null || last.speed === null) return meters
  const speed = first.speed + (last.speed - first.speed) * share
  return Math.max(meters, Math.abs(position.speed - speed) * METERS_PER_SPEED)
}

const METERS_PER_SPEED = 2
