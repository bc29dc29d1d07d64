import type { Caller } from '../../../auth/caller.ts'
import { PublicError } from '../../../domain/errors.ts'
import type { Rows, Transaction } from '../../../storage/database.ts'
import { appendEvents } from '../../../storage/outbox.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { and, equal, tenantWhere, type Where } from '../../../storage/sql/where.ts'
import type { Instant } from '../../../domain/time.ts'
import { auditedBy, recordAudit } from '../../tables/audit-log.ts'
import { issueEvent } from '../events.ts'
import type { Connection } from '../connection.ts'
import { Issue, IssueStatus } from './issue.ts'
import { clearReadFrom } from './report-issue.ts'
import { lockConnection, requireNotDeleting } from '../find-connection.ts'
import { type ConnectionCommandDeps, afterCommit, providerNameOf } from '../command-deps.ts'

const table = tableOf(Issue)

/**
 * Marks an issue as resolved. It is reopened if a sync or a poll reports it again. An issue that is already resolved is
 * returned unchanged.
 */
export async function resolveIssue(
  deps: ConnectionCommandDeps,
  caller: Caller,
  { issueId }: { readonly issueId: string },
): Promise<Issue> {
  const resolved = await deps.db.transaction(async (tx) => {
    const where = and(tenantWhere(caller), equal('id', issueId))
    const [found] = await findIssues(tx, where)
    if (!found) throw new PublicError('not_found', 'There is no such issue.')
    const connection = await lockConnection(tx, caller, found.connectionId)
    requireNotDeleting(connection)
    const name = providerNameOf(deps, connection.provider)
    const now = deps.clock.now()
    const [issue] = await resolveIssues(tx, connection, name, now, equal('id', issueId))
    if (!issue) return { ...found, status: IssueStatus.RESOLVED }
    await recordAudit(tx, auditedBy(caller, now), { action: 'issue.resolved', targetId: issueId })
    return issue
  })
  await afterCommit(deps)
  return resolved
}

/** Resolves the ongoing issues of a connection that match a condition, and appends an event for each. */
export async function resolveIssues(
  tx: Transaction,
  connection: Connection,
  providerName: string,
  now: Instant,
  condition: Where | null,
): Promise<Issue[]> {
  const { id: connectionId, applicationId } = connection
  const ongoing = {
    sql: "`connectionId` = ? AND `applicationId` = ? AND `status` = 'ongoing'",
    parameters: [connectionId, applicationId],
  }
  const found = await findIssues(tx, and(ongoing, condition))
  if (found.length === 0) return []
  const issues = found.map((issue): Issue => ({ ...issue, status: IssueStatus.RESOLVED }))
  await tx.upsert(table, issues)
  await clearReadFrom(
    tx,
    connection,
    issues.map(({ id }) => id),
  )
  await appendEvents(
    tx,
    { applicationId, connectionId, at: now },
    issues.map((issue) => issueEvent('issue.resolved', issue, connection, providerName)),
  )
  return issues
}

async function findIssues(db: Rows, { sql, parameters }: Where): Promise<Issue[]> {
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`issues\` WHERE ${sql}`,
    parameters,
  )
  return rows.map((row) => table.toRow(row))
}
