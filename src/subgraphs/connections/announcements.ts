import type { Rows } from '../../storage/database.ts'
import { placeholders } from '../../storage/in-order.ts'
import { type Announcement, present } from '../../storage/outbox.ts'
import { holds } from '../connection-states.ts'
import { type Words, wordsOf } from '../words.ts'
import { briefly, Connection } from './connection.ts'
import { Issue } from './issues/issue.ts'
import { Sync } from './syncs/sync.ts'

/** What events tell of connections, syncs and issues: the record as it is in the transaction that changes it. */

/** `also` stands beside the connection, such as what a link run passed. */
export const connectionEvent = (
  type: string,
  connection: Connection,
  providerName: string,
  also: Words = {},
): Announcement => ({
  type,
  subjectId: connection.id,
  detail: { connection: connectionWords(connection, providerName), ...also },
})

/** What ends a link run, for a connection that is new and for one that there was: `metadata` is what the run passed. */
export const completedEvent = (
  connection: Connection,
  { externalId, tags = [] }: { readonly externalId?: string | null; readonly tags?: readonly string[] },
  providerName: string,
): Announcement =>
  connectionEvent('connection.completed', connection, providerName, {
    metadata: present({ externalId, tags }),
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
): Announcement => ({
  type,
  subjectId: state.sync.id,
  detail: { connection: briefly(connection, providerName), sync: syncWords(state) },
})

export const issueEvent = (
  type: string,
  issue: Issue,
  connection: Connection,
  providerName: string,
): Announcement => ({
  type,
  subjectId: issue.id,
  detail: {
    connection: briefly(connection, providerName),
    issue: wordsOf(Issue, issue, { connection: issue.connectionId }),
  },
})

export const syncWords = ({ sync, issueIds }: SyncState): Words => wordsOf(Sync, sync, { issues: issueIds })

/**
 * All but its token and link, which `eventBodies` adds: no secret is stored in the log. Of a connection whose data goes
 * or is gone the settings are no longer told (gaps 1.1).
 */
const connectionWords = (connection: Connection, providerName: string): Words =>
  wordsOf(Connection, connection, {
    ...briefly(connection, providerName),
    options: holds(connection.status, 'isGone') ? undefined : connection.options,
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
