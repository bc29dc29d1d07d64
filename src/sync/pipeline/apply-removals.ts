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
import { rowModel } from './stored-models.ts'
import {
  allExcept,
  TOMBSTONE_BATCH_SIZE,
  tombstoneMissing,
  onlyThese,
  type Unseen,
  unseenBySync,
  missingWithin,
} from './tombstone-missing.ts'
import type { WriteContext } from './write-context.ts'

/** Tombstones the records that the provider reports as removed. Unknown ids have no effect. */
export async function applyReportedRemovals(
  tx: Transaction,
  context: WriteContext,
  run: SyncRun,
  model: SyncedModel,
  sourceIds: readonly string[],
): Promise<void> {
  const { kind } = rowModel(model)
  const ids = [...new Set(sourceIds)].map((sourceId) => derivedId(kind, run.connection.id, sourceId))
  for (let at = 0; at < ids.length; at += TOMBSTONE_BATCH_SIZE)
    await tombstoneBatch(tx, context, run, model, onlyThese(ids.slice(at, at + TOMBSTONE_BATCH_SIZE)))
}

/**
 * After the last page of a list, tombstones the records that the list lacks. For a list of one page, this
 * happens in the transaction of the page. Returns the work that remains for after the commit, if any.
 */
export async function applyRemovals<M extends SyncedModel>(
  tx: Transaction,
  context: WriteContext,
  stored: PageToStore<M>,
  ids: readonly string[],
): Promise<AfterCommit | undefined> {
  const { run, model, reader, quarantined, isLast, isWhole } = stored
  if (!isLast || !tombstonesMissing(reader)) return undefined
  if (reader.mode === 'full') await removeUnseenQuarantined(tx, { ...context, syncId: run.sync.id, model })
  if (!isWhole) return () => tombstoneUnseen(run, model, reader, stored.readWindow)
  if (quarantined.length > 0) return undefined
  const unseen = allExcept(ids)
  const more = await tombstoneBatch(tx, context, run, model, unseen)
  return more ? () => tombstoneAll(run, model, unseen) : undefined
}

type ReaderModes = Pick<Reader<never>, 'mode' | 'completeBy'>

/** Whether records that a read of this reader lacks count as removed. */
export const tombstonesMissing = ({ mode, completeBy }: ReaderModes): boolean =>
  mode === 'full' || completeBy !== undefined

/** Tombstones the records that no page of a list contained, then marks the model as completely read. */
async function tombstoneUnseen(
  run: SyncRun,
  model: SyncedModel,
  { completeBy }: ReaderModes,
  readWindow: ReadWindow,
): Promise<void> {
  const { sync, connection } = run
  const unseen = completeBy
    ? missingWithin[completeBy](
        { syncId: sync.id, connection, table: rowModel(model).table.name },
        readWindow.window,
      )
    : unseenBySync(sync.id)
  await tombstoneAll(run, model, unseen)
  await commit(run, undefined, (tx) =>
    saveCheckpoints(tx, [checkpointOf(run, model, null, readWindow, true)]),
  )
}

/**
 * Tombstones all unseen records in batches. Skips this if the sync quarantined records: these may be the
 * unseen ones.
 */
async function tombstoneAll(run: SyncRun, model: SyncedModel, unseen: Unseen): Promise<void> {
  if (await hasQuarantined(run.db, run, model)) return
  for (let more = true; more;)
    await commit(run, undefined, async (tx, context) => {
      more = await tombstoneBatch(tx, context, run, model, unseen)
    })
}

/** Tombstones one batch and appends its events. Returns whether more records may remain. */
async function tombstoneBatch(
  tx: Transaction,
  context: WriteContext,
  run: SyncRun,
  model: SyncedModel,
  unseen: Unseen,
) {
  const stored = rowModel(model)
  const changes = await tombstoneMissing(tx, stored, context, unseen)
  await emitChangeEvents(tx, stored, context, run.providerName, changes)
  return changes.length === TOMBSTONE_BATCH_SIZE
}
