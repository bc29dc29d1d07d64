import { isDeepStrictEqual } from 'node:util'
import { PublicError } from '../../../domain/errors.ts'
import type { Transaction } from '../../../storage/database.ts'
import { type NewEvent, appendEvents } from '../../../storage/outbox.ts'
import type { Instant } from '../../../domain/time.ts'
import { hasStatusFlag } from '../../tables/connection-states.ts'
import { connectionEvent } from '../events.ts'
import { type Connection, ConnectionStatus } from '../connection.ts'
import { saveConnection } from '../find-connection.ts'
import { auditServiceTransition } from '../audit-change.ts'
import { cancelUnfinished } from '../syncs/cancel-sync.ts'
import type { Sync } from '../syncs/sync.ts'
import { type ChangeEvent, type Transition, transitions, type Trigger } from './transitions.ts'

type Columns = Parameters<typeof saveConnection>[2]

interface TransitionOptions {
  readonly now: Instant
  readonly providerName: string
  /** Whether unfinished syncs go on. Each of them then detects the change itself, and ends. */
  readonly keepsSyncs?: boolean
  /** Other fields to change. */
  readonly fields?: Columns
  /** Members to add to the audit entry of a transition that the service makes itself. */
  readonly auditDetail?: Readonly<Record<string, unknown>>
  /** Returns the events to append, given the event of the transition. By default, only this event is appended. */
  eventsOf?(after: Connection, event: ChangeEvent | null): readonly NewEvent[]
}

interface TransitionResult {
  readonly connection: Connection
  readonly hasChanged: boolean
  /** Syncs that ended because the provider is no longer called. */
  readonly endedSyncs: readonly Sync[]
}

/**
 * Changes a locked connection to the status that the transition table gives for a trigger. If no column differs,
 * nothing is saved and no event is appended. Transitions of the service itself are audited here.
 */
export async function transitionConnection(
  tx: Transaction,
  before: Connection,
  trigger: Trigger | null,
  { now, providerName, keepsSyncs = false, fields = {}, auditDetail = {}, eventsOf }: TransitionOptions,
): Promise<TransitionResult> {
  const outcome = trigger === null ? 'stays' : transitions[before.status][trigger]
  if (outcome === 'refused') throw transitionError(before.status, trigger)
  const transition = outcome === 'stays' ? null : outcome
  const statusColumns = transition ? statusColumnsOf(before, transition, now) : {}
  const changes = differing(before, { ...fields, ...statusColumns })
  if (Object.keys(changes).length === 0) return { connection: before, hasChanged: false, endedSyncs: [] }
  const after = await saveConnection(tx, before, { ...changes, updatedAt: now })
  await auditServiceTransition(tx, trigger, { before, after }, auditDetail)
  const stopsSyncs =
    !keepsSyncs &&
    hasStatusFlag(before.status, 'allowsProviderCalls') &&
    !hasStatusFlag(after.status, 'allowsProviderCalls')
  const endedSyncs = stopsSyncs ? await cancelUnfinished(tx, after, providerName, now) : []
  const event = transition?.event ?? null
  const events =
    eventsOf?.(after, event) ?? (event === null ? [] : [connectionEvent(event, after, providerName)])
  const { applicationId, id: connectionId } = after
  await appendEvents(tx, { applicationId, connectionId, at: now }, events)
  return { connection: after, hasChanged: true, endedSyncs }
}

function transitionError(status: ConnectionStatus, trigger: Trigger | null): PublicError {
  const message =
    status === ConnectionStatus.PENDING_DELETION
      ? `The connection is pending deletion. Cancel the deletion${trigger === 'sign_in' ? ' before the fleet signs in again' : ' first'}.`
      : trigger === 'cancel_deletion' && !hasStatusFlag(status, 'isDeleted')
        ? `The connection is ${status}: no deletion was requested.`
        : `The connection is ${status}: it cannot be changed.`
  return new PublicError('unprocessable_entity', message)
}

/**
 * Returns the new status and its columns. The time of the deletion request is kept during and after the deletion, and
 * the time of the disconnection during the grace period.
 */
function statusColumnsOf(before: Connection, { to }: Transition, now: Instant): Partial<Connection> {
  const status = to === 'before' ? (before.statusBefore ?? ConnectionStatus.DISCONNECTED) : to
  if (status === ConnectionStatus.PENDING_DELETION)
    return { status, statusBefore: before.status, deletionRequestedAt: now }
  if (hasStatusFlag(status, 'isDeleted')) return { status, statusBefore: null }
  const lastDisconnectedAt =
    status === ConnectionStatus.DISCONNECTED ? disconnectionTimeOf(before, now) : null
  return { status, statusBefore: null, deletionRequestedAt: null, lastDisconnectedAt }
}

/** Returns the time of a disconnection. A cancelled deletion continues the disconnection before it. */
const disconnectionTimeOf = (before: Connection, now: Instant): Instant =>
  before.statusBefore === ConnectionStatus.DISCONNECTED ? (before.lastDisconnectedAt ?? now) : now

/** Returns the columns whose values differ. */
export const differing = <Changes extends Columns>(before: Connection, changes: Changes): Changes =>
  Object.fromEntries(
    Object.entries(changes).filter(
      ([column, value]) => !isDeepStrictEqual(plain(before[column as keyof Connection]), plain(value)),
    ),
  ) as Changes

/** Returns a value as plain JSON. Values from GraphQL have other prototypes, and the comparison includes prototypes. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
