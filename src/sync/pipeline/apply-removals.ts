import { derivedId } from '../../domain/ids.ts'
import type { SyncedModel } from '../../domain/record-models.ts'
import type { Reader } from '../../providers/provider.ts'
import type { Transaction } from '../../storage/database.ts'
import { removeUnmetQuarantined } from '../quarantine/quarantine-records.ts'
import type { SyncRun } from '../sync-run.ts'
import { emitChangeEvents } from './emit-change-events.ts'
import { checkpointOf, saveCheckpoints } from './checkpoint.ts'
import { type AfterCommit, commit } from './page-batch.ts'
import { hasQuarantined } from './report-issues.ts'
import { rowModel } from './stored-models.ts'
import type { PageToStore } from './page-batch.ts'
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
import type { ReadWindow } from './checkpoint.ts'

/** What the provider says that it has taken back. */
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
    await removeSome(tx, context, run, model, onlyThese(ids.slice(at, at + TOMBSTONE_BATCH_SIZE)))
}

/** After the last page of a list: what it does not have, at once or once the page has committed. */
export async function applyRemovals<M extends SyncedModel>(
  tx: Transaction,
  context: WriteContext,
  stored: PageToStore<M>,
  ids: readonly string[],
): Promise<AfterCommit | undefined> {
  const { run, model, reader, quarantined, isLast, isWhole } = stored
  if (!isLast || !isTombstoned(reader)) return undefined
  if (reader.mode === 'full') await removeUnmetQuarantined(tx, { ...context, syncId: run.sync.id, model })
  if (!isWhole) return () => removeUnseen(run, model, reader, stored.reach)
  if (quarantined.length > 0) return undefined
  const unseen = allExcept(ids)
  const more = await removeSome(tx, context, run, model, unseen)
  return more ? () => removeAll(run, model, unseen) : undefined
}

type Modes = Pick<Reader<never>, 'mode' | 'wholeBy'>

/** Whether what it does not tell is removed. */
export const isTombstoned = ({ mode, wholeBy }: Modes): boolean => mode === 'full' || wholeBy !== undefined

/** After a list of several pages: what none of them had is gone. */
async function removeUnseen(
  run: SyncRun,
  model: SyncedModel,
  { wholeBy }: Modes,
  reach: ReadWindow,
): Promise<void> {
  const { sync, connection } = run
  const unseen = wholeBy
    ? missingWithin[wholeBy](
        { syncId: sync.id, connectionId: connection.id, table: rowModel(model).table.name },
        reach.window,
      )
    : unseenBySync(sync.id)
  await removeAll(run, model, unseen)
  await commit(run, undefined, (tx) => saveCheckpoints(tx, [checkpointOf(run, model, null, reach, true)]))
}

/** Nothing, where some of what was told could not be read: it may be any of them. */
async function removeAll(run: SyncRun, model: SyncedModel, unseen: Unseen): Promise<void> {
  if (await hasQuarantined(run.db, run, model)) return
  for (let more = true; more;)
    await commit(run, undefined, async (tx, context) => {
      more = await removeSome(tx, context, run, model, unseen)
    })
}

/** Whether there may be more of them. */
async function removeSome(
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
