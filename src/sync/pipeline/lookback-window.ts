import { isTimeSeries } from '../ingest/time-series-store.ts'
import type { SyncedModel } from '../../domain/record-models.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import type { Instant } from '../../domain/time.ts'
import type { Sync } from '../../subgraphs/connections/syncs/sync.ts'
import type { Checkpoint, Lookback, ReadWindow } from './checkpoint.ts'
import type { SyncRun } from '../sync-run.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Time before the last read that a sync reads again. */
interface Depth {
  readonly ms: number
  /** Minimum time between two syncs that look back this far. Without it, every sync does. */
  readonly everyMs?: number
}

/**
 * Lookback depths by model. Syncs read a period again, because records arrive late and change afterwards.
 * Models with many records are read far back only occasionally. A record that is up to a week late is found: a
 * point of a time series within a week of its arrival, any other record within a day.
 */
const TIME_SERIES_DEPTHS: readonly Depth[] = [
  { ms: 15 * MINUTE_MS },
  { ms: 2 * HOUR_MS, everyMs: 2 * HOUR_MS },
  { ms: 3 * DAY_MS, everyMs: DAY_MS },
  { ms: 15 * DAY_MS, everyMs: 7 * DAY_MS },
]
/** A device that was offline for a week uploads its records when it is back. */
const ONCE_A_DAY: Depth = { ms: 8 * DAY_MS, everyMs: DAY_MS }

const depths: Partial<Record<SyncedModel, readonly Depth[]>> = {
  Trip: [{ ms: DAY_MS }, ONCE_A_DAY],
  SafetyEvent: [{ ms: DAY_MS }, ONCE_A_DAY],
  FaultCodeEvent: [{ ms: 2 * DAY_MS }, ONCE_A_DAY],
  HOSLog: [{ ms: DAY_MS }, ONCE_A_DAY],
  HOSDailyLog: [{ ms: DAY_MS }, ONCE_A_DAY],
  VehicleUtilization: [{ ms: 3 * DAY_MS }, ONCE_A_DAY],
  VehicleLocation: TIME_SERIES_DEPTHS,
  VehicleStatLog: TIME_SERIES_DEPTHS,
  IFTASummary: [{ ms: DAY_MS }, { ms: 62 * DAY_MS, everyMs: DAY_MS }],
}

/** Additional history of a backfill. Monthly totals are few, so any backfill reads 13 more months of them. */
const lookbackMs: Partial<Record<SyncedModel, number>> = { IFTASummary: 396 * DAY_MS }

/** Returns the window to read. For time series it excludes points that retention would delete. */
export function readWindowOf(run: SyncRun, model: SyncedModel, before?: Checkpoint): ReadWindow {
  const { window, lookedBack } = computeWindow(run, model, before)
  const from = isTimeSeries(model) ? Math.max(window.from, run.keptFrom) : window.from
  return { window: { from, to: window.to }, lookedBack }
}

/**
 * Computes the window. A requested start is used only if it is not after the last read, so that no gap
 * remains.
 */
function computeWindow({ connection, sync }: SyncRun, model: SyncedModel, before?: Checkpoint): ReadWindow {
  const to = sync.requestedAt
  const known = before?.state.lookedBack ?? {}
  const earliest = earliestOf(connection, model)
  const lastRead = before ? readUntil(before) : earliest
  if (sync.startFrom !== null && sync.startFrom <= lastRead)
    return { window: { from: sync.startFrom, to }, lookedBack: known }
  const all = depths[model] ?? []
  if (!before) return { window: { from: earliest, to }, lookedBack: withLookback(all, Infinity, {}, to) }
  const depth = Math.max(0, ...all.filter((candidate) => isDue(candidate, known, to)).map(({ ms }) => ms))
  const from = Math.min(lastRead, Math.max(earliest, lastRead - depth))
  return { window: { from, to }, lookedBack: withLookback(all, depth, known, to) }
}

/** Returns the end of the last complete read. An incomplete window is read again from its start. */
const readUntil = ({ done, state }: Checkpoint): Instant => (done === 1 ? state.window.to : state.window.from)

/** Whether a sync with a requested start ignores the feed position of the previous sync. */
export const leavesFeedPosition = ({ startFrom }: Pick<Sync, 'startFrom'>, before: Checkpoint): boolean =>
  startFrom !== null && (before.done !== 1 || startFrom <= readUntil(before))

const isDue = ({ ms, everyMs }: Depth, lookedBack: Lookback, now: Instant): boolean =>
  everyMs === undefined || now - (lookedBack[ms] ?? 0) >= everyMs

/** Records the time for every depth up to `depth`: a deeper lookback covers the shallower ones. */
const withLookback = (all: readonly Depth[], depth: number, before: Lookback, now: Instant): Lookback => ({
  ...before,
  ...Object.fromEntries(
    all.filter(({ ms, everyMs }) => everyMs !== undefined && ms <= depth).map(({ ms }) => [ms, now]),
  ),
})

function earliestOf({ backfillFrom, createdAt }: Connection, model: SyncedModel): Instant {
  const requested = backfillFrom ?? createdAt
  return requested < createdAt ? requested - (lookbackMs[model] ?? 0) : requested
}
