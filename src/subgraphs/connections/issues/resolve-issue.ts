import type { Caller } from '../../../auth/caller.ts'
import { PublicError } from '../../../errors.ts'
import type { Rows, Transaction } from '../../../storage/database.ts'
import { announce } from '../../../storage/outbox.ts'
import { tableOf } from '../../../storage/table.ts'
import { and, equal, mine, type Where } from '../../../storage/where.ts'
import type { Instant } from '../../../time.ts'
import { by, remember } from '../../audit.ts'
import { issueEvent } from '../announcements.ts'
import type { Connection } from '../connection.ts'
import { Issue, IssueStatus } from './issue.ts'
import { heldConnection, refuseGone } from '../meant-connection.ts'
import { type ConnectionWritesFrom, follow, providerNameOf } from '../writes-from.ts'

const table = tableOf(Issue)

/** Marks an issue as resolved; a sync or a poll that meets it again opens it again. One that is resolved stays as it is. */
export async function resolveIssue(
  from: ConnectionWritesFrom,
  caller: Caller,
  { issueId }: { readonly issueId: string },
): Promise<Issue> {
  const resolved = await from.db.transaction(async (tx) => {
    const where = and(mine(caller), equal('id', issueId))
    const [found] = await issuesWhere(tx, where)
    if (!found) throw new PublicError('not_found', 'There is no such issue.')
    const connection = await heldConnection(tx, caller, found.connectionId)
    refuseGone(connection)
    const name = providerNameOf(from, connection.provider)
    const now = from.clock.now()
    const [issue] = await resolveIssues(tx, connection, name, now, equal('id', issueId))
    if (!issue) return { ...found, status: IssueStatus.RESOLVED }
    await remember(tx, by(caller, now), { action: 'issue.resolved', targetId: issueId })
    return issue
  })
  await follow(from)
  return resolved
}

/** Resolves the ongoing issues of a connection that a condition names, and tells of each. */
export async function resolveIssues(
  tx: Transaction,
  connection: Connection,
  providerName: string,
  now: Instant,
  which: Where | null,
): Promise<Issue[]> {
  const { id: connectionId, applicationId } = connection
  const ongoing = { sql: "`connectionId` = ? AND `status` = 'ongoing'", parameters: [connectionId] }
  const found = await issuesWhere(tx, and(ongoing, which))
  if (found.length === 0) return []
  const issues = found.map((issue): Issue => ({ ...issue, status: IssueStatus.RESOLVED }))
  await tx.upsert(table, issues)
  await announce(
    tx,
    { applicationId, connectionId, at: now },
    issues.map((issue) => issueEvent('issue.resolved', issue, connection, providerName)),
  )
  return issues
}

async function issuesWhere(db: Rows, { sql, parameters }: Where): Promise<Issue[]> {
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`issues\` WHERE ${sql}`,
    parameters,
  )
  return rows.map((row) => table.toRow(row))
}
