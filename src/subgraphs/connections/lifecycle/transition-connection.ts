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
  /** Whether its syncs go on, to find out by themselves. */
  readonly keepsSyncs?: boolean
  /** What changes with it. */
  readonly also?: Columns
  /** What is told of it, given the event of the table; only that one where it is absent. */
  eventsOf?(after: Connection, event: ChangeEvent | null): readonly NewEvent[]
}

interface TransitionResult {
  readonly connection: Connection
  readonly hasChanged: boolean
  /** The syncs that ended with it, because its provider is not asked any more. */
  readonly ended: readonly Sync[]
}

/** Takes a connection that is held to where something leads it, by the table of its life. Where nothing is different nothing is told. What the service does by itself is remembered. */
export async function transitionConnection(
  tx: Transaction,
  before: Connection,
  trigger: Trigger | null,
  { now, providerName, keepsSyncs = false, also = {}, eventsOf }: TransitionOptions,
): Promise<TransitionResult> {
  const outcome = trigger === null ? 'stays' : transitions[before.status][trigger]
  if (outcome === 'refused') throw transitionRefused(before.status)
  const transition = outcome === 'stays' ? null : outcome
  const result = transition ? transitionedColumns(before, transition, now) : {}
  const changes = differing(before, { ...also, ...result })
  if (Object.keys(changes).length === 0) return { connection: before, hasChanged: false, ended: [] }
  const after = await saveConnection(tx, before, { ...changes, updatedAt: now })
  await auditServiceTransition(tx, trigger, before, after)
  const stops =
    !keepsSyncs &&
    hasStatusFlag(before.status, 'allowsProviderCalls') &&
    !hasStatusFlag(after.status, 'allowsProviderCalls')
  const ended = stops ? await cancelUnfinished(tx, after, providerName, now) : []
  const event = transition?.event ?? null
  const announcements =
    eventsOf?.(after, event) ?? (event === null ? [] : [connectionEvent(event, after, providerName)])
  const { applicationId, id: connectionId } = after
  await appendEvents(tx, { applicationId, connectionId, at: now }, announcements)
  return { connection: after, hasChanged: true, ended }
}

function transitionRefused(status: ConnectionStatus): PublicError {
  const why =
    status === ConnectionStatus.PENDING_DELETION
      ? 'The connection is about to be deleted: that has to be called off before anybody signs in to it.'
      : `The connection is ${status}: it cannot be changed.`
  return new PublicError('unprocessable_entity', why)
}

/** When a deletion was asked for stays known while it is done. */
function transitionedColumns(before: Connection, { to }: Transition, now: Instant): Partial<Connection> {
  const status = to === 'before' ? (before.statusBefore ?? ConnectionStatus.DISCONNECTED) : to
  if (status === ConnectionStatus.PENDING_DELETION)
    return { status, statusBefore: before.status, deletionRequestedAt: now }
  if (hasStatusFlag(status, 'isDeleted')) return { status, statusBefore: null }
  return { status, statusBefore: null, deletionRequestedAt: null }
}

/** Those columns that are not as they were. */
export const differing = <Wished extends Columns>(before: Connection, wished: Wished): Wished =>
  Object.fromEntries(
    Object.entries(wished).filter(
      ([column, value]) => !isDeepStrictEqual(plain(before[column as keyof Connection]), plain(value)),
    ),
  ) as Wished

/** As it is stored: what GraphQL parsed has other prototypes. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
