import type { SyncedModel } from '../../domain/record-models.ts'
import type { Rows, Transaction } from '../../storage/database.ts'
import { IssueCode } from '../../subgraphs/connections/issues/issue-code.ts'
import { recordsOf, reportIssue } from '../../subgraphs/connections/issues/report-issue.ts'
import { resolveIssues } from '../../subgraphs/connections/issues/resolve-issue.ts'
import { scopeMissing } from '../../subgraphs/connections/issues/scope-missing.ts'
import type { SyncRun } from '../sync-run.ts'

/** Issues of syncs: unreadable data opens an issue, and a later sync that can read it resolves the issue. */

/** Reports the quarantined records of a page, in the transaction of the page. */
export async function reportQuarantined(
  tx: Transaction,
  run: SyncRun,
  model: SyncedModel,
  records: number,
): Promise<void> {
  if (records === 0) return
  await reportIssue(tx, {
    ...issueFields(run, model),
    code: IssueCode.PROVIDER_SOURCE_DATA_INVALID,
    records,
    message: (total) =>
      `${total} ${model} ${total === 1 ? 'record was' : 'records were'} left out: ${run.providerName} sent them in a form that cannot be read. Correct them there, or report this issue by its id.`,
  })
}

/** Reports records of a page that are stored without impossible values, in the transaction of the page. */
export async function reportMisfits(
  tx: Transaction,
  run: SyncRun,
  model: SyncedModel,
  misfits: readonly (readonly string[])[],
): Promise<void> {
  if (misfits.length === 0) return
  const fields = [...new Set(misfits.flat())].sort().join(', ')
  await reportIssue(tx, {
    ...issueFields(run, model),
    code: IssueCode.PROVIDER_SOURCE_DATA_INVALID,
    part: 'values',
    records: misfits.length,
    message: (all) =>
      `${all} ${model} ${all === 1 ? 'record was' : 'records were'} stored without values that are not possible (${fields}). Correct them at ${run.providerName}, or report this issue by its id.`,
  })
}

/** Whether any worker of a sync has quarantined records of a model. */
export async function hasQuarantined(
  db: Rows,
  { connection, sync }: Pick<SyncRun, 'connection' | 'sync'>,
  model: SyncedModel,
): Promise<boolean> {
  const code = IssueCode.PROVIDER_SOURCE_DATA_INVALID
  return (await recordsOf(db, { connection, syncId: sync.id, code, model })) > 0
}

/** Reports that the account may not read a model, or some of its fields (`lacking`). The sync continues. */
export async function reportScopeMissing(
  tx: Transaction,
  run: SyncRun,
  model: SyncedModel,
  lacking?: string,
): Promise<void> {
  const { providerName, isConsented } = run
  const issue = scopeMissing({ model, providerName, isConsented, lacking })
  await reportIssue(tx, { ...issueFields(run, model), ...issue })
}

/** At the end of a sync, resolves the issues that earlier syncs reported and this sync did not. */
export async function resolveClearedIssues(
  tx: Transaction,
  { connection, providerName, sync, clock }: SyncRun,
): Promise<void> {
  await resolveIssues(tx, connection, providerName, clock.now(), {
    sql: `\`id\` IN (SELECT \`issueId\` FROM \`sync_issues\` WHERE \`connectionId\` = ?)
      AND \`id\` NOT IN (SELECT \`issueId\` FROM \`sync_issues\` WHERE \`syncId\` = ?)`,
    parameters: [connection.id, sync.id],
  })
}

const issueFields = ({ connection, providerName, sync, clock }: SyncRun, model: SyncedModel) => ({
  connection,
  providerName,
  syncId: sync.id,
  model,
  now: clock.now(),
})
