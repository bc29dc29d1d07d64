import type { SafetyEvent } from '../../world/truth.ts'
import type { FakeRequest } from '../fake-request.ts'

const FILMED = 3
const NEW = 4

/** Returns the events of a period, in order. */
export function eventsIn(
  request: FakeRequest,
  isMeant: (event: SafetyEvent) => boolean,
  changedIs: boolean,
): SafetyEvent[] {
  const { from, to } = request.period(request.zone)
  const [vehicles, drivers] = [request.ids('vehicle', 'vehicle_ids'), request.ids('user', 'driver_ids')]
  return request.company
    .safetyEvents()
    .filter((event) => isMeant(event) && event.startedAt >= from && event.startedAt < to)
    .filter(({ vehicle }) => vehicles?.has(vehicle) ?? true)
    .filter(({ driver }) => !drivers || (driver !== null && drivers.has(driver)))
    .filter(({ updatedAt }) => !changedIs || request.isChanged(updatedAt))
    .toSorted((one, other) => one.startedAt - other.startedAt || one.number - other.number)
}

export const isSpeeding = ({ kind }: SafetyEvent): boolean => kind === 'speeding'

const formats = {
  harsh_brake: 'hard_brake',
  harsh_acceleration: 'hard_accel',
  harsh_turn: 'hard_corner',
  crash: 'crash',
  speeding: 'speeding',
} as const

/** Returns whether an event gets an unknown type, as in a growing list. */
export const isUnknown = (request: FakeRequest, { kind, number }: SafetyEvent): boolean =>
  request.is('eventTypes', 'new_ones') && kind === 'harsh_turn' && number % NEW < 2

export const wordOf = (request: FakeRequest, event: SafetyEvent): string =>
  isUnknown(request, event) ? 'loose_cargo' : formats[event.kind]

export const isFilmed = (request: FakeRequest, { number }: SafetyEvent): boolean =>
  request.is('cameras', 'some') && number % FILMED === 0
