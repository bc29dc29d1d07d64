import { accessTopic } from '../access.ts'
import type { Caller } from '../../auth/caller.ts'
import type { Transaction } from '../../storage/database.ts'
import type { Instant } from '../../time.ts'
import { connectionEvent } from './announcements.ts'
import type { Sync } from './syncs/sync.ts'
import { checkedFilters, checkedOptions, checkText, checkTexts, refused } from './check-input.ts'
import { type Company, type Connection, ConnectionStatus, type SyncMode } from './connection.ts'
import { credentialsOf, renewingOf } from './credentials/open-account.ts'
import { identifyAccount } from './life/identify-account.ts'
import { heldConnection, isGone, meantConnection, refuseGone } from './meant-connection.ts'
import { differing, moveConnection } from './life/move-connection.ts'
import { rememberChange } from './remember-change.ts'
import { isSettable, type Settable, settable, setterOf } from './life/transitions.ts'
import { type ConnectionWritesFrom, follow, lookForWork, providerNameOf } from './writes-from.ts'

const RENEWAL_MS = 20_000

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
      caller,
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
  const renewing = renewingOf(from, meant, AbortSignal.timeout(RENEWAL_MS))
  await identifyAccount(provider, await credentialsOf(from, meant), renewing)
}

async function apply(
  tx: Transaction,
  before: Connection,
  wished: Partial<Connection>,
  status: Settable | null,
  {
    caller,
    now,
    providerName,
  }: { readonly caller: Caller; readonly now: Instant; readonly providerName: string },
): Promise<{ changed: Connection; ended: readonly Sync[] }> {
  const fields = differing(before, wished)
  const named = Object.keys(fields)
  const { connection, hasChanged, ended } = await moveConnection(tx, before, status && setterOf(status), {
    now,
    providerName,
    also: fields,
    told: (after, event) =>
      [...new Set([...(named.length > 0 ? ['connection.updated'] : []), ...(event ? [event] : [])])].map(
        (type) => connectionEvent(type, after, providerName),
      ),
  })
  if (hasChanged) await rememberChange(tx, caller, { before, after: connection }, named)
  if ('options' in fields) await pollSoon(tx, connection, now)
  return { changed: connection, ended }
}

/** Its interval may have become shorter. */
const pollSoon = (tx: Transaction, { id, applicationId }: Connection, now: Instant): Promise<unknown> =>
  tx.run('UPDATE `schedules` SET `nextPollAt` = ? WHERE `connectionId` = ? AND `applicationId` = ?', [
    now,
    id,
    applicationId,
  ])
