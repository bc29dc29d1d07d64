import { circleGuard } from '../../intake/circle.ts'
import { type Read, readsOf } from '../../intake/read.ts'
import type { SyncedModel } from '../../models.ts'
import type { ProviderApi } from '../../providers/api.ts'
import type { Drafts } from '../../providers/drafts.ts'
import type { Reader, ReaderState, ReadPage } from '../../providers/provider.ts'
import type { Instant } from '../../time.ts'
import type { SyncRun } from '../run.ts'
import { type Checkpoint, checkpointOf } from './checkpoint.ts'
import type { PageBatch } from './page-batch.ts'
import { readRoster } from './read-roster.ts'
import { isSwept } from './remove-gone.ts'
import { storePage } from './store-page.ts'
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
      checkpoint: checkpointOf(run, model, page.next, reach, isLast && (isWhole || !sweeps)),
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

/** A record that cannot be read is left out, counted and kept as it is; the others of its page are stored. */
function draftsOf<M extends SyncedModel>(
  run: SyncRun,
  model: M,
  reader: Reader<Drafts[M]>,
  page: ReadPage,
  asOf: Instant,
): { readonly reads: Read<Drafts[M]>[]; readonly leftOut: unknown[] } {
  const leftOut: unknown[] = []
  const reads = readsOf(reader, page.records, asOf, (raw, error) => {
    run.refused(model, error)
    leftOut.push(raw)
  })
  return { reads, leftOut }
}
