import { derivedId } from '../../ids.ts'
import type { SyncedModel } from '../../models.ts'
import type { Reader } from '../../providers/provider.ts'
import type { Transaction } from '../../storage/database.ts'
import { forgetUnmet } from '../left-out/keep-left-out.ts'
import type { SyncRun } from '../run.ts'
import { announceChanges } from './changes.ts'
import { checkpointOf, saveCheckpoints } from './checkpoint.ts'
import { type AfterCommit, commit } from './page-batch.ts'
import { hasLeftOut } from './report-issues.ts'
import { rowModel } from './stored-models.ts'
import type { PageToStore } from './store-page.ts'
import { allBut, SWEPT_AT_ONCE, sweep, those, type Unseen, unseenIn, untoldBy } from './sweep.ts'
import type { Run } from './upsert.ts'
import type { Reach } from './window.ts'

/** What the provider says that it has taken back. */
export async function removeTold(
  tx: Transaction,
  unit: Run,
  run: SyncRun,
  model: SyncedModel,
  sourceIds: readonly string[],
): Promise<void> {
  const { kind } = rowModel(model)
  const ids = [...new Set(sourceIds)].map((sourceId) => derivedId(kind, run.connection.id, sourceId))
  for (let at = 0; at < ids.length; at += SWEPT_AT_ONCE)
    await removeSome(tx, unit, run, model, those(ids.slice(at, at + SWEPT_AT_ONCE)))
}

/** After the last page of a list: what it does not have, at once or once the page has committed. */
export async function removeGone<M extends SyncedModel>(
  tx: Transaction,
  unit: Run,
  stored: PageToStore<M>,
  ids: readonly string[],
): Promise<AfterCommit | undefined> {
  const { run, model, reader, leftOut, isLast, isWhole } = stored
  if (!isLast || !isSwept(reader)) return undefined
  if (reader.mode === 'full') await forgetUnmet(tx, { ...unit, syncId: run.sync.id, model })
  if (!isWhole) return () => removeUnseen(run, model, reader, stored.reach)
  if (leftOut.length > 0) return undefined
  const unseen = allBut(ids)
  const more = await removeSome(tx, unit, run, model, unseen)
  return more ? () => removeAll(run, model, unseen) : undefined
}

type Modes = Pick<Reader<never>, 'mode' | 'wholeBy'>

/** Whether what it does not tell is removed. */
export const isSwept = ({ mode, wholeBy }: Modes): boolean => mode === 'full' || wholeBy !== undefined

/** After a list of several pages: what none of them had is gone. */
async function removeUnseen(
  run: SyncRun,
  model: SyncedModel,
  { wholeBy }: Modes,
  reach: Reach,
): Promise<void> {
  const { sync, connection } = run
  const unseen = wholeBy
    ? untoldBy[wholeBy](
        { syncId: sync.id, connectionId: connection.id, table: rowModel(model).table.name },
        reach.window,
      )
    : unseenIn(sync.id)
  await removeAll(run, model, unseen)
  await commit(run, undefined, (tx) => saveCheckpoints(tx, [checkpointOf(run, model, null, reach, true)]))
}

/** Nothing, where some of what was told could not be read: it may be any of them. */
async function removeAll(run: SyncRun, model: SyncedModel, unseen: Unseen): Promise<void> {
  if (await hasLeftOut(run.db, run, model)) return
  for (let more = true; more;)
    await commit(run, undefined, async (tx, unit) => {
      more = await removeSome(tx, unit, run, model, unseen)
    })
}

/** Whether there may be more of them. */
async function removeSome(tx: Transaction, unit: Run, run: SyncRun, model: SyncedModel, unseen: Unseen) {
  const stored = rowModel(model)
  const changes = await sweep(tx, stored, unit, unseen)
  await announceChanges(tx, stored, unit, run.providerName, changes)
  return changes.length === SWEPT_AT_ONCE
}
