import type { Ms, SafetyEvent, World } from '../world/truth.ts'
import { positionId } from './positions/position.ts'
import { alarms } from './positions/positions.ts'
import { toDate, toKnots } from './wire.ts'

export interface TraccarEvent {
  readonly id: number
  readonly type: string
  readonly eventTime: Date
  readonly deviceId: number
  readonly positionId: number
  readonly geofenceId: number
  readonly maintenanceId: number
  readonly attributes: Readonly<Record<string, string | number>>
}

/** Returns alarms, speeding events, and the engine start of each trip, in the order of time. */
export function eventsOf(vehicle: number, from: Ms, to: Ms, world: World): TraccarEvent[] {
  const starts = world
    .trips(vehicle, from, to)
    .map(({ number, startedAt }) => eventAt(number * 1000 + 998, 'ignitionOn', vehicle, startedAt, world))
  const events = [
    ...world.safetyEvents(vehicle, from, to).map((event) => safetyEventOf(event, world)),
    ...starts,
  ]
  return events.sort((one, other) => one.eventTime.getTime() - other.eventTime.getTime())
}

function safetyEventOf(event: SafetyEvent, world: World): TraccarEvent {
  const { number, kind, vehicle, startedAt, maxMetersPerSecond, limitMetersPerSecond } = event
  if (kind !== 'speeding')
    return eventAt(eventId(number), 'alarm', vehicle, startedAt, world, { alarm: alarms[kind] })
  const speeds = { speed: toKnots(maxMetersPerSecond), speedLimit: toKnots(limitMetersPerSecond ?? 0) }
  return eventAt(eventId(number), 'deviceOverspeed', vehicle, startedAt, world, speeds)
}

/** Returns the id of a safety event. It contains the number of the trip and differs from the ids of engine starts. */
export const eventId = (number: number): number => Math.floor(number / 100) * 1000 + (number % 100)

const eventAt = (
  id: number,
  type: string,
  vehicle: number,
  at: Ms,
  world: World,
  attributes: TraccarEvent['attributes'] = {},
): TraccarEvent => ({
  id,
  type,
  eventTime: toDate(at),
  deviceId: vehicle,
  positionId: positionId(vehicle, at, world),
  geofenceId: 0,
  maintenanceId: 0,
  attributes,
})
