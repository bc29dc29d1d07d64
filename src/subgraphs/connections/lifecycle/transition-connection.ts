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
  /** Whether running syncs continue and end by themselves. */
  readonly keepsSyncs?: boolean
  /** Other fields to change. */
  readonly fields?: Columns
  /** Returns the events to append, given the event of the transition. Defaults to that event. */
  eventsOf?(after: Connection, event: ChangeEvent | null): readonly NewEvent[]
}

interface TransitionResult {
  readonly connection: Connection
  readonly hasChanged: boolean
  /** Syncs that ended because the provider is no longer called. */
  readonly ended: readonly Sync[]
}

/**
 * Moves a locked connection to the state that the transition table gives for a trigger. Without a difference
 * no event is appended. Transitions of the service itself are audited.
 */
export async function transitionConnection(
  tx: Transaction,
  before: Connection,
  trigger: Trigger | null,
  { now, providerName, keepsSyncs = false, fields = {}, eventsOf }: TransitionOptions,
): Promise<TransitionResult> {
  const outcome = trigger === null ? 'stays' : transitions[before.status][trigger]
  if (outcome === 'refused') throw transitionRefused(before.status)
  const transition = outcome === 'stays' ? null : outcome
  const result = transition ? transitionedColumns(before, transition, now) : {}
  const changes = differing(before, { ...fields, ...result })
  if (Object.keys(changes).length === 0) return { connection: before, hasChanged: false, ended: [] }
  const after = await saveConnection(tx, before, { ...changes, updatedAt: now })
  await auditServiceTransition(tx, trigger, before, after)
  const stops =
    !keepsSyncs &&
    hasStatusFlag(before.status, 'allowsProviderCalls') &&
    !hasStatusFlag(after.status, 'allowsProviderCalls')
  const ended = stops ? await cancelUnfinished(tx, after, providerName, now) : []
  const event = transition?.event ?? null
  const events =
    eventsOf?.(after, event) ?? (event === null ? [] : [connectionEvent(event, after, providerName)])
  const { applicationId, id: connectionId } = after
  await appendEvents(tx, { applicationId, connectionId, at: now }, events)
  return { connection: after, hasChanged: true, ended }
}

function transitionRefused(status: ConnectionStatus): PublicError {
  const why =
    status === ConnectionStatus.PENDING_DELETION
      ? 'The connection is pending deletion. Cancel the deletion before the fleet signs in again.'
      : `The connection is ${status}: it cannot be changed.`
  return new PublicError('unprocessable_entity', why)
}

/** Returns the columns of a transition. The time of the deletion request is kept during the deletion. */
function transitionedColumns(before: Connection, { to }: Transition, now: Instant): Partial<Connection> {
  const status = to === 'before' ? (before.statusBefore ?? ConnectionStatus.DISCONNECTED) : to
  if (status === ConnectionStatus.PENDING_DELETION)
    return { status, statusBefore: before.status, deletionRequestedAt: now }
  if (hasStatusFlag(status, 'isDeleted')) return { status, statusBefore: null }
  return { status, statusBefore: null, deletionRequestedAt: null }
}

/** Returns the columns whose values differ. */
export const differing = <Changes extends Columns>(before: Connection, changes: Changes): Changes =>
  Object.fromEntries(
    Object.entries(changes).filter(
      ([column, value]) => !isDeepStrictEqual(plain(before[column as keyof Connection]), plain(value)),
    ),
  ) as Changes

/** Returns a value as stored: values from GraphQL have other prototypes. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
