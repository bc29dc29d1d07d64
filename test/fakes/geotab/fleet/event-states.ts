import type { Ms, SafetyEvent } from '../../world/truth.ts'
import { HOUR } from '../times.ts'
import type { Fleet } from './fleet.ts'

export const VALID = 'ExceptionEventStateValidId'

/** Returns when the provider marks an event as invalid or dismissed; null if it never does. */
export const withdrawnAt = ({ switches }: Fleet, event: SafetyEvent): Ms | null =>
  switches.eventStates === 'sent' && event.number % 4 === 1
    ? Math.max(event.arrivedAt, event.updatedAt) + 4 * HOUR
    : null

export const withdrawnState = ({ number }: SafetyEvent): string =>
  number % 8 === 1 ? 'ExceptionEventStateInvalidId' : 'ExceptionEventStateDismissedId'

export function isWithdrawn(fleet: Fleet, event: SafetyEvent): boolean {
  const at = withdrawnAt(fleet, event)
  return at !== null && at <= fleet.world.now
}
