import { createLoopGuard } from '../ingest/pagination-loop-guard.ts'
import { parsePage } from '../ingest/parse-page.ts'
import type { SyncedModel } from '../../domain/record-models.ts'
import type { ProviderApi } from '../../providers/provider-api.ts'
import type { NormalizedRecords } from '../../providers/normalized-records.ts'
import type { Reader, ReaderState, ReadPage } from '../../providers/provider.ts'
import type { Instant } from '../../domain/time.ts'
import type { SyncRun } from '../sync-run.ts'
import { type Checkpoint, checkpointOf } from './checkpoint.ts'
import type { PageBatch, PageToStore } from './page-batch.ts'
import { readRoster } from './read-roster.ts'
import { isTombstoned } from './apply-removals.ts'
import { storePage } from './store-page.ts'
import { leavesFeedPosition, readWindowOf } from './lookback-window.ts'
import type { ReadWindow } from './checkpoint.ts'

/** Reads one model to its end, page by page, from where this sync's last stored page left it. */
export async function syncModel<M extends SyncedModel>(
  run: SyncRun,
  model: M,
  reader: Reader<NormalizedRecords[M]>,
  api: ProviderApi,
  before: Checkpoint | undefined,
  pages: PageBatch,
  onPage: () => number,
): Promise<void> {
  if (reader.needsRoster) await pages.flush()
  const mine = before?.syncId === run.sync.id ? before : undefined
  const reach = mine ? { lookedBack: {}, ...mine.state } : readWindowOf(run, model, before)
  const isFull = reader.mode === 'full'
  const sweeps = isTombstoned(reader)
  const roster = readRoster(run)
  const guard = createLoopGuard()
  for (let state: ReaderState | undefined = placeOf(run, reader, reach, before); state !== undefined;) {
    run.signal.throwIfAborted()
    const page: ReadPage = await pages.during(reader.read(api, state, reach.window, roster))
    const normalizedPage = normalizePage(run, model, reader, page, reach.window.to)
    const isLast = page.next === null || page.isCaughtUp === true
    const isWhole = isFull && isLast && state === null
    await pages.add({
      records: page.records.length + (page.removed?.length ?? 0),
      checkpoint: checkpointOf(run, model, page.next, reach, isLast && (isWhole || !sweeps)),
      progress: onPage(),
      store: (tx, unit) =>
        storePage(tx, unit, { run, model, reader, reach, page, ...normalizedPage, isLast, isWhole }),
    })
    state = isLast ? undefined : page.next
    if (state !== undefined) guard(state)
  }
}

type ModelRun = Pick<Reader<never>, 'mode' | 'leaving'>

/** Where reading begins: where this sync was, or where the last one came to in a feed. */
function placeOf(
  { sync }: SyncRun,
  { mode, leaving }: ModelRun,
  { window }: ReadWindow,
  before?: Checkpoint,
): ReaderState {
  const place = before?.state.reader
  if (!before || !place) return null
  if (before.syncId === sync.id) return place
  if (mode !== 'feed') return null
  return leavesFeedPosition(sync, before) ? (leaving?.(place, window) ?? null) : place
}

/** A record that cannot be read is left out, counted and kept as it is; the others of its page are stored. */
function normalizePage<M extends SyncedModel>(
  run: SyncRun,
  model: M,
  reader: Reader<NormalizedRecords[M]>,
  page: ReadPage,
  asOf: Instant,
): Pick<PageToStore<M>, 'parsed' | 'quarantined' | 'misfits'> {
  const quarantined: unknown[] = []
  const misfits: (readonly string[])[] = []
  const parsed = parsePage({ model, reader, asOf }, page.records, {
    onQuarantined(raw, error) {
      run.onRefused(model, error)
      quarantined.push(raw)
    },
    onMisfits: (fields) => misfits.push(fields),
  })
  return { parsed, quarantined, misfits }
}
