import type { Fix, Ms, World } from '../../world/truth.ts'
import { placed, type Position, positionId } from './position.ts'
import { moment, type TraccarSwitches } from '../wire.ts'

const HOUR = 3_600_000

/** Every third tracker repeats its position while parked, and every fifth starts without a fix. */
const repeatsItself = (vehicle: number): boolean => vehicle % 3 === 0
const startsBlind = (vehicle: number): boolean => vehicle % 5 === 0

/** Returns positions at null island: those of a tracker before its first fix. */
export function blindStarts(
  vehicle: number,
  from: Ms,
  to: Ms,
  world: World,
  switches: TraccarSwitches,
): Position[] {
  if (!startsBlind(vehicle) || !switches.is('nullIsland', 'sent')) return []
  return world.trips(vehicle, from - 1, to).map(({ startedAt, arrivedAt }) => ({
    ...placed(vehicle, startedAt + 1, arrivedAt, NULL_ISLAND, world),
    valid: false,
    speed: 0,
    course: 0,
    attributes: { ignition: true },
  }))
}

/** Returns whether a tracker had no fix at the time of an event. */
export const isBlindAt = (at: Ms, switches: TraccarSwitches): boolean =>
  switches.is('blindReports', 'sent') && Math.floor(at / 1000) % 4 === 0

export const NULL_ISLAND = { latitude: 0, longitude: 0 }

/** Returns repeated fixes: hourly for three hours after a trip, while the vehicle stands. */
export function repeats(
  vehicle: number,
  fixes: readonly Fix[],
  positions: readonly Position[],
  world: World,
  switches: TraccarSwitches,
): Position[] {
  if (!repeatsItself(vehicle) || !switches.is('outdated', 'sent')) return []
  const later = world.fixes(vehicle, (fixes.at(-1)?.at ?? 0) + 1, (fixes.at(-1)?.at ?? 0) + 4 * HOUR)
  return fixes.flatMap(({ engine, at, arrivedAt }, index) => {
    const next = (fixes[index + 1] ?? later[0])?.at ?? Infinity
    const hours = engine === 'off' ? [1, 2, 3].map((hour) => at + hour * HOUR) : []
    return hours
      .filter((reported) => reported < next && Math.max(reported, arrivedAt) <= world.now)
      .map((reported) => ({
        ...(positions[index] as Position),
        id: positionId(vehicle, reported, world),
        deviceTime: moment(reported),
        serverTime: moment(Math.max(reported, arrivedAt)),
        outdated: true,
      }))
  })
}
