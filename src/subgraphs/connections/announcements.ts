import { type Announcement, present } from '../../storage/outbox.ts'
import { toIso } from '../../time.ts'
import { briefly, type Connection } from './connection.ts'
import type { Issue } from './issues/issue.ts'
import type { Sync } from './syncs/sync.ts'

/** What events tell of connections, syncs and issues: the record as it is in the transaction that changes it. */

type Detail = Readonly<Record<string, unknown>>

/** `also` stands beside the connection, such as what a link run passed. */
export const connectionEvent = (
  type: string,
  connection: Connection,
  providerName: string,
  also: Detail = {},
): Announcement => ({
  type,
  subjectId: connection.id,
  detail: { connection: connectionDetail(connection, providerName), ...also },
})

export const syncEvent = (
  type: string,
  sync: Sync,
  connection: Connection,
  providerName: string,
): Announcement => ({
  type,
  subjectId: sync.id,
  detail: { connection: briefly(connection, providerName), sync: syncDetail(sync) },
})

export const issueEvent = (
  type: string,
  issue: Issue,
  connection: Connection,
  providerName: string,
): Announcement => ({
  type,
  subjectId: issue.id,
  detail: { connection: briefly(connection, providerName), issue: issueDetail(issue) },
})

/** The connection in the words of `/tsp/v1`, but for its token: no secret is stored in the log. */
const connectionDetail = (connection: Connection, providerName: string): Detail => {
  const { company, account, filters, sourceId, createdAt, updatedAt } = connection
  return present({
    ...briefly(connection, providerName),
    status: connection.status,
    syncMode: connection.syncMode,
    company: present({ ...company }),
    account: present({ ...account }),
    options: connection.options,
    filters,
    sourceId,
    createdAt: toIso(createdAt),
    updatedAt: toIso(updatedAt),
    deletedAt: iso(connection.deletedAt),
  })
}

const syncDetail = (sync: Sync): Detail =>
  present({
    id: sync.id,
    status: sync.status,
    requestedAt: toIso(sync.requestedAt),
    completedAt: iso(sync.completedAt),
    failureReason: sync.failureReason,
    progress: sync.progress,
    startFrom: iso(sync.startFrom),
    attempts: sync.attempts,
    providerRequests: sync.providerRequests,
  })

const issueDetail = (issue: Issue): Detail => ({
  id: issue.id,
  status: issue.status,
  connection: issue.connectionId,
  error: { code: issue.code, message: issue.message },
  firstReportedAt: toIso(issue.firstReportedAt),
  lastReportedAt: toIso(issue.lastReportedAt),
})

const iso = (at: number | null) => (at === null ? null : toIso(at))
