import type { ParsedRecord } from '../ingest/parse-page.ts'
import {
  isTimeSeries,
  storeTimeSeries,
  type TimeSeriesStore,
  timeSeriesStores,
} from '../ingest/time-series-store.ts'
import { filterByVisibleOwners } from '../ingest/connection-filter.ts'
import type { SyncedModel } from '../../domain/record-models.ts'
import type { Transaction } from '../../storage/database.ts'
import { quarantineRecords } from '../quarantine/quarantine-records.ts'
import { emitChangeEvents } from './events/emit-change-events.ts'
import type { PageToStore, StoredPage } from './page-batch.ts'
import { treatsMissingAsRemoved, applyRemovals, applyReportedRemovals } from './removals/apply-removals.ts'
import {
  reportClashes,
  reportInvalidValues,
  reportMistypedVins,
  reportQuarantined,
  reportScopeMissing,
  reportWithheld,
} from './report-issues.ts'
import { type NormalizedRecord, storedModelOf } from './stored-models.ts'
import { upsert } from './upsert.ts'
import type { WriteContext } from './write-context.ts'

/** Stores a page, reports its issues and applies its removals, in the transaction of its commit. */
export async function storePage<M extends SyncedModel>(
  tx: Transaction,
  context: WriteContext,
  input: PageToStore<M>,
): Promise<StoredPage> {
  const { run, model, reader, readWindow, page, parsed, quarantined, invalidFields } = input
  const visible = await filterByVisibleOwners(tx, run.connection, model, parsed)
  let ids: readonly string[] = []
  if (isTimeSeries(model)) {
    const series: TimeSeriesStore<object> = timeSeriesStores[model]
    await storeTimeSeries(tx, series, run.connection, reader.schema, visible, context.stamp)
  } else ids = await storeRows(tx, context, input, visible as readonly ParsedRecord<NormalizedRecord>[])
  const read = { model, readFrom: reader.mode === 'full' ? null : readWindow.window.from }
  await reportQuarantined(tx, run, read, quarantined.length)
  await reportInvalidValues(tx, run, read, invalidFields)
  await reportMistypedVins(tx, run, read, visible)
  if (page.missingFields) await reportScopeMissing(tx, run, model, page.missingFields)
  if (page.withheldBySetting) await reportWithheld(tx, run, model, page.withheldBySetting)
  await quarantineRecords(
    tx,
    { ...context, syncId: run.sync.id, model, schemaName: reader.schema },
    quarantined,
  )
  if (page.removed?.length) await applyReportedRemovals(tx, context, run, model, page.removed)
  return { count: visible.length, afterCommit: await applyRemovals(tx, context, input, ids) }
}

async function storeRows<M extends SyncedModel>(
  tx: Transaction,
  context: WriteContext,
  { run, model, reader, readWindow, isWholeList, isHeld }: PageToStore<M>,
  rows: readonly ParsedRecord<NormalizedRecord>[],
): Promise<readonly string[]> {
  const storedModel = storedModelOf(model)
  const marksSeen = treatsMissingAsRemoved(reader, readWindow) && (!isWholeList || isHeld)
  const { changes, ids, clashes } = await upsert(tx, storedModel, context, reader.schema, rows, { marksSeen })
  await emitChangeEvents(tx, storedModel, context, run.providerName, changes)
  // Records of a feed with the same id are versions of one record.
  if (reader.mode !== 'feed') await reportClashes(tx, run, model, clashes)
  return ids
}
