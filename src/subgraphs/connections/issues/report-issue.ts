import { derivedId, type Id } from '../../../domain/ids.ts'
import type { Rows, Transaction } from '../../../storage/database.ts'
import { findById } from '../../../storage/find-by-id.ts'
import { placeholders } from '../../../storage/loaders/order-by-keys.ts'
import { appendEvents } from '../../../storage/outbox.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import type { Instant } from '../../../domain/time.ts'
import { issueEvent } from '../events.ts'
import { Connection } from '../connection.ts'
import type { IssueCode } from './issue-code.ts'
import { Issue, IssueStatus, SyncIssue } from './issue.ts'

export interface IssueReport {
  readonly connection: Connection
  readonly providerName: string
  /** Null if a poll reports the issue. */
  readonly syncId: Id<'sync'> | null
  readonly code: IssueCode
  readonly model: string | null
  /** Distinguishes issues with the same code and model, such as invalid `values` and mistyped `vins`. */
  readonly part?: string
  /** Start of the time window that the sync reads; absent if the issue does not depend on a window. */
  readonly readFrom?: Instant | null
  /** Number of records that this report adds to those that the sync has counted for the issue. */
  readonly records?: number
  /**
   * Returns the message, given the number of records that this sync has counted for the issue and the earliest
   * `readFrom` of all reports.
   */
  readonly message: (records: number, readFrom: Instant | null) => string
  readonly now: Instant
}

type IssueKey = Pick<IssueReport, 'connection' | 'code' | 'model' | 'part'>

/** There is one issue for each connection, code, model and part. */
export const issueIdOf = ({ connection, code, model, part }: IssueKey): Id<'issue'> =>
  derivedId('issue', connection.id, `${code}/${model ?? ''}${part === undefined ? '' : `/${part}`}`)

/** Reports an issue: creates it, reopens it if it was resolved, or updates the time of its last report. */
export async function reportIssue(tx: Transaction, report: IssueReport): Promise<Issue> {
  const { connection, providerName, syncId, code, model, now } = report
  const id = issueIdOf(report)
  const before = await findIssue(tx, id, connection)
  const records = (await countLeftOut(tx, report)) + (report.records ?? 0)
  const issue: Issue = {
    id,
    applicationId: connection.applicationId,
    connectionId: connection.id,
    status: IssueStatus.ONGOING,
    code,
    model,
    message: report.message(records, await earliestReadFrom(tx, id, report)),
    firstReportedAt: Number(before?.firstReportedAt ?? now),
    lastReportedAt: now,
  }
  const { applicationId, connectionId } = issue
  await tx.upsert(tableOf(Issue), [issue])
  if (syncId !== null)
    await tx.upsert(tableOf(SyncIssue), [
      { syncId, issueId: id, applicationId, connectionId, records, readFrom: report.readFrom ?? null },
    ])
  if (before?.status !== IssueStatus.ONGOING)
    await appendEvents(tx, { applicationId, connectionId, at: now }, [
      // A running sync holds the connection as it was at its start, so the event needs the current row.
      issueEvent(
        'issue.reported',
        issue,
        (await findById(tx, Connection, connectionId)) ?? connection,
        providerName,
      ),
    ])
  return issue
}

async function earliestReadFrom(
  tx: Transaction,
  issueId: string,
  { connection, readFrom = null }: IssueReport,
): Promise<Instant | null> {
  if (readFrom === null) return null
  const [row] = await tx.rows<{ earliest: number | string | null }>(
    `SELECT MIN(\`readFrom\`) AS earliest FROM \`sync_issues\`
      WHERE \`issueId\` = ? AND \`connectionId\` = ? AND \`applicationId\` = ?`,
    [issueId, connection.id, connection.applicationId],
  )
  return Math.min(readFrom, Number(row?.earliest ?? readFrom))
}

async function findIssue(
  tx: Transaction,
  id: string,
  { id: connectionId, applicationId }: Connection,
): Promise<Pick<Issue, 'status' | 'firstReportedAt'> | null> {
  const [row] = await tx.rows<Pick<Issue, 'status' | 'firstReportedAt'>>(
    'SELECT `status`, `firstReportedAt` FROM `issues` WHERE `id` = ? AND `connectionId` = ? AND `applicationId` = ?',
    [id, connectionId, applicationId],
  )
  return row ?? null
}

/** Returns the number of records that a sync has left out so far because of an issue. */
export async function countLeftOut(
  db: Rows,
  { syncId, ...key }: IssueKey & Pick<IssueReport, 'syncId'>,
): Promise<number> {
  const { connection } = key
  const [row] = await db.rows<{ records: number }>(
    `SELECT \`records\` FROM \`sync_issues\`
      WHERE \`syncId\` = ? AND \`issueId\` = ? AND \`connectionId\` = ? AND \`applicationId\` = ?`,
    [syncId, issueIdOf(key), connection.id, connection.applicationId],
  )
  return Number(row?.records ?? 0)
}

/**
 * Clears `readFrom` of issues that are resolved or whose records have been read. Any later sync can then resolve them.
 */
export async function clearReadFrom(
  tx: Transaction,
  { id, applicationId }: Connection,
  issueIds: readonly string[],
): Promise<void> {
  await tx.run(
    `UPDATE \`sync_issues\` SET \`readFrom\` = NULL
      WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`readFrom\` IS NOT NULL AND \`issueId\` IN (${placeholders(issueIds.length)})`,
    [id, applicationId, ...issueIds],
  )
}
