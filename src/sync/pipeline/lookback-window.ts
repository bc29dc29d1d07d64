import { isTimeSeries } from '../ingest/time-series-store.ts'
import type { Depth } from '../../domain/models/define-model.ts'
import { modelNamed, type SyncedModel } from '../../domain/record-models.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import type { Instant } from '../../domain/time.ts'
import type { Sync } from '../../subgraphs/connections/syncs/sync.ts'
import type { Checkpoint, Lookback, ReadWindow } from './checkpoint.ts'
import type { SyncRun } from '../sync-run.ts'

/** Returns the time window to read. For time series it excludes points that retention would delete. */
export function readWindowOf(run: SyncRun, model: SyncedModel, before?: Checkpoint): ReadWindow {
  const { window, lookedBack } = computeWindow(run, model, before)
  const from = isTimeSeries(model) ? Math.max(window.from, run.keptFrom) : window.from
  return { window: { from, to: window.to }, lookedBack, ...(isHistory(before) ? { isHistory: true } : {}) }
}

/** Whether a read starts at the start of the history. An incomplete read does so again in the next sync. */
const isHistory = (before: Checkpoint | undefined): boolean =>
  !before || (before.done !== 1 && before.state.isHistory === true)

/**
 * Computes the time window, regardless of retention. A requested start after the end of the last read is ignored,
 * because it would leave a gap.
 */
function computeWindow({ connection, sync }: SyncRun, model: SyncedModel, before?: Checkpoint): ReadWindow {
  const to = sync.requestedAt
  const known = before?.state.lookedBack ?? {}
  const earliest = earliestOf(connection, model)
  const lastRead = before ? readUntil(before) : earliest
  if (sync.startFrom !== null && sync.startFrom <= lastRead)
    return { window: { from: sync.startFrom, to }, lookedBack: known }
  const { lookback: depths = [] } = modelNamed(model)
  if (!before) return { window: { from: earliest, to }, lookedBack: withLookback(depths, Infinity, {}, to) }
  const depth = Math.max(0, ...depths.filter((candidate) => isDue(candidate, known, to)).map(({ ms }) => ms))
  const from = Math.min(lastRead, Math.max(earliest, lastRead - depth))
  return { window: { from, to }, lookedBack: withLookback(depths, depth, known, to) }
}

/** Returns the end of the last complete read. An incomplete window is read again from its start. */
const readUntil = ({ done, state }: Checkpoint): Instant => (done === 1 ? state.window.to : state.window.from)

/**
 * Whether a sync reads a feed from its requested start instead of from the feed position of the previous sync. A feed only
 * continues forward, so its position does not lead back to an earlier start. After an incomplete sync the requested start
 * decides too.
 */
export const readsFromRequestedStart = (
  { startFrom }: Pick<Sync, 'startFrom'>,
  before: Checkpoint,
): boolean => startFrom !== null && (before.done !== 1 || startFrom <= readUntil(before))

/** Whether a read looks back farther than every sync does. */
export const isDeepLookback = ({ window, lookedBack }: ReadWindow): boolean =>
  Object.values(lookedBack).includes(window.to)

const isDue = ({ ms, everyMs }: Depth, lookedBack: Lookback, now: Instant): boolean =>
  everyMs === undefined || now - (lookedBack[ms] ?? 0) >= everyMs

/** Records the time of a lookback for every depth up to `depth`: a deeper lookback covers the shallower ones. */
const withLookback = (depths: readonly Depth[], depth: number, before: Lookback, now: Instant): Lookback => ({
  ...before,
  ...Object.fromEntries(
    depths.filter(({ ms, everyMs }) => everyMs !== undefined && ms <= depth).map(({ ms }) => [ms, now]),
  ),
})

/** Returns the start of the first read. A backfill also covers the additional history `backfillMs` of the model. */
function earliestOf({ backfillFrom, createdAt }: Connection, model: SyncedModel): Instant {
  const { backfillMs = 0 } = modelNamed(model)
  const requested = backfillFrom ?? createdAt
  return requested < createdAt ? requested - backfillMs : requested
}
