import type { Ms, SafetyEvent } from '../../world/truth.ts'
import type { Point } from '../stores/point-index.ts'
import { DAY } from '../times.ts'
import type { Fleet } from './fleet.ts'

/** Returns the points of a vehicle: its fixes, and the start and end of each safety event. */
export function pointsOf(fleet: Fleet, vehicle: number, from: Ms, to: Ms): Point[] {
  const { world } = fleet
  const start = Math.max(from, world.startsAt)
  const points = world.fixes(vehicle, start, to).map((fix): Point => ({
    at: fix.at,
    arrivedAt: fix.arrivedAt,
    latitude: fix.latitude,
    longitude: fix.longitude,
    metersPerSecond: fix.metersPerSecond,
    fix,
  }))
  const times = new Set(points.map(({ at }) => at))
  for (const event of world.safetyEvents(vehicle, start - DAY, to))
    for (const point of pointsOfEvent(event))
      if (start <= point.at && point.at < to && !times.has(point.at)) {
        times.add(point.at)
        points.push(point)
      }
  return points.sort((one, other) => one.at - other.at)
}

function pointsOfEvent({ startedAt, endedAt, start, end, ...event }: SafetyEvent): Point[] {
  const { arrivedAt, averageMetersPerSecond: metersPerSecond } = event
  return [
    { at: startedAt, ...start, arrivedAt, metersPerSecond, fix: null },
    { at: endedAt, ...end, arrivedAt, metersPerSecond, fix: null },
  ]
}
