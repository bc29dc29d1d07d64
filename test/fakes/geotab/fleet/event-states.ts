import type { Ms, SafetyEvent } from '../../world/truth.ts'
import { HOUR } from '../times.ts'
import type { Fleet } from './fleet.ts'

export const VALID = 'ExceptionEventStateValidId'

/** Returns the time of an event's removal, or null. */
export const removedEventAt = ({ switches }: Fleet, event: SafetyEvent): Ms | null =>
  switches.eventStates === 'sent' && event.number % 4 === 1
    ? Math.max(event.arrivedAt, event.updatedAt) + 4 * HOUR
    : null

export const stateAfter = ({ number }: SafetyEvent): string =>
  number % 8 === 1 ? 'ExceptionEventStateInvalidId' : 'ExceptionEventStateDismissedId'

export function isRemovedEvent(fleet: Fleet, event: SafetyEvent): boolean {
  const at = removedEventAt(fleet, event)
  return at !== null && at <= fleet.world.now
}
