import type { SyncedModel } from '../models.ts'
import type { ProviderApi } from '../providers/api.ts'
import type { Drafts, LocationDraft } from '../providers/drafts.ts'
import type { Reader, ReadPage, Window } from '../providers/provider.ts'
import type { Transaction } from '../storage/database.ts'
import type { Connection } from '../subgraphs/connections/connection.ts'
import type { Instant } from '../time.ts'
import { announceChanges } from './changes.ts'
import { type Checkpoint, saveCheckpoint } from './checkpoint.ts'
import { reportLeftOut } from './report-issues.ts'
import type { SyncRun } from './run.ts'
import { stamped } from './stamp.ts'
import { ofShownOwners } from './shown-owners.ts'
import { type StoredModel, storedModels } from './stored-models.ts'
import { isSeries, storedSeries, storeSeries } from './series.ts'
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
      await store(tx, unit, run, model, reader, await ofShownOwners(tx, run.connection, model, reads))
      await reportLeftOut(tx, run, model, page.records.length - reads.length)
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
  await stamped(run, run.connection, async (tx, stamp) => {
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
  if (isSeries(model)) {
    const series = storedSeries[model] as (typeof storedSeries)['VehicleLocation']
    const points = reads as unknown as readonly Read<LocationDraft>[]
    return storeSeries(tx, series, run.connection, reader.schema, points, unit.stamp)
  }
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
  if (isSeries(model)) throw new Error('a series is not stored by rows')
  return storedModels[model] as unknown as StoredModel<{ sourceId: string }>
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** How far back a later sync reads again: records arrive late and change afterwards. */
const lookbackMs: Partial<Record<SyncedModel, number>> = {
  Trip: DAY_MS,
  SafetyEvent: DAY_MS,
  FaultCodeEvent: 2 * DAY_MS,
  HOSLog: 8 * DAY_MS,
  HOSDailyLog: 8 * DAY_MS,
  VehicleUtilization: 3 * DAY_MS,
  VehicleLocation: DAY_MS,
  VehicleStatLog: DAY_MS,
  IFTASummary: 62 * DAY_MS,
}
/** Sums of months are few: where any history is asked for, a year and a month of them are. */
const reachMs: Partial<Record<SyncedModel, number>> = { IFTASummary: 396 * DAY_MS }

function windowOf({ connection, sync }: SyncRun, model: SyncedModel, before: Checkpoint | undefined): Window {
  const to = sync.requestedAt
  if (sync.startFrom !== null) return { from: sync.startFrom, to }
  const earliest = earliestOf(connection, model)
  if (!before) return { from: earliest, to }
  return { from: Math.max(earliest, before.state.window.to - (lookbackMs[model] ?? 0)), to }
}

function earliestOf({ backfillFrom, createdAt }: Connection, model: SyncedModel): Instant {
  const asked = backfillFrom ?? createdAt
  return asked < createdAt ? asked - (reachMs[model] ?? 0) : asked
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
