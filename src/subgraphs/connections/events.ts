import type { Rows } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import { type NewEvent, withoutNulls } from '../../storage/outbox.ts'
import { hasStatusFlag } from '../tables/connection-states.ts'
import { type RestJson, toRestJson } from '../schema/rest-serializer.ts'
import { toEventReference } from '../tables/connection-reference.ts'
import { Connection } from './connection.ts'
import { Issue } from './issues/issue.ts'
import { Sync } from './syncs/sync.ts'

// Events of connections, syncs and issues. They contain the record as of the transaction that changes it.

/**
 * Returns an event of a connection. Its detail contains `extra` next to the connection, such as values of a
 * link run.
 */
export const connectionEvent = (
  type: string,
  connection: Connection,
  providerName: string,
  extra: RestJson = {},
): NewEvent => ({
  type,
  subjectId: connection.id,
  detail: { connection: connectionToRestJson(connection, providerName), ...extra },
})

/**
 * Returns the event at the end of a link run, for new and existing connections. Its `metadata` contains the external id
 * and the tags of the run, which may differ from those of an existing connection.
 */
export const completedEvent = (
  connection: Connection,
  { externalId, tags = [] }: { readonly externalId?: string | null; readonly tags?: readonly string[] },
  providerName: string,
): NewEvent =>
  connectionEvent('connection.completed', connection, providerName, {
    metadata: withoutNulls({ externalId, tags }),
  })

/** Sync with the ids of its issues. */
export interface SyncWithIssues {
  readonly sync: Sync
  readonly issueIds: readonly string[]
}

export const syncEvent = (
  type: string,
  syncWithIssues: SyncWithIssues,
  connection: Connection,
  providerName: string,
): NewEvent => ({
  type,
  subjectId: syncWithIssues.sync.id,
  detail: { connection: toEventReference(connection, providerName), sync: syncToRestJson(syncWithIssues) },
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

export const syncToRestJson = ({ sync, issueIds }: SyncWithIssues): RestJson =>
  toRestJson(Sync, sync, { issues: issueIds })

/**
 * Serializes a connection without token and link: `buildEventPayloads` adds them, so the log stores no secret. Omits
 * the time zone, which connections of `/tsp/v1` do not have, and the settings during and after the deletion of the
 * data.
 */
const connectionToRestJson = (connection: Connection, providerName: string): RestJson =>
  toRestJson(Connection, connection, {
    ...toEventReference(connection, providerName),
    options: hasStatusFlag(connection.status, 'isDeleted') ? undefined : connection.options,
    timeZone: undefined,
  })

/** Returns the syncs with the ids of the issues that they have reported so far. */
export async function withIssueIds(db: Rows, syncs: readonly Sync[]): Promise<SyncWithIssues[]> {
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
