import { isDeepStrictEqual } from 'node:util'
import { accessTopic } from '../access.ts'
import type { Caller } from '../../auth/caller.ts'
import type { Transaction } from '../../storage/database.ts'
import { announce } from '../../storage/outbox.ts'
import type { Instant } from '../../time.ts'
import { connectionEvent } from './announcements.ts'
import { cancelUnfinished } from './syncs/cancel-sync.ts'
import type { Sync } from './syncs/sync.ts'
import { checkedFilters, checkedOptions, checkText, checkTexts, refused } from './check-input.ts'
import { type Company, type Connection, ConnectionStatus, type SyncMode } from './connection.ts'
import { credentialsOf } from './connection-credentials.ts'
import { identifyAccount } from './identify-account.ts'
import { heldConnection, isGone, meantConnection, refuseGone, saveConnection } from './meant-connection.ts'
import { isSettable, type Settable, settable, type Transition, transitions } from './transitions.ts'
import { type ConnectionWritesFrom, follow, lookForWork, providerNameOf } from './writes-from.ts'

/** What of a connection is to change; what is absent stays. */
export interface ConnectionChange {
  readonly connectionId?: string | null
  readonly status?: ConnectionStatus | null
  readonly options?: unknown
  readonly company?: Partial<Company> | null
  /** Null takes it away. */
  readonly externalId?: string | null
  readonly syncMode?: SyncMode | null
  /** The whole list. */
  readonly tags?: readonly string[] | null
  /** Null takes them away. */
  readonly filters?: unknown
}

/** Changes a connection, and tells of it if anything is different then. */
export async function updateConnection(
  from: ConnectionWritesFrom,
  caller: Caller,
  change: ConnectionChange,
): Promise<Connection> {
  const status = settableStatus(change.status)
  const wished = wishedColumns(change)
  const meant = await meantConnection(from.db, caller, change.connectionId)
  if (status === ConnectionStatus.CONNECTED) await refuseBadCredentials(from, meant)
  const { changed, ended } = await from.db.transaction(async (tx) => {
    const before = await heldConnection(tx, caller, meant.id)
    refuseGone(before)
    return apply(tx, before, { ...wished, ...companyOf(before, change) }, status, {
      now: from.clock.now(),
      providerName: providerNameOf(from, before.provider),
    })
  })
  if (status !== null) from.doorbell.ring(accessTopic(changed.applicationId))
  await follow(from, () => lookForWork(from), ended)
  return changed
}

function settableStatus(status: ConnectionStatus | null | undefined): Settable | null {
  if (status == null) return null
  if (isSettable(status)) return status
  throw refused('status', `\`status\` can be set to ${settable.map((one) => `\`${one}\``).join(', ')}.`)
}

function wishedColumns({ options, externalId, syncMode, tags, filters, company }: ConnectionChange) {
  checkText('externalId', externalId)
  checkTexts('tags', tags)
  checkText('company.name', company?.name)
  checkTexts('company.dotNumbers', company?.dotNumbers)
  return {
    ...(options == null ? {} : { options: checkedOptions(options) }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(syncMode == null ? {} : { syncMode }),
    ...(tags == null ? {} : { tags: [...tags] }),
    ...(filters === undefined ? {} : { filters: checkedFilters(filters) }),
  }
}

/** The members that are given; the others stay. */
function companyOf({ company: before }: Connection, { company }: ConnectionChange): { company?: Company } {
  if (company == null) return {}
  const { name = before.name, dotNumbers } = company
  return { company: { name, dotNumbers: [...(dotNumbers ?? before.dotNumbers)] } }
}

/** Only an account that opens is connected. A deletion is called off whatever the credentials are worth. */
async function refuseBadCredentials(from: ConnectionWritesFrom, meant: Connection): Promise<void> {
  const provider = from.registry.find(meant.provider)
  if (isGone(meant) || meant.status === ConnectionStatus.PENDING_DELETION || !provider) return
  await identifyAccount(provider, await credentialsOf(from, meant.id))
}

async function apply(
  tx: Transaction,
  before: Connection,
  wished: Partial<Connection>,
  status: Settable | null,
  { now, providerName }: { readonly now: Instant; readonly providerName: string },
): Promise<{ changed: Connection; ended: readonly Sync[] }> {
  const transition = status === null ? null : (transitions[before.status]?.[status] ?? null)
  const moved = transition ? movedColumns(before, transition) : {}
  const fields = differing(before, wished)
  const changes = { ...fields, ...differing(before, moved) }
  if (Object.keys(changes).length === 0) return { changed: before, ended: [] }
  const after = await saveConnection(tx, before, { ...changes, updatedAt: now })
  if ('options' in changes) await pollSoon(tx, after, now)
  const stops = before.status === ConnectionStatus.CONNECTED && after.status !== ConnectionStatus.CONNECTED
  const ended = stops ? await cancelUnfinished(tx, after, providerName, now) : []
  const event = after.status === before.status ? undefined : transition?.event
  const types = [
    ...(event === undefined || Object.keys(fields).length > 0 ? ['connection.updated'] : []),
    ...(event === undefined ? [] : [event]),
  ]
  const origin = { applicationId: after.applicationId, connectionId: after.id, at: now }
  await announce(
    tx,
    origin,
    types.map((type) => connectionEvent(type, after, providerName)),
  )
  return { changed: after, ended }
}

/** Its interval may have become shorter. */
const pollSoon = (tx: Transaction, { id, applicationId }: Connection, now: Instant): Promise<unknown> =>
  tx.run('UPDATE `schedules` SET `nextPollAt` = ? WHERE `connectionId` = ? AND `applicationId` = ?', [
    now,
    id,
    applicationId,
  ])

function movedColumns(before: Connection, { to }: Transition): Partial<Connection> {
  const status = to === 'before' ? (before.statusBefore ?? ConnectionStatus.DISCONNECTED) : to
  return { status, statusBefore: null, deletionRequestedAt: null }
}

const differing = <Columns extends Partial<Connection>>(before: Connection, wished: Columns): Columns =>
  Object.fromEntries(
    Object.entries(wished).filter(
      ([column, value]) => !isDeepStrictEqual(plain(before[column as keyof Connection]), plain(value)),
    ),
  ) as Columns

/** As it is stored: what GraphQL parsed has other prototypes. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
