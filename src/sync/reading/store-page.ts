import type { Read } from '../../intake/read.ts'
import { isSeries, storedSeries, storeSeries } from '../../intake/series.ts'
import { ofShownOwners } from '../../intake/shown-owners.ts'
import type { SyncedModel } from '../../models.ts'
import type { Drafts, LocationDraft } from '../../providers/drafts.ts'
import type { Reader, ReadPage } from '../../providers/provider.ts'
import type { Transaction } from '../../storage/database.ts'
import { keepLeftOut } from '../left-out/keep-left-out.ts'
import type { SyncRun } from '../run.ts'
import { announceChanges } from './changes.ts'
import type { StoredPage } from './page-batch.ts'
import { isSwept, removeGone, removeTold } from './remove-gone.ts'
import { reportLeftOut, reportScopeMissing } from './report-issues.ts'
import { rowModel } from './stored-models.ts'
import { type Run, upsert } from './upsert.ts'
import type { Reach } from './window.ts'

export interface PageToStore<M extends SyncedModel> {
  readonly run: SyncRun
  readonly model: M
  readonly reader: Reader<Drafts[M]>
  readonly reach: Reach
  readonly page: Pick<ReadPage, 'removed' | 'lacks'>
  readonly reads: readonly Read<Drafts[M]>[]
  readonly leftOut: readonly unknown[]
  readonly isLast: boolean
  /** Whether it is the only page of a full list: where all of it can be read, what is not in it is gone. */
  readonly isWhole: boolean
}

/** Writes what a page tells, in the transaction of its commit. */
export async function storePage<M extends SyncedModel>(
  tx: Transaction,
  unit: Run,
  stored: PageToStore<M>,
): Promise<StoredPage> {
  const { run, model, reader, page, reads, leftOut } = stored
  const shown = await ofShownOwners(tx, run.connection, model, reads)
  const ids = isSeries(model)
    ? await storePoints(tx, unit, run, model, reader, shown)
    : await storeRows(tx, unit, stored, shown)
  await reportLeftOut(tx, run, model, leftOut.length)
  if (page.lacks) await reportScopeMissing(tx, run, model, page.lacks)
  await keepLeftOut(tx, { ...unit, syncId: run.sync.id, model, schemaName: reader.schema }, leftOut)
  if (page.removed?.length) await removeTold(tx, unit, run, model, page.removed)
  return { count: shown.length, rest: await removeGone(tx, unit, stored, ids) }
}

async function storePoints<M extends SyncedModel>(
  tx: Transaction,
  { stamp }: Run,
  { connection }: SyncRun,
  model: M,
  reader: Reader<Drafts[M]>,
  reads: readonly Read<Drafts[M]>[],
): Promise<readonly string[]> {
  const series = storedSeries[model as 'VehicleLocation']
  const points = reads as unknown as readonly Read<LocationDraft>[]
  await storeSeries(tx, series, connection, reader.schema, points, stamp)
  return []
}

async function storeRows<M extends SyncedModel>(
  tx: Transaction,
  unit: Run,
  { run, model, reader, isWhole }: PageToStore<M>,
  reads: readonly Read<Drafts[M]>[],
): Promise<readonly string[]> {
  const stored = rowModel(model)
  const rows = reads as unknown as readonly Read<{ sourceId: string }>[]
  const marks = isSwept(reader) && !isWhole
  const { changes, ids } = await upsert(tx, stored, unit, reader.schema, rows, { marks })
  await announceChanges(tx, stored, unit, run.providerName, changes)
  return ids
}
