import type { SyncedModel } from '../models.ts'
import type { ProviderApi } from '../providers/api.ts'
import type { Drafts, LocationDraft } from '../providers/drafts.ts'
import type { Reader, ReadPage, Window } from '../providers/provider.ts'
import type { Transaction } from '../storage/database.ts'
import { announceChanges } from './changes.ts'
import { type Checkpoint, saveCheckpoint } from './checkpoint.ts'
import type { SyncRun } from './run.ts'
import { nextStamp } from './stamp.ts'
import { type StoredModel, storedModels } from './stored-models.ts'
import { storeTrack } from './tracks.ts'
import { type Read, type Run, sweep, upsert } from './upsert.ts'

/**
 * Reads one model to its end, page by page, from where this sync's last page left it. A page, its changes, their
 * announcement and the place after it commit together or not at all.
 */
export async function syncModel<M extends SyncedModel>(
  run: SyncRun,
  model: M,
  reader: Reader<Drafts[M]>,
  api: ProviderApi,
  before: Checkpoint | undefined,
  onPage: () => number,
): Promise<void> {
  const mine = before?.syncId === run.sync.id ? before : undefined
  const window = mine?.state.window ?? windowOf(run, model, before)
  let state = mine?.state.reader ?? null
  for (;;) {
    run.signal.throwIfAborted()
    const page = await reader.read(api, state, window)
    const reads = draftsOf(run, model, reader, page)
    await commit(run, async (tx, unit) => {
      await store(tx, unit, run, model, reader, reads)
      await saveCheckpoint(
        tx,
        checkpoint(run, model, page.next, window, page.next === null && reader.mode === 'window'),
      )
      await tx.run('UPDATE `syncs` SET `progress` = ? WHERE `id` = ?', [onPage(), run.sync.id])
    })
    if (page.next === null) break
    state = page.next
  }
  if (reader.mode === 'full') await removeUnseen(run, model, window)
}

/** Everything that one page writes, under the connection's clock and the worker's lease. */
async function commit(run: SyncRun, work: (tx: Transaction, unit: Run) => Promise<unknown>): Promise<void> {
  await run.db.transaction(async (tx) => {
    const stamp = await nextStamp(tx, run.connection.id, run.clock.now())
    await run.lease.hold(tx)
    await work(tx, { connection: run.connection, syncId: run.sync.id, stamp })
  })
  run.announced()
}

async function store<M extends SyncedModel>(
  tx: Transaction,
  unit: Run,
  run: SyncRun,
  model: M,
  reader: Reader<Drafts[M]>,
  reads: readonly Read<Drafts[M]>[],
): Promise<void> {
  if (model === 'VehicleLocation')
    return storeTrack(
      tx,
      run.connection,
      reads.map(({ draft }) => draft as LocationDraft),
      unit.stamp,
    )
  const stored = rowModel(model)
  const changes = await upsert(
    tx,
    stored,
    unit,
    reader.schema,
    reads as readonly Read<{ sourceId: string }>[],
  )
  await announceChanges(tx, stored, unit, run.providerName, changes)
}

async function removeUnseen(run: SyncRun, model: SyncedModel, window: Window): Promise<void> {
  const stored = rowModel(model)
  for (let gone = 1; gone > 0;) {
    await commit(run, async (tx, unit) => {
      const changes = await sweep(tx, stored, unit)
      await announceChanges(tx, stored, unit, run.providerName, changes)
      gone = changes.length
      if (gone === 0) await saveCheckpoint(tx, checkpoint(run, model, null, window, true))
    })
  }
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
  if (model === 'VehicleLocation') throw new Error('a track is not stored by rows')
  return storedModels[model] as unknown as StoredModel<{ sourceId: string }>
}

const HOUR_MS = 3_600_000
/** How far back a later sync reads again: records arrive late and change afterwards. */
const lookbackMs: Partial<Record<SyncedModel, number>> = {
  Trip: 24 * HOUR_MS,
  SafetyEvent: 24 * HOUR_MS,
  VehicleLocation: HOUR_MS,
}

function windowOf({ connection, sync }: SyncRun, model: SyncedModel, before: Checkpoint | undefined): Window {
  const to = sync.requestedAt
  if (sync.startFrom !== null) return { from: sync.startFrom, to }
  const earliest = connection.backfillFrom ?? connection.createdAt
  if (!before) return { from: earliest, to }
  return { from: Math.max(earliest, before.state.window.to - (lookbackMs[model] ?? 0)), to }
}

const checkpoint = (
  { connection, sync }: SyncRun,
  model: SyncedModel,
  reader: ReadPage['next'],
  window: Window,
  done: boolean,
): Checkpoint => ({
  connectionId: connection.id,
  model,
  syncId: sync.id,
  state: { reader, window },
  done: done ? 1 : 0,
})
