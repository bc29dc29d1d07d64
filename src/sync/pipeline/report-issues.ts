import type { SyncedModel } from '../../domain/record-models.ts'
import type { Rows, Transaction } from '../../storage/database.ts'
import { IssueCode } from '../../subgraphs/connections/issues/issue-code.ts'
import { countLeftOut, reportIssue } from '../../subgraphs/connections/issues/report-issue.ts'
import { resolveIssues } from '../../subgraphs/connections/issues/resolve-issue.ts'
import { scopeMissing } from '../../subgraphs/connections/issues/scope-missing.ts'
import { oneOf } from '../../storage/sql/where.ts'
import type { Instant } from '../../domain/time.ts'
import { isMistypedVin } from '../../domain/vin.ts'
import {
  clashesMessage,
  leftOutMessage,
  invalidValuesMessage,
  mistypedVinsMessage,
} from '../issue-messages.ts'
import type { SyncRun } from '../sync-run.ts'
import { checkpointsOf } from './checkpoint.ts'

/** Issues of syncs. Data that cannot be read opens an issue; a later sync that can read the data resolves it. */

/** Model that a sync reads. */
interface ReadModel {
  readonly model: SyncedModel
  /** Start of the time window; null if the sync reads a full list. */
  readonly readFrom: Instant | null
}

/** Reports the quarantined records of a page, in the transaction of the page. */
export async function reportQuarantined(
  tx: Transaction,
  run: SyncRun,
  { model, readFrom }: ReadModel,
  records: number,
): Promise<void> {
  if (records === 0) return
  await reportIssue(tx, {
    ...issueFields(run, model),
    readFrom,
    code: IssueCode.PROVIDER_SOURCE_DATA_INVALID,
    records,
    message: (total, from) =>
      leftOutMessage(total, { model, providerName: run.providerName, readFrom: from }),
  })
}

/** Reports records of a page that are stored without impossible values, in the transaction of the page. */
export async function reportInvalidValues(
  tx: Transaction,
  run: SyncRun,
  { model, readFrom }: ReadModel,
  invalidFields: readonly (readonly string[])[],
): Promise<void> {
  if (invalidFields.length === 0) return
  const fields = new Set(invalidFields.flat())
  await reportIssue(tx, {
    ...issueFields(run, model),
    readFrom,
    code: IssueCode.PROVIDER_SOURCE_DATA_INVALID,
    part: 'values',
    records: invalidFields.length,
    message: (total, from) =>
      invalidValuesMessage(total, fields, { model, providerName: run.providerName, readFrom: from }),
  })
}

/** Reports records of a page whose VIN is mistyped. The records are stored with this VIN. */
export async function reportMistypedVins(
  tx: Transaction,
  run: SyncRun,
  { model, readFrom }: ReadModel,
  records: readonly { readonly normalized: object }[],
): Promise<void> {
  const mistyped = records.flatMap(({ normalized }) => {
    const vin: unknown = 'vin' in normalized ? normalized.vin : null
    return typeof vin === 'string' && isMistypedVin(vin) ? [vin] : []
  })
  if (mistyped.length === 0) return
  await reportIssue(tx, {
    ...issueFields(run, model),
    readFrom,
    code: IssueCode.PROVIDER_SOURCE_DATA_INVALID,
    part: 'vins',
    records: mistyped.length,
    message: (total) => mistypedVinsMessage(total, mistyped, { model, providerName: run.providerName }),
  })
}

/** Reports records of a page that another record with the same id replaced, in the transaction of the page. */
export async function reportClashes(
  tx: Transaction,
  run: SyncRun,
  model: SyncedModel,
  clashes: number,
): Promise<void> {
  if (clashes === 0) return
  await reportIssue(tx, {
    ...issueFields(run, model),
    code: IssueCode.PROVIDER_SOURCE_DATA_INVALID,
    part: 'clashes',
    records: clashes,
    message: (total) => clashesMessage(total, { model, providerName: run.providerName }),
  })
}

