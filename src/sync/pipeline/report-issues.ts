import type { SyncedModel } from '../../domain/record-models.ts'
import type { Rows, Transaction } from '../../storage/database.ts'
import { IssueCode } from '../../subgraphs/connections/issues/issue-code.ts'
import { recordsOf, reportIssue } from '../../subgraphs/connections/issues/report-issue.ts'
import { resolveIssues } from '../../subgraphs/connections/issues/resolve-issue.ts'
import { scopeMissing } from '../../subgraphs/connections/issues/scope-missing.ts'
import type { SyncRun } from '../sync-run.ts'

/** What a sync could not read becomes issues of its connection, and what a later one can read resolves them. */

/** Records of a page that cannot be read; it commits with the page. */
export async function reportQuarantined(
  tx: Transaction,
  run: SyncRun,
  model: SyncedModel,
  records: number,
): Promise<void> {
  if (records === 0) return
  await reportIssue(tx, {
    ...about(run, model),
    code: IssueCode.PROVIDER_SOURCE_DATA_INVALID,
    records,
    message: (all) =>
      `${all} ${model} ${all === 1 ? 'record was' : 'records were'} left out: ${run.providerName} sent them in a form that cannot be read. Correct them there, or report this issue by its id.`,
  })
}

/** Values of a page that do not fit, of records that are stored without them; it commits with the page. */
export async function reportMisfits(
  tx: Transaction,
  run: SyncRun,
  model: SyncedModel,
  misfits: readonly (readonly string[])[],
): Promise<void> {
  if (misfits.length === 0) return
  const fields = [...new Set(misfits.flat())].sort().join(', ')
  await reportIssue(tx, {
    ...about(run, model),
    code: IssueCode.PROVIDER_SOURCE_DATA_INVALID,
    part: 'values',
    records: misfits.length,
    message: (all) =>
      `${all} ${model} ${all === 1 ? 'record was' : 'records were'} stored without values that are not possible (${fields}). Correct them at ${run.providerName}, or report this issue by its id.`,
  })
}

/** Whether a sync has left out records of a model, whichever of its workers met them. */
export async function hasQuarantined(
  db: Rows,
  { connection, sync }: Pick<SyncRun, 'connection' | 'sync'>,
  model: SyncedModel,
): Promise<boolean> {
  const code = IssueCode.PROVIDER_SOURCE_DATA_INVALID
  return (await recordsOf(db, { connection, syncId: sync.id, code, model })) > 0
}

/** A kind of record that the account may not read, or all of it but something. The rest of the sync goes on. */
export async function reportScopeMissing(
  tx: Transaction,
  run: SyncRun,
  model: SyncedModel,
  lacking?: string,
): Promise<void> {
  const { providerName, isConsented } = run
  const unread = scopeMissing({ model, providerName, isConsented, lacking })
  await reportIssue(tx, { ...about(run, model), ...unread })
}

/** At the end of a sync: issues that it did not meet, but some sync before did, are resolved. */
export async function resolveUnmet(
  tx: Transaction,
  { connection, providerName, sync, clock }: SyncRun,
): Promise<void> {
  await resolveIssues(tx, connection, providerName, clock.now(), {
    sql: `\`id\` IN (SELECT \`issueId\` FROM \`sync_issues\` WHERE \`connectionId\` = ?)
      AND \`id\` NOT IN (SELECT \`issueId\` FROM \`sync_issues\` WHERE \`syncId\` = ?)`,
    parameters: [connection.id, sync.id],
  })
}

const about = ({ connection, providerName, sync, clock }: SyncRun, model: SyncedModel) => ({
  connection,
  providerName,
  syncId: sync.id,
  model,
  now: clock.now(),
})
