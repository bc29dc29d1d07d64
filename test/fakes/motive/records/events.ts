import type { SafetyEvent } from '../../world/truth.ts'
import type { Asked } from '../asked.ts'

const FILMED = 3
const NEW = 4

/** Those of a time, in order. */
export function eventsIn(
  asked: Asked,
  isMeant: (event: SafetyEvent) => boolean,
  changedIs: boolean,
): SafetyEvent[] {
  const { from, to } = asked.period(asked.zone)
  const [vehicles, drivers] = [asked.ids('vehicle', 'vehicle_ids'), asked.ids('user', 'driver_ids')]
  return asked.company
    .safetyEvents()
    .filter((event) => isMeant(event) && event.startedAt >= from && event.startedAt < to)
    .filter(({ vehicle }) => vehicles?.has(vehicle) ?? true)
    .filter(({ driver }) => !drivers || (driver !== null && drivers.has(driver)))
    .filter(({ updatedAt }) => !changedIs || asked.isChanged(updatedAt))
    .toSorted((one, other) => one.startedAt - other.startedAt || one.number - other.number)
}

export const isSpeeding = ({ kind }: SafetyEvent): boolean => kind === 'speeding'

const words = {
  harsh_brake: 'hard_brake',
  harsh_acceleration: 'hard_accel',
  harsh_turn: 'hard_corner',
  crash: 'crash',
  speeding: 'speeding',
} as const

/** The list of words grows. */
export const isUnknown = (asked: Asked, { kind, number }: SafetyEvent): boolean =>
  asked.is('eventTypes', 'new_ones') && kind === 'harsh_turn' && number % NEW < 2

export const wordOf = (asked: Asked, event: SafetyEvent): string =>
  isUnknown(asked, event) ? 'loose_cargo' : words[event.kind]

export const isFilmed = (asked: Asked, { number }: SafetyEvent): boolean =>
  asked.is('cameras', 'some') && number % FILMED === 0
