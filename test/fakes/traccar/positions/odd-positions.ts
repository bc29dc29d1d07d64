import type { Fix, Ms, World } from '../../world/truth.ts'
import { createPosition, type Position, positionId } from './position.ts'
import { toDate, type TraccarSwitches } from '../wire.ts'

const HOUR = 3_600_000

/** Whether a tracker repeats its last position while the vehicle is parked. */
const repeatsPositions = (vehicle: number): boolean => vehicle % 3 === 0
/** Whether a tracker has no fix yet when a trip starts. */
const startsWithoutFix = (vehicle: number): boolean => vehicle % 5 === 0

/** Returns the positions at 0, 0 that a tracker sends before its first fix on a trip. */
export function positionsWithoutFix(
  vehicle: number,
  from: Ms,
  to: Ms,
  world: World,
  switches: TraccarSwitches,
): Position[] {
  if (!startsWithoutFix(vehicle) || !switches.is('nullIsland', 'sent')) return []
  return world.trips(vehicle, from - 1, to).map(({ startedAt, arrivedAt }) => ({
    ...createPosition(vehicle, startedAt + 1, arrivedAt, NULL_ISLAND, world),
    valid: false,
    speed: 0,
    course: 0,
    attributes: { ignition: true },
  }))
}

/** Whether a tracker had no fix at a time, so that trips and events have the position 0, 0. */
export const hasNoFixAt = (at: Ms, switches: TraccarSwitches): boolean =>
  switches.is('blindReports', 'sent') && Math.floor(at / 1000) % 4 === 0

export const NULL_ISLAND = { latitude: 0, longitude: 0 }

/** Returns repeated positions: one per hour, up to three after each trip. */
export function repeatedPositions(
  vehicle: number,
  fixes: readonly Fix[],
  positions: readonly Position[],
  world: World,
  switches: TraccarSwitches,
): Position[] {
  if (!repeatsPositions(vehicle) || !switches.is('outdated', 'sent')) return []
  const later = world.fixes(vehicle, (fixes.at(-1)?.at ?? 0) + 1, (fixes.at(-1)?.at ?? 0) + 4 * HOUR)
  return fixes.flatMap(({ engine, at, arrivedAt }, index) => {
    const next = (fixes[index + 1] ?? later[0])?.at ?? Infinity
    const hours = engine === 'off' ? [1, 2, 3].map((hour) => at + hour * HOUR) : []
    return hours
      .filter((time) => time < next && Math.max(time, arrivedAt) <= world.now)
      .map((time) => ({
        ...(positions[index] as Position),
        id: positionId(vehicle, time, world),
        deviceTime: toDate(time),
        serverTime: toDate(Math.max(time, arrivedAt)),
        outdated: true,
      }))
  })
}
