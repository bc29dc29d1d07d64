import type { SyncedModel } from '../../models.ts'
import type { ProviderApi } from '../../providers/api.ts'
import type { Drafts, LocationDraft } from '../../providers/drafts.ts'
import type { Reader, ReaderState, ReadPage } from '../../providers/provider.ts'
import type { Transaction } from '../../storage/database.ts'
import { announceChanges } from './changes.ts'
import { type Checkpoint, saveCheckpoints } from './checkpoint.ts'
import { commit, type PageBatch } from './page-batch.ts'
import { reportLeftOut } from './report-issues.ts'
import { storedRecords } from '../../watched.ts'
import { rosterOf } from './roster.ts'
import type { SyncRun } from '../run.ts'
import { isSeries, storedSeries, storeSeries } from './series.ts'
import { ofShownOwners } from './shown-owners.ts'
import { type StoredModel, storedModels } from './stored-models.ts'
import { allBut, SWEPT_AT_ONCE, sweep, type Unseen, unseenIn } from './sweep.ts'
import { type Read, type Run, upsert } from './upsert.ts'
import { type Reach, reachOf } from './window.ts'

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
  const roster = rosterOf(run.db, run.connection)
  for (let state: ReaderState | undefined = placeOf(run, reader, before); state !== undefined;) {
    run.signal.throwIfAborted()
    const page: ReadPage = await pages.during(reader.read(api, state, reach.window, roster))
    const reads = draftsOf(run, model, reader, page)
    const isLast = page.next === null || page.isCaughtUp === true
    const isWhole = isFull && isLast && state === null
    await pages.add({
      records: page.records.length,
      checkpoint: checkpoint(run, model, page.next, reach, isLast && (isWhole || !isFull)),
      progress: onPage(),
      store: (tx, unit) => storePage(tx, unit, { run, model, reader, reach, page, reads, isLast, isWhole }),
    })
    storedRecords.tell({ provider: run.connection.provider, model, count: reads.length })
    state = isLast ? undefined : page.next
  }
}

/** Where reading begins: where this sync was, or where the last one came to in a feed. */
function placeOf({ sync }: SyncRun, { mode }: Pick<Reader<never>, 'mode'>, before?: Checkpoint): ReaderState {
  const isGoingOn = before?.syncId === sync.id || (mode === 'feed' && sync.startFrom === null)
  return isGoingOn ? (before?.state.reader ?? null) : null
}

interface Stored<M extends SyncedModel> {
  readonly run: SyncRun
  readonly model: M
  readonly reader: Reader<Drafts[M]>
  readonly reach: Reach
  readonly page: ReadPage
  readonly reads: readonly Read<Drafts[M]>[]
  readonly isLast: boolean
  /** Whether it is the only page of a full list: what is not in it is gone. */
  readonly isWhole: boolean
}

async function storePage<M extends SyncedModel>(tx: Transaction, unit: Run, stored: Stored<M>) {
  const { run, model, reader, page, reads, isLast, isWhole } = stored
  const shown = await ofShownOwners(tx, run.connection, model, reads)
  const ids = isSeries(model)
    ? await storePoints(tx, unit, run, model, reader, shown)
    : await storeRows(tx, unit, stored, shown)
  await reportLeftOut(tx, run, model, page.records.length - reads.length)
  if (reader.mode !== 'full' || !isLast) return undefined
  if (!isWhole) return () => removeUnseen(run, model, stored.reach)
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
): Promise<string[]> {
  const series = storedSeries[model as 'VehicleLocation']
  const points = reads as unknown as readonly Read<LocationDraft>[]
  await storeSeries(tx, series, connection, reader.schema, points, stamp, { mayBeKnown: true })
  return []
}

async function storeRows<M extends SyncedModel>(
  tx: Transaction,
  unit: Run,
  { run, model, reader, isWhole }: Stored<M>,
  reads: readonly Read<Drafts[M]>[],
): Promise<string[]> {
  const stored = rowModel(model)
  const rows = reads as unknown as readonly Read<{ sourceId: string }>[]
  const marks = reader.mode === 'full' && !isWhole
  const { changes, ids } = await upsert(tx, stored, unit, reader.schema, rows, { marks })
  await announceChanges(tx, stored, unit, run.providerName, changes)
  return ids
}

/** After a list of several pages: what none of them had is gone. */
async function removeUnseen(run: SyncRun, model: SyncedModel, reach: Reach): Promise<void> {
  await removeAll(run, model, unseenIn(run.sync.id))
  await commit(run, undefined, (tx) => saveCheckpoints(tx, [checkpoint(run, model, null, reach, true)]))
}

async function removeAll(run: SyncRun, model: SyncedModel, unseen: Unseen): Promise<void> {
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

/** A record that cannot be read is left out and counted; the others of its page are stored. */
function draftsOf<M extends SyncedModel>(
  run: SyncRun,
  model: M,
  reader: Reader<Drafts[M]>,
  page: ReadPage,
): Read<Drafts[M]>[] {
  const reads: Read<Drafts[M]>[] = []
  for (const raw of page.records) {
    try {
      reads.push({ draft: reader.toDraft(raw), raw })
    } catch (error) {
      run.refused(model, error)
    }
  }
  return reads
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
