import { derivedId } from '../../../domain/ids.ts'
import type { SyncedModel } from '../../../domain/record-models.ts'
import type { Reader } from '../../../providers/provider.ts'
import type { Transaction } from '../../../storage/database.ts'
import { removeUnseenQuarantined } from '../../quarantine/quarantine-records.ts'
import type { SyncRun } from '../../sync-run.ts'
import { emitChangeEvents } from '../events/emit-change-events.ts'
import { checkpointOf, type ReadWindow, saveCheckpoints } from '../checkpoint.ts'
import { type AfterCommit, commit, type PageToStore } from '../page-batch.ts'
import { selectRemovable } from './hold-removals.ts'
import { hasQuarantined } from '../report-issues.ts'
import { storedModelOf } from '../stored-models.ts'
import {
  allExcept,
  TOMBSTONE_BATCH_SIZE,
  tombstoneMissing,
  onlyIds,
  type TombstoneCondition,
  unseenBySync,
  missingWithin,
} from './tombstone-missing.ts'
import type { WriteContext } from '../write-context.ts'

/** Tombstones the records that the provider reports as removed. Source ids of unknown records have no effect. */
export async function applyReportedRemovals(
  tx: Transaction,
  context: WriteContext,
  run: SyncRun,
  model: SyncedModel,
  sourceIds: readonly string[],
): Promise<void> {
  const { kind } = storedModelOf(model)
  const ids = [...new Set(sourceIds)].map((sourceId) => derivedId(kind, run.connection.id, sourceId))
  for (let start = 0; start < ids.length; start += TOMBSTONE_BATCH_SIZE)
    await tombstoneBatch(tx, context, run, model, onlyIds(ids.slice(start, start + TOMBSTONE_BATCH_SIZE)))
}

/**
 * After the last page of a list, tombstones the records that the list lacks, or holds their removal. For a list of one
 * page, this happens in the transaction of the page. Returns the work to do after the commit, if the list has several
 * pages or lacks more than one batch.
 */
export async function applyRemovals<M extends SyncedModel>(
  tx: Transaction,
  context: WriteContext,
  input: PageToStore<M>,
  ids: readonly string[],
): Promise<AfterCommit | undefined> {
  const { run, model, reader, readWindow, quarantined, isLast, isWholeList, isHeld } = input
  if (!isLast || !treatsMissingAsRemoved(reader, readWindow)) return undefined
  if (reader.mode === 'full') await removeUnseenQuarantined(tx, { ...context, syncId: run.sync.id, model })
  if (!isWholeList) return () => tombstoneUnseen(input)
  if (quarantined.length > 0) return undefined
  const removeNext: RemoveNext = (next, nextContext) =>
    removeMissing(next, nextContext, run, model, allExcept(ids), isHeld)
  return (await removeNext(tx, context)) ? () => tombstoneAll(run, model, removeNext) : undefined
}

type ReaderModes = Pick<Reader<never>, 'mode' | 'completeBy'>

/** Whether stored records that are missing from a read count as removed. */
export const treatsMissingAsRemoved = (
  { mode, completeBy }: ReaderModes,
  { isHistory = false, isReread = false }: Pick<ReadWindow, 'isHistory' | 'isReread'>,
): boolean => mode === 'full' || (completeBy !== undefined && (mode === 'window' || isReread || isHistory))

/** Tombstones the records that no page of a list contained, then marks the model as completely read. */
async function tombstoneUnseen<M extends SyncedModel>({
  run,
  model,
  reader: { completeBy },
  readWindow,
  page,
  isHeld,
}: PageToStore<M>): Promise<void> {
  const { sync, connection } = run
  const scope = { syncId: sync.id, connection, table: storedModelOf(model).table.name }
  const removeNext: RemoveNext = completeBy
    ? (tx, context) => tombstoneBatch(tx, context, run, model, missingWithin[completeBy](scope, readWindow))
    : (tx, context) => removeMissing(tx, context, run, model, unseenBySync(sync.id), isHeld)
  await tombstoneAll(run, model, removeNext)
  await commit(run, undefined, (tx) =>
    saveCheckpoints(tx, [checkpointOf(run, model, page.next, readWindow, true)]),
  )
}

/** Tombstones the next batch of the missing records. Returns whether more may follow. */
type RemoveNext = (tx: Transaction, context: WriteContext) => Promise<boolean>

/**
 * Tombstones all missing records, in batches. Does nothing if the sync has quarantined records of the model: a
 * record that seems to be missing may be one of them.
 */
async function tombstoneAll(run: SyncRun, model: SyncedModel, removeNext: RemoveNext): Promise<void> {
  if (await hasQuarantined(run.db, run, model)) return
  for (let more = true; more;)
    await commit(run, undefined, async (tx, context) => {
      more = await removeNext(tx, context)
    })
}

/** Tombstones one batch of the records that a full list lacks, except those whose removal is held. */
async function removeMissing(
  tx: Transaction,
  context: WriteContext,
  run: SyncRun,
  model: SyncedModel,
  missing: TombstoneCondition,
  isHeld: boolean,
): Promise<boolean> {
  const removable = await selectRemovable(tx, run, model, missing, isHeld)
  if (!removable) return false
  const more = await tombstoneBatch(tx, context, run, model, removable)
  // After the end of a hold, the records that only this sync misses are judged.
  return more || (isHeld && removeMissing(tx, context, run, model, missing, isHeld))
}

/** Tombstones one batch and appends its events. Returns whether more records may remain. */
async function tombstoneBatch(
  tx: Transaction,
  context: WriteContext,
  run: SyncRun,
  model: SyncedModel,
  condition: TombstoneCondition,
) {
  const storedModel = storedModelOf(model)
  const changes = await tombstoneMissing(tx, storedModel, context, condition)
  await emitChangeEvents(tx, storedModel, context, run.providerName, changes)
  return changes.length === TOMBSTONE_BATCH_SIZE
}
