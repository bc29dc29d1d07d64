import type { Ms, SafetyEvent, Vehicle, World } from '../../world/truth.ts'
import { eventId } from '../events.ts'
import { driverCode } from '../lists.ts'
import { hasNoFixAt } from '../positions/odd-positions.ts'
import type { Position } from '../positions/position.ts'
import { alarms, positionsOf } from '../positions/positions.ts'
import {
  startPlaceOf,
  withCounters,
  metersOver,
  millisecondsOver,
  reportedTripsOf,
} from '../reports/trips.ts'
import { toCourse, toDegrees, toKnots, type TraccarSwitches } from '../wire.ts'
import { kilometersOf, kphOf, pointOf } from './conversions.ts'

const DAY = 86_400_000

/** Returns the trips that began in the period, also the part after it. */
export function trips(vehicle: Vehicle, from: Ms, to: Ms, world: World, switches: TraccarSwitches): object[] {
  const starts = new Set(world.trips(vehicle.number, from, to).map(({ startedAt }) => startedAt))
  return reportedTripsOf(vehicle, from, Math.min(to, world.now) + DAY, world, switches)
    .filter(({ positions }) => starts.has(startOf(positions)))
    .map((trip) => {
      const { positions, driver } = trip
      const begin = startPlaceOf(trip, switches)
      const [first, last] = [positions[0] as Position, positions.at(-1) as Position]
      return {
        sourceId: `${vehicle.number}:${first.fixTime.getTime()}`,
        vehicleSourceId: String(vehicle.number),
        driverSourceId: driver ? driverCode(driver.number) : null,
        startedAt: first.fixTime.getTime(),
        endedAt: last.fixTime.getTime(),
        startLocation: begin && pointOf(begin),
        endLocation: pointOf(last),
        distanceKilometers: kilometersOf(metersOver(positions)),
        durationMilliseconds: millisecondsOver(positions),
      }
    })
}

const startOf = (positions: readonly Position[]): Ms => positions[0]?.fixTime.getTime() ?? 0

const sourceTypeOf = ({ kind }: SafetyEvent): string =>
  kind === 'speeding' ? 'deviceOverspeed' : alarms[kind]

export const safetyEvents = (
  { number }: Vehicle,
  from: Ms,
  to: Ms,
  world: World,
  switches: TraccarSwitches,
): object[] =>
  world.safetyEvents(number, from, to).map((event) => ({
    sourceId: String(eventId(event.number)),
    type: event.kind,
    vehicleSourceId: String(number),
    driverSourceId: null,
    startedAt: event.startedAt,
    endedAt: null,
    startLocation: hasNoFixAt(event.startedAt, switches)
      ? null
      : { longitude: toDegrees(event.start.longitude), latitude: toDegrees(event.start.latitude) },
    endLocation: null,
    sourceType: sourceTypeOf(event),
    maximumSpeedKph: event.kind === 'speeding' ? kphOf(toKnots(event.maxMetersPerSecond)) : null,
    averageSpeedKph: null,
    roadSpeedLimitKph:
      event.limitMetersPerSecond === null ? null : kphOf(toKnots(event.limitMetersPerSecond)),
    gForceForwardBackward: null,
    gForceSideToSide: null,
    headingDegrees: toCourse(event.headingDegrees),
    frontCamera: null,
    rearCamera: null,
    extensions: null,
  }))

/**
 * Returns the fault codes that positions of the period have, also those that began earlier. A code is open while the
 * newest position has it.
 */
export function faults(
  { number }: Vehicle,
  from: Ms,
  to: Ms,
  world: World,
  switches: TraccarSwitches,
): object[] {
  const positions = withCounters(positionsOf(number, world.startsAt, world.now + 1, world, switches))
  const codesIn = (position: Position | undefined) => String(position?.attributes['dtcs'] ?? '').split(' ')
  return positions.flatMap((position, index) => {
    const at = position.fixTime.getTime()
    const newCodes = codesIn(position).filter(
      (code) => code !== '' && !codesIn(positions[index - 1]).includes(code),
    )
    return newCodes.flatMap((code) => {
      const end = positions.findIndex((later, place) => place > index && !codesIn(later).includes(code))
      const last = (end < 0 ? positions.at(-1) : positions[end - 1]) as Position
      if (at >= to || last.fixTime.getTime() < from) return []
      return {
        sourceId: `${number}:${code}:${position.id}`,
        vehicleSourceId: String(number),
        protocol: 'obdii',
        status: end < 0 ? 'open' : 'closed',
        code,
        description: null,
        observedAt: at,
        milStatus: null,
      }
    })
  })
}
