import { derivedId } from '../../domain/ids.ts'
import type { SyncedModel } from '../../domain/record-models.ts'
import type { Reader } from '../../providers/provider.ts'
import type { Transaction } from '../../storage/database.ts'
import { removeUnseenQuarantined } from '../quarantine/quarantine-records.ts'
import type { SyncRun } from '../sync-run.ts'
import { emitChangeEvents } from './events/emit-change-events.ts'
import { checkpointOf, saveCheckpoints, type ReadWindow } from './checkpoint.ts'
import { type AfterCommit, commit, type PageToStore } from './page-batch.ts'
import { hasQuarantined } from './report-issues.ts'
import { storedModelOf } from './stored-models.ts'
import {
  allExcept,
  TOMBSTONE_BATCH_SIZE,
  tombstoneMissing,
  onlyIds,
  type TombstoneCondition,
  unseenBySync,
  missingWithin,
} from './tombstone-missing.ts'
import type { WriteContext } from './write-context.ts'

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
 * After the last page of a list, tombstones the records that the list lacks. For a list of one page, this happens in
 * the transaction of the page. Returns the work to do after the commit, if the list has several pages or lacks more
 * than one batch.
 */
export async function applyRemovals<M extends SyncedModel>(
  tx: Transaction,
  context: WriteContext,
  input: PageToStore<M>,
  ids: readonly string[],
): Promise<AfterCommit | undefined> {
  const { run, model, reader, quarantined, isLast, isWholeList } = input
  if (!isLast || !treatsMissingAsRemoved(reader)) return undefined
  if (reader.mode === 'full') await removeUnseenQuarantined(tx, { ...context, syncId: run.sync.id, model })
  if (!isWholeList) return () => tombstoneUnseen(run, model, reader, input.readWindow)
  if (quarantined.length > 0) return undefined
  const condition = allExcept(ids)
  const more = await tombstoneBatch(tx, context, run, model, condition)
  return more ? () => tombstoneAll(run, model, condition) : undefined
}

type ReaderModes = Pick<Reader<never>, 'mode' | 'completeBy'>

/** Whether stored records that are missing from a read of this reader count as removed. */
export const treatsMissingAsRemoved = ({ mode, completeBy }: ReaderModes): boolean =>
  mode === 'full' || completeBy !== undefined

/** Tombstones the records that no page of a list contained, then marks the model as completely read. */
async function tombstoneUnseen(
  run: SyncRun,
  model: SyncedModel,
  { completeBy }: ReaderModes,
  readWindow: ReadWindow,
): Promise<void> {
  const { sync, connection } = run
  const condition = completeBy
    ? missingWithin[completeBy](
        { syncId: sync.id, connection, table: storedModelOf(model).table.name },
        readWindow.window,
      )
    : unseenBySync(sync.id)
  await tombstoneAll(run, model, condition)
  await commit(run, undefined, (tx) =>
    saveCheckpoints(tx, [checkpointOf(run, model, null, readWindow, true)]),
  )
}

/**
 * Tombstones all records that match, in batches. Does nothing if the sync has quarantined records of the model: a
 * record that seems to be missing may be one of them.
 */
async function tombstoneAll(run: SyncRun, model: SyncedModel, condition: TombstoneCondition): Promise<void> {
  if (await hasQuarantined(run.db, run, model)) return
  for (let more = true; more;)
    await commit(run, undefined, async (tx, context) => {
      more = await tombstoneBatch(tx, context, run, model, condition)
    })
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
