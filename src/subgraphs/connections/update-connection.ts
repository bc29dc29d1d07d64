import { invalidMember } from '../../domain/errors.ts'
import { accessTopic } from '../streams/topics.ts'
import { recordFilterChanges } from '../tables/filter-change.ts'
import type { Caller } from '../../auth/caller.ts'
import type { Transaction } from '../../storage/database.ts'
import type { Instant } from '../../domain/time.ts'
import { connectionEvent } from './events.ts'
import { rereadLoosened } from './syncs/reread-history.ts'
import type { Sync } from './syncs/sync.ts'
import { validateFilters, validateOptions, validateText, validateTexts } from './validate-input.ts'
import { type Company, type Connection, ConnectionStatus, type SyncMode } from './connection.ts'
import { storedCredentialsOf, renewableCredentials } from './credentials/open-account.ts'
import { findApplication } from './applications/lock-application.ts'
import { identifyAccount } from './lifecycle/identify-account.ts'
import {
  lockConnection,
  isBeingDeleted,
  findCallersConnection,
  requireNotDeleting,
} from './find-connection.ts'
import { requireAvailable } from './providers/available-providers.ts'
import { differing, transitionConnection } from './lifecycle/transition-connection.ts'
import { auditConnectionUpdate } from './audit-change.ts'
import { isSettable, settableStatuses, setterOf, type Trigger } from './lifecycle/transitions.ts'
import { type ConnectionCommandDeps, afterCommit, enqueueReconcile, providerNameOf } from './command-deps.ts'
import { deadlineSignal } from '../../platform/lifecycle/deadline.ts'

/** Timeout of a renewal of the stored credentials while they are checked. */
const RENEWAL_TIMEOUT_MS = 20_000

/** Changes of a connection. Absent members stay unchanged. */
export interface ConnectionChange {
  readonly connectionId?: string | null
  readonly status?: ConnectionStatus | null
  readonly options?: unknown
  readonly company?: Partial<Company> | null
  /** Null removes the identifier. */
  readonly externalId?: string | null
  readonly syncMode?: SyncMode | null
  /** Replaces all tags. */
  readonly tags?: readonly string[] | null
  /** Null removes the filters. */
  readonly filters?: unknown
}

type FieldChanges = Omit<ConnectionChange, 'status'>

/** Updates a connection. If a field differs, an event is appended. */
export async function updateConnection(
  deps: ConnectionCommandDeps,
  caller: Caller,
  change: ConnectionChange,
): Promise<Connection> {
  return changeConnection(deps, caller, change, settingTrigger(change.status))
}

/** Changes fields of a connection, and its status as the transition table gives it for a trigger. */
export async function changeConnection(
  deps: ConnectionCommandDeps,
  caller: Caller,
  change: FieldChanges,
  trigger: Trigger | null,
): Promise<Connection> {
  const requested = changedColumns(change)
  const connection = await findCallersConnection(deps.db, caller, change.connectionId)
  const member = memberThatConnects(trigger)
  if (member !== null) await requireValidCredentials(deps, connection, member)
  const { changed, endedSyncs } = await deps.db.transaction(async (tx) => {
    const before = await lockConnection(tx, caller, connection.id)
    requireNotDeleting(before)
    return applyChange(tx, before, { ...requested, ...companyOf(before, change) }, trigger, {
      caller,
      now: deps.clock.now(),
      providerName: providerNameOf(deps, before.provider),
    })
  })
  if (trigger !== null) deps.notifier.notify(accessTopic(changed.applicationId))
  await afterCommit(deps, { enqueue: () => enqueueReconcile(deps), endedSyncs })
  return changed
}

function settingTrigger(status: ConnectionStatus | null | undefined): Trigger | null {
  if (status == null) return null
  if (isSettable(status)) return setterOf(status)
  throw invalidMember(
    'status',
    `\`status\` can be set to ${settableStatuses.map((name) => `\`${name}\``).join(', ')}.`,
  )
}

/** Returns the member of the input that connects the connection; null if the trigger does not. */
const memberThatConnects = (trigger: Trigger | null): string | null =>
  trigger === 'set_connected' ? 'status' : trigger === 'reconnect' ? 'connectionId' : null

function changedColumns({ options, externalId, syncMode, tags, filters, company }: FieldChanges) {
  validateText('externalId', externalId)
  validateTexts('tags', tags)
  validateText('company.name', company?.name)
  validateTexts('company.dotNumbers', company?.dotNumbers)
  return {
    ...(options == null ? {} : { options: validateOptions(options) }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(syncMode == null ? {} : { syncMode }),
    ...(tags == null ? {} : { tags: [...tags] }),
    ...(filters === undefined ? {} : { filters: validateFilters(filters) }),
  }
}

/** Returns the company with the given members; absent members stay unchanged. */
function companyOf({ company: before }: Connection, { company }: ConnectionChange): { company?: Company } {
  if (company == null) return {}
  const { name = before.name, dotNumbers } = company
  return { company: { name, dotNumbers: [...(dotNumbers ?? before.dotNumbers)] } }
}

/**
 * Throws unless the application can use the provider, and the provider accepts the stored credentials, before the
 * connection becomes connected. A connection that is pending deletion is not checked: CONNECTED only cancels the
 * deletion and restores the previous status.
 */
async function requireValidCredentials(
  deps: ConnectionCommandDeps,
  connection: Connection,
  member: string,
): Promise<void> {
  const provider = deps.registry.find(connection.provider)
  if (isBeingDeleted(connection) || connection.status === ConnectionStatus.PENDING_DELETION || !provider)
    return
  requireAvailable(provider.manifest, await findApplication(deps.db, connection.applicationId), member)
  const renewing = renewableCredentials(deps, connection, deadlineSignal(RENEWAL_TIMEOUT_MS))
  await identifyAccount(provider, await storedCredentialsOf(deps, connection), renewing)
}

async function applyChange(
  tx: Transaction,
  before: Connection,
  requested: Partial<Connection>,
  trigger: Trigger | null,
  {
    caller,
    now,
    providerName,
  }: { readonly caller: Caller; readonly now: Instant; readonly providerName: string },
): Promise<{ changed: Connection; endedSyncs: readonly Sync[] }> {
  const fields = differing(before, requested)
  const changedMembers = Object.keys(fields)
  const { connection, hasChanged, endedSyncs } = await transitionConnection(tx, before, trigger, {
    now,
    providerName,
    fields,
    eventsOf: (after, event) =>
      [
        ...new Set([...(changedMembers.length > 0 ? ['connection.updated'] : []), ...(event ? [event] : [])]),
      ].map((type) => connectionEvent(type, after, providerName)),
  })
  if (hasChanged) await auditConnectionUpdate(tx, caller, { before, after: connection }, changedMembers)
  if ('filters' in fields) {
    await recordFilterChanges(tx, before, connection)
    await rereadLoosened(tx, before, connection)
  }
  if ('options' in fields) await reschedulePoll(tx, connection, now)
  return { changed: connection, endedSyncs }
}

/** Makes the next poll due at once, because the poll interval may have become shorter. */
const reschedulePoll = (tx: Transaction, { id, applicationId }: Connection, now: Instant): Promise<unknown> =>
  tx.run('UPDATE `schedules` SET `nextPollAt` = ? WHERE `connectionId` = ? AND `applicationId` = ?', [
    now,
    id,
    applicationId,
  ])