/** Whether a sync has quarantined records of a model, also in earlier attempts. */
export async function hasQuarantined(
  db: Rows,
  { connection, sync }: Pick<SyncRun, 'connection' | 'sync'>,
  model: SyncedModel,
): Promise<boolean> {
  const code = IssueCode.PROVIDER_SOURCE_DATA_INVALID
  return (await countLeftOut(db, { connection, syncId: sync.id, code, model })) > 0
}

/** Resets the numbers of records that a sync has counted for a model, because it reads them again. */
export const resetLeftOut = (
  tx: Transaction,
  { connection, sync }: Pick<SyncRun, 'connection' | 'sync'>,
  model: SyncedModel,
): Promise<number> =>
  tx.run(
    `UPDATE \`sync_issues\` SET \`records\` = 0
      WHERE \`syncId\` = ? AND \`connectionId\` = ? AND \`applicationId\` = ?
        AND \`issueId\` IN (SELECT \`id\` FROM \`issues\`
          WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`model\` = ?)`,
    [sync.id, connection.id, connection.applicationId, connection.id, connection.applicationId, model],
  )

/**
 * Reports that the account lacks the permission to read a model, or only the `missingFields` of it. The sync continues.
 */
export async function reportScopeMissing(
  tx: Transaction,
  run: SyncRun,
  model: SyncedModel,
  missingFields?: string,
): Promise<void> {
  const { providerName, isConsented } = run
  const issue = scopeMissing({ model, providerName, isConsented, missingFields })
  await reportIssue(tx, { ...issueFields(run, model), ...issue })
}

/** Reports that a setting at the provider withholds data. The sync continues. */
export async function reportWithheld(
  tx: Transaction,
  run: SyncRun,
  model: SyncedModel,
  message: string,
): Promise<void> {
  const code = IssueCode.PROVIDER_PARTIALLY_CONFIGURED
  await reportIssue(tx, { ...issueFields(run, model), code, message: () => message })
}

/**
 * At the end of a sync, resolves the issues that earlier syncs reported and this sync did not. An issue about records
 * of a time window stays open if this sync read only from a later time: the records may still be invalid. The issue of a
 * held removal stays open until the hold ends.
 */
export async function resolveClearedIssues(
  tx: Transaction,
  { connection, providerName, sync, clock }: SyncRun,
): Promise<void> {
  const unreported = await tx.rows<{ id: string; model: SyncedModel; readFrom: number | string | null }>(
    `SELECT i.\`id\`, i.\`model\`, MIN(s.\`readFrom\`) AS readFrom
      FROM \`issues\` AS i JOIN \`sync_issues\` AS s ON s.\`issueId\` = i.\`id\`
      WHERE s.\`connectionId\` = ? AND s.\`applicationId\` = ? AND i.\`status\` = 'ongoing'
        AND i.\`id\` NOT IN (SELECT \`issueId\` FROM \`sync_issues\` WHERE \`syncId\` = ?)
        AND i.\`id\` NOT IN (SELECT \`issueId\` FROM \`held_removals\` WHERE \`connectionId\` = s.\`connectionId\`)
      GROUP BY i.\`id\`, i.\`model\``,
    [connection.id, connection.applicationId, sync.id],
  )
  if (unreported.length === 0) return
  const checkpoints = await checkpointsOf(tx, connection.id)
  const cleared = unreported.filter(({ model, readFrom }) => {
    if (readFrom === null) return true
    const checkpoint = checkpoints.get(model)
    return checkpoint?.syncId === sync.id && checkpoint.state.window.from <= Number(readFrom)
  })
  const ids = cleared.map(({ id }) => id)
  if (ids.length > 0) await resolveIssues(tx, connection, providerName, clock.now(), oneOf('id', ids))
}

const issueFields = ({ connection, providerName, sync, clock }: SyncRun, model: SyncedModel) => ({
  connection,
  providerName,
  syncId: sync.id,
  model,
  now: clock.now(),
})
