import { createLoopGuard } from '../ingest/pagination-loop-guard.ts'
import { parsePage } from '../ingest/parse-page.ts'
import type { NormalizedRecords, SyncedModel } from '../../domain/record-models.ts'
import type { ProviderApi } from '../../providers/provider-api.ts'
import type { Reader, ReaderState, ReadPage } from '../../providers/provider.ts'
import type { Instant } from '../../domain/time.ts'
import type { SyncRun } from '../sync-run.ts'
import { type Checkpoint, checkpointOf, type ReadWindow, type StoredCheckpoint } from './checkpoint.ts'
import type { PageBatch, PageToStore } from './page-batch.ts'
import { type PageRead, readPageOrRestart } from './read-page.ts'
import { readRoster } from './read-roster.ts'
import { treatsMissingAsRemoved } from './removals/apply-removals.ts'
import { resetLeftOut } from './report-issues.ts'
import { storePage } from './store-page.ts'
import { isDeepLookback, readsFromRequestedStart, readWindowOf } from './lookback-window.ts'

/** Reads one model completely, page by page. Resumes after the last page that the sync has stored. */
export async function syncModel<M extends SyncedModel>(
  run: SyncRun,
  model: M,
  reader: Reader<NormalizedRecords[M]>,
  api: ProviderApi,
  before: StoredCheckpoint | undefined,
  pages: PageBatch,
  countPage: () => number,
): Promise<void> {
  if (reader.needsRoster) await pages.flush()
  const resumed = before?.syncId === run.sync.id ? before : undefined
  let readWindow: ReadWindow = resumed
    ? { lookedBack: {}, ...resumed.state }
    : newReadWindow(run, model, reader, before)
  const isFull = reader.mode === 'full'
  const removesMissing = treatsMissingAsRemoved(reader, readWindow)
  const roster = readRoster(run)
  let guard = createLoopGuard()
  for (let state: ReaderState | undefined = startOf(run, reader, readWindow, before); state !== undefined;) {
    run.signal.throwIfAborted()
    const { window } = readWindow
    const read: PageRead = await readPageOrRestart(reader, { state, readWindow }, (at) =>
      pages.awaitPage(reader.read(api, at, window, roster)),
    )
    const { page, isRestart } = read
    if (isRestart) guard = createLoopGuard()
    readWindow = read.readWindow
    const toStore = { run, model, reader, readWindow, page, isHeld: before?.isHeld ?? false }
    const normalizedPage = normalizePage(run, model, reader, page, window.to)
    const isLast = page.next === null || page.isCaughtUp === true
    const isWholeList = isFull && isLast && read.state === null
    await pages.add({
      recordCount: page.records.length + (page.removed?.length ?? 0),
      checkpoint: checkpointOf(run, model, page.next, readWindow, isLast && (isWholeList || !removesMissing)),
      progress: countPage(),
      async store(tx, context) {
        if (isRestart) await resetLeftOut(tx, run, model)
        return storePage(tx, context, { ...toStore, ...normalizedPage, isLast, isWholeList })
      },
    })
    state = isLast ? undefined : page.next
    if (state !== undefined) guard(state)
  }
}

type ReaderModes = Pick<Reader<never>, 'mode' | 'rereadsWindow' | 'stateForWindow'>

function newReadWindow(
  run: SyncRun,
  model: SyncedModel,
  { mode, rereadsWindow = false }: ReaderModes,
  before?: Checkpoint,
): ReadWindow {
  const readWindow = readWindowOf(run, model, before)
  const isReread =
    mode === 'feed' &&
    before !== undefined &&
    (readsFromRequestedStart(run.sync, before) || (rereadsWindow && isDeepLookback(readWindow)))
  return isReread ? { ...readWindow, isReread } : readWindow
}

/**
 * Returns the initial reader state: the position that this sync has reached or, in a feed, the position of the previous
 * sync. Null starts at the beginning.
 */
function startOf(
  { sync }: SyncRun,
  { mode, stateForWindow }: ReaderModes,
  { window, isReread = false }: ReadWindow,
  before?: Checkpoint,
): ReaderState {
  const position = before?.state.reader
  if (!before || !position) return null
  if (before.syncId === sync.id) return position
  if (mode !== 'feed') return null
  return isReread ? (stateForWindow?.(position, window) ?? null) : position
}

/** Normalizes the records of a page, and separates the unreadable ones for the quarantine. */
function normalizePage<M extends SyncedModel>(
  run: SyncRun,
  model: M,
  reader: Reader<NormalizedRecords[M]>,
  page: ReadPage,
  asOf: Instant,
): Pick<PageToStore<M>, 'parsed' | 'quarantined' | 'invalidFields'> {
  const quarantined: unknown[] = []
  const invalidFields: (readonly string[])[] = []
  const parsed = parsePage({ model, reader, asOf }, page.records, {
    onUnreadable(raw, error) {
      run.onUnreadable(model, error)
      quarantined.push(raw)
    },
    onInvalidFields: (fields) => invalidFields.push(fields),
  })
  return { parsed, quarantined, invalidFields }
}
