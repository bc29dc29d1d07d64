import type { SafetyEvent } from '../../world/truth.ts'
import type { FakeRequest } from '../fake-request.ts'

const VIDEO_EVERY = 3
const UNKNOWN_TYPE_CYCLE = 4

/** Returns the events of the requested period, in order of time. */
export function eventsIn(
  request: FakeRequest,
  isIncluded: (event: SafetyEvent) => boolean,
  filtersByChange: boolean,
): SafetyEvent[] {
  const { from, to } = request.period(request.zone)
  const [vehicles, drivers] = [request.ids('vehicle', 'vehicle_ids'), request.ids('user', 'driver_ids')]
  return request.company
    .safetyEvents()
    .filter((event) => isIncluded(event) && event.startedAt >= from && event.startedAt < to)
    .filter(({ vehicle }) => vehicles?.has(vehicle) ?? true)
    .filter(({ driver }) => !drivers || (driver !== null && drivers.has(driver)))
    .filter(({ updatedAt }) => !filtersByChange || request.isChanged(updatedAt))
    .toSorted((one, other) => one.startedAt - other.startedAt || one.number - other.number)
}

export const isSpeeding = ({ kind }: SafetyEvent): boolean => kind === 'speeding'

const eventTypes = {
  harsh_brake: 'hard_brake',
  harsh_acceleration: 'hard_accel',
  harsh_turn: 'hard_corner',
  crash: 'crash',
  speeding: 'speeding',
} as const

/** Whether an event gets a type that no document has. */
export const hasUnknownEventType = (request: FakeRequest, { kind, number }: SafetyEvent): boolean =>
  request.is('eventTypes', 'new_ones') && kind === 'harsh_turn' && number % UNKNOWN_TYPE_CYCLE < 2

export const eventTypeOf = (request: FakeRequest, event: SafetyEvent): string =>
  hasUnknownEventType(request, event) ? 'loose_cargo' : eventTypes[event.kind]

export const hasVideo = (request: FakeRequest, { number }: SafetyEvent): boolean =>
  request.is('cameras', 'some') && number % VIDEO_EVERY === 0
