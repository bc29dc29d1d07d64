import { derivedId } from '../../ids.ts'
import type { Read } from '../../intake/read.ts'
import { isSeries, storedSeries, storeSeries } from '../../intake/series.ts'
import { ofShownOwners } from '../../intake/shown-owners.ts'
import type { SyncedModel } from '../../models.ts'
import type { ProviderApi } from '../../providers/api.ts'
import type { Drafts, LocationDraft } from '../../providers/drafts.ts'
import type { Reader, ReaderState, ReadPage } from '../../providers/provider.ts'
import type { Transaction } from '../../storage/database.ts'
import { forgetUnmet, keepLeftOut } from '../left-out/keep-left-out.ts'
import { announceChanges } from './changes.ts'
import { type Checkpoint, saveCheckpoints } from './checkpoint.ts'
import { circleGuard } from './circle.ts'
import { type AfterCommit, commit, type PageBatch, type StoredPage } from './page-batch.ts'
import { readRoster } from './read-roster.ts'
import { hasLeftOut, reportLeftOut, reportScopeMissing } from './report-issues.ts'
import type { SyncRun } from '../run.ts'
import { type StoredModel, storedModels } from './stored-models.ts'
import { allBut, SWEPT_AT_ONCE, sweep, those, type Unseen, unseenIn, untoldBy } from './sweep.ts'
import { type Run, upsert } from './upsert.ts'
import type { Instant } from '../../time.ts'
import { leavesPlace, type Reach, reachOf } from './window.ts'

/** Reads one model to its end, page by page, from where this sync's last stored page left it. */
export async function syncModel<M extends SyncedModel>(
  run: SyncRun,
  model: M,
  reader: Reader<Drafts[M]>,
  api: ProviderApi,
  before: Checkpoint | undefined,
  pages: PageBatch,
  onPage: () => number,
): Promise<void> {
  if (reader.needsRoster) await pages.flush()
  const mine = before?.syncId === run.sync.id ? before : undefined
  const reach = mine ? { lookedBack: {}, ...mine.state } : reachOf(run, model, before)
  const isFull = reader.mode === 'full'
  const sweeps = isSwept(reader)
  const roster = readRoster(run)
  const guard = circleGuard()
  for (let state: ReaderState | undefined = placeOf(run, reader, reach, before); state !== undefined;) {
    run.signal.throwIfAborted()
    const page: ReadPage = await pages.during(reader.read(api, state, reach.window, roster))
    const { reads, leftOut } = draftsOf(run, model, reader, page, reach.window.to)
    const isLast = page.next === null || page.isCaughtUp === true
    const isWhole = isFull && isLast && state === null
    await pages.add({
      records: page.records.length + (page.removed?.length ?? 0),
      checkpoint: checkpoint(run, model, page.next, reach, isLast && (isWhole || !sweeps)),
      progress: onPage(),
      store: (tx, unit) =>
        storePage(tx, unit, { run, model, reader, reach, page, reads, leftOut, isLast, isWhole }),
    })
    state = isLast ? undefined : page.next
    if (state !== undefined) guard(state)
  }
}

type Going = Pick<Reader<never>, 'mode' | 'leaving'>

/** Where reading begins: where this sync was, or where the last one came to in a feed. */
function placeOf(
  { sync }: SyncRun,
  { mode, leaving }: Going,
  { window }: Reach,
  before?: Checkpoint,
): ReaderState {
  const place = before?.state.reader
  if (!before || !place) return null
  if (before.syncId === sync.id) return place
  if (mode !== 'feed') return null
  return leavesPlace(sync, before) ? (leaving?.(place, window) ?? null) : place
}

interface Stored<M extends SyncedModel> {
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

async function storePage<M extends SyncedModel>(
  tx: Transaction,
  unit: Run,
  stored: Stored<M>,
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

/** After the last page of a list: what it does not have, at once or once the page has committed. */
async function removeGone<M extends SyncedModel>(
  tx: Transaction,
  unit: Run,
  stored: Stored<M>,
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
  { run, model, reader, isWhole }: Stored<M>,
  reads: readonly Read<Drafts[M]>[],
): Promise<readonly string[]> {
  const stored = rowModel(model)
  const rows = reads as unknown as readonly Read<{ sourceId: string }>[]
  const marks = isSwept(reader) && !isWhole
  const { changes, ids } = await upsert(tx, stored, unit, reader.schema, rows, { marks })
  await announceChanges(tx, stored, unit, run.providerName, changes)
  return ids
}

/** What the provider says that it has taken back. */
async function removeTold(
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

type Modes = Pick<Reader<never>, 'mode' | 'wholeBy'>

/** Whether what it does not tell is removed. */
const isSwept = ({ mode, wholeBy }: Modes): boolean => mode === 'full' || wholeBy !== undefined

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
  await commit(run, undefined, (tx) => saveCheckpoints(tx, [checkpoint(run, model, null, reach, true)]))
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

/** A record that cannot be read is left out, counted and kept as it is; the others of its page are stored. */
function draftsOf<M extends SyncedModel>(
  run: SyncRun,
  model: M,
  reader: Reader<Drafts[M]>,
  page: ReadPage,
  asOf: Instant,
): { readonly reads: Read<Drafts[M]>[]; readonly leftOut: unknown[] } {
  const reads: Read<Drafts[M]>[] = []
  const leftOut: unknown[] = []
  for (const raw of page.records) {
    try {
      reads.push({ draft: reader.toDraft(raw, asOf), raw })
    } catch (error) {
      run.refused(model, error)
      leftOut.push(raw)
    }
  }
  return { reads, leftOut }
}

const rowModel = (model: SyncedModel): StoredModel<{ sourceId: string }> => {
  if (isSeries(model)) throw new Error('a series is not stored by rows')
  return storedModels[model] as unknown as StoredModel<{ sourceId: string }>
}

const checkpoint = (
  { connection, sync }: SyncRun,
  model: SyncedModel,
  reader: ReadPage['next'],
  { window, lookedBack }: Reach,
  done: boolean,
): Checkpoint => ({
  connectionId: connection.id,
  model,
  syncId: sync.id,
  state: { reader, window, lookedBack },
  done: done ? 1 : 0,
})
