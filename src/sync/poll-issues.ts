import { type IngestDeps, logUnreadable, type PollFaults } from './ingest/latest/poll-latest.ts'
import type { LatestModel } from '../domain/record-models.ts'
import { OUTBOX_TOPIC } from '../storage/outbox.ts'
import { and, type Where } from '../storage/sql/where.ts'
import type { Connection } from '../subgraphs/connections/connection.ts'
import { storedCredentialsOf } from '../subgraphs/connections/credentials/open-account.ts'
import { IssueCode } from '../subgraphs/connections/issues/issue-code.ts'
import { type IssueReport, reportIssue } from '../subgraphs/connections/issues/report-issue.ts'
import { resolveIssues } from '../subgraphs/connections/issues/resolve-issue.ts'
import { scopeMissing } from '../subgraphs/connections/issues/scope-missing.ts'
import { leftOutMessage, invalidValuesMessage, type Origin } from './issue-messages.ts'

/**
 * Issues of polls: a missing scope and invalid records open issues. A later poll without these problems resolves them.
 */

interface PollTarget {
  readonly connection: Connection
  readonly model: LatestModel
  readonly providerName: string
}

export async function reportMissingScope(deps: IngestDeps, { connection, model, providerName }: PollTarget) {
  const isConsented = 'refreshToken' in (await storedCredentialsOf(deps, connection))
  const now = deps.clock.now()
  await deps.db.transaction(async (tx) => {
    const issue = scopeMissing({ model, providerName, isConsented })
    await reportIssue(tx, { ...issue, connection, providerName, syncId: null, now })
  })
  deps.notifier.notify(OUTBOX_TOPIC)
}

/** Minimum time between two reports of the same issue, because polls can run every few seconds. */
const REPORT_INTERVAL_MS = 60_000

/** After a poll that has read a model, reports its invalid records and resolves the other issues of the model. */
export async function updatePollIssues(
  deps: IngestDeps,
  target: PollTarget,
  faults: PollFaults,
): Promise<void> {
  const { connection, model, providerName } = target
  const { id, applicationId } = connection
  const now = deps.clock.now()
  const ongoing = await deps.db.rows<{ lastReportedAt: number | string }>(
    "SELECT `lastReportedAt` FROM `issues` WHERE `applicationId` = ? AND `connectionId` = ? AND `model` = ? AND `status` = 'ongoing'",
    [applicationId, id, model],
  )
  const reports = reportsOf(faults, { model, providerName, readFrom: null })
  const isRecent = ongoing.every(({ lastReportedAt }) => now - Number(lastReportedAt) < REPORT_INTERVAL_MS)
  if (ongoing.length === reports.length && isRecent) return
  logUnreadable(deps, target, faults)
  await deps.db.transaction(async (tx) => {
    const notReported: Where[] = []
    for (const report of reports) {
      const issue = await reportIssue(tx, {
        ...report,
        ...target,
        syncId: null,
        now,
        code: IssueCode.PROVIDER_SOURCE_DATA_INVALID,
      })
      notReported.push({ sql: '`id` <> ?', parameters: [issue.id] })
    }
    await resolveIssues(
      tx,
      connection,
      providerName,
      now,
      and({ sql: '`model` = ?', parameters: [model] }, ...notReported),
    )
  })
  deps.notifier.notify(OUTBOX_TOPIC)
}

type Report = Pick<IssueReport, 'part' | 'records' | 'message'>

function reportsOf({ unreadable, partial, fields }: PollFaults, origin: Origin) {
  const reports: Report[] = []
  if (unreadable > 0)
    reports.push({ records: unreadable, message: (records) => leftOutMessage(records, origin) })
  if (partial > 0)
    reports.push({
      part: 'values',
      records: partial,
      message: (records) => invalidValuesMessage(records, fields, origin),
    })
  return reports
}
