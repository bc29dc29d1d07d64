import type { Rows } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import { type NewEvent, withoutNulls } from '../../storage/outbox.ts'
import { hasStatusFlag } from '../tables/connection-states.ts'
import { type RestJson, toRestJson } from '../schema/rest-serializer.ts'
import { toEventReference, Connection } from './connection.ts'
import { Issue } from './issues/issue.ts'
import { Sync } from './syncs/sync.ts'

/** What events tell of connections, syncs and issues: the record as it is in the transaction that changes it. */

/** `also` stands beside the connection, such as what a link run passed. */
export const connectionEvent = (
  type: string,
  connection: Connection,
  providerName: string,
  also: RestJson = {},
): NewEvent => ({
  type,
  subjectId: connection.id,
  detail: { connection: connectionToRestJson(connection, providerName), ...also },
})

/** What ends a link run, for a connection that is new and for one that there was: `metadata` is what the run passed. */
export const completedEvent = (
  connection: Connection,
  { externalId, tags = [] }: { readonly externalId?: string | null; readonly tags?: readonly string[] },
  providerName: string,
): NewEvent =>
  connectionEvent('connection.completed', connection, providerName, {
    metadata: withoutNulls({ externalId, tags }),
  })

/** A sync, and the ids of the issues that it has met. */
export interface SyncState {
  readonly sync: Sync
  readonly issueIds: readonly string[]
}

export const syncEvent = (
  type: string,
  state: SyncState,
  connection: Connection,
  providerName: string,
): NewEvent => ({
  type,
  subjectId: state.sync.id,
  detail: { connection: toEventReference(connection, providerName), sync: syncToRestJson(state) },
})

export const issueEvent = (
  type: string,
  issue: Issue,
  connection: Connection,
  providerName: string,
): NewEvent => ({
  type,
  subjectId: issue.id,
  detail: {
    connection: toEventReference(connection, providerName),
    issue: toRestJson(Issue, issue, { connection: issue.connectionId }),
  },
})

export const syncToRestJson = ({ sync, issueIds }: SyncState): RestJson =>
  toRestJson(Sync, sync, { issues: issueIds })

/**
 * All but its token and link, which `buildEventPayloads` adds: no secret is stored in the log. Of a connection whose data goes
 * or is gone the settings are no longer told (gaps 1.1).
 */
const connectionToRestJson = (connection: Connection, providerName: string): RestJson =>
  toRestJson(Connection, connection, {
    ...toEventReference(connection, providerName),
    options: hasStatusFlag(connection.status, 'isDeleted') ? undefined : connection.options,
    timeZone: undefined,
  })

/** Syncs with what they have met so far. */
export async function statesOf(db: Rows, syncs: readonly Sync[]): Promise<SyncState[]> {
  if (syncs.length === 0) return []
  const rows = await db.rows<{ syncId: string; issueId: string }>(
    `SELECT \`syncId\`, \`issueId\` FROM \`sync_issues\` WHERE \`syncId\` IN (${placeholders(syncs.length)})
      ORDER BY \`issueId\``,
    syncs.map(({ id }) => id),
  )
  return syncs.map((sync) => ({
    sync,
    issueIds: rows.filter(({ syncId }) => syncId === sync.id).map(({ issueId }) => issueId),
  }))
}
