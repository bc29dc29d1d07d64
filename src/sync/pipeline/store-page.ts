import type { ParsedRecord } from '../ingest/parse-page.ts'
import { isTimeSeries, timeSeriesStores, storeTimeSeries } from '../ingest/time-series-store.ts'
import { filterByVisibleOwners } from '../ingest/connection-filter.ts'
import type { SyncedModel } from '../../domain/record-models.ts'
import type { NormalizedRecords, NormalizedLocation } from '../../providers/normalized-records.ts'
import type { Reader } from '../../providers/provider.ts'
import type { Transaction } from '../../storage/database.ts'
import { quarantineRecords } from '../quarantine/quarantine-records.ts'
import type { SyncRun } from '../sync-run.ts'
import { emitChangeEvents } from './emit-change-events.ts'
import type { PageToStore, StoredPage } from './page-batch.ts'
import { tombstonesMissing, applyRemovals, applyReportedRemovals } from './apply-removals.ts'
import { reportMisfits, reportQuarantined, reportScopeMissing } from './report-issues.ts'
import { rowModel } from './stored-models.ts'
import { upsert } from './upsert.ts'
import type { WriteContext } from './write-context.ts'

/** Stores a page in the transaction of its commit. */
export async function storePage<M extends SyncedModel>(
  tx: Transaction,
  context: WriteContext,
  stored: PageToStore<M>,
): Promise<StoredPage> {
  const { run, model, reader, readWindow, page, parsed, quarantined, misfits } = stored
  const visible = await filterByVisibleOwners(tx, run.connection, model, parsed)
  const ids = isTimeSeries(model)
    ? await storePoints(tx, context, run, model, reader, visible)
    : await storeRows(tx, context, stored, visible)
  const read = { model, readFrom: reader.mode === 'full' ? null : readWindow.window.from }
  await reportQuarantined(tx, run, read, quarantined.length)
  await reportMisfits(tx, run, read, misfits)
  if (page.missingFields) await reportScopeMissing(tx, run, model, page.missingFields)
  await quarantineRecords(
    tx,
    { ...context, syncId: run.sync.id, model, schemaName: reader.schema },
    quarantined,
  )
  if (page.removed?.length) await applyReportedRemovals(tx, context, run, model, page.removed)
  return { count: visible.length, afterCommit: await applyRemovals(tx, context, stored, ids) }
}

async function storePoints<M extends SyncedModel>(
  tx: Transaction,
  { stamp }: WriteContext,
  { connection }: SyncRun,
  model: M,
  reader: Reader<NormalizedRecords[M]>,
  parsed: readonly ParsedRecord<NormalizedRecords[M]>[],
): Promise<readonly string[]> {
  const series = timeSeriesStores[model as 'VehicleLocation']
  const points = parsed as unknown as readonly ParsedRecord<NormalizedLocation>[]
  await storeTimeSeries(tx, series, connection, reader.schema, points, stamp)
  return []
}

async function storeRows<M extends SyncedModel>(
  tx: Transaction,
  context: WriteContext,
  { run, model, reader, isWhole }: PageToStore<M>,
  parsed: readonly ParsedRecord<NormalizedRecords[M]>[],
): Promise<readonly string[]> {
  const stored = rowModel(model)
  const rows = parsed as unknown as readonly ParsedRecord<{ sourceId: string }>[]
  const marksSeen = tombstonesMissing(reader) && !isWhole
  const { changes, ids } = await upsert(tx, stored, context, reader.schema, rows, { marksSeen })
  await emitChangeEvents(tx, stored, context, run.providerName, changes)
  return ids
}
