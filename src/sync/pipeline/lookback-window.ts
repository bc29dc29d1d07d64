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

interface Depth {
  readonly ms: number
  /** How often a sync looks as far back as this; each one does where it is absent. */
  readonly everyMs?: number
}

/**
 * How far back a later sync reads again: records arrive late and change afterwards. What is many is read far back only
 * now and then: a record that came late by some time is found before as much time again has passed.
 */
const SERIES: readonly Depth[] = [
  { ms: 15 * MINUTE_MS },
  { ms: 2 * HOUR_MS, everyMs: 2 * HOUR_MS },
  { ms: DAY_MS, everyMs: DAY_MS },
]
const LOGS: readonly Depth[] = [{ ms: DAY_MS }, { ms: 8 * DAY_MS, everyMs: DAY_MS }]

const depths: Partial<Record<SyncedModel, readonly Depth[]>> = {
  Trip: [{ ms: DAY_MS }],
  SafetyEvent: [{ ms: DAY_MS }],
  FaultCodeEvent: [{ ms: 2 * DAY_MS }],
  HOSLog: LOGS,
  HOSDailyLog: LOGS,
  VehicleUtilization: [{ ms: 3 * DAY_MS }],
  VehicleLocation: SERIES,
  VehicleStatLog: SERIES,
  IFTASummary: [{ ms: DAY_MS }, { ms: 62 * DAY_MS, everyMs: DAY_MS }],
}

/** Sums of months are few: where any history is asked for, a year and a month of them are. */
const lookbackMs: Partial<Record<SyncedModel, number>> = { IFTASummary: 396 * DAY_MS }

/** Of series nothing is read that would be removed again because it is too old to be kept. */
export function readWindowOf(run: SyncRun, model: SyncedModel, before?: Checkpoint): ReadWindow {
  const { window, lookedBack } = wanted(run, model, before)
  const from = isTimeSeries(model) ? Math.max(window.from, run.keptFrom) : window.from
  return { window: { from, to: window.to }, lookedBack }
}

/** A sync that begins at a time that is asked for begins no later than where the one before came to. */
function wanted({ connection, sync }: SyncRun, model: SyncedModel, before?: Checkpoint): ReadWindow {
  const to = sync.requestedAt
  const known = before?.state.lookedBack ?? {}
  const earliest = earliestOf(connection, model)
  const read = before ? readUntil(before) : earliest
  if (sync.startFrom !== null && sync.startFrom <= read)
    return { window: { from: sync.startFrom, to }, lookedBack: known }
  const all = depths[model] ?? []
  if (!before) return { window: { from: earliest, to }, lookedBack: seenAt(all, Infinity, {}, to) }
  const depth = Math.max(0, ...all.filter((one) => isDue(one, known, to)).map(({ ms }) => ms))
  const from = Math.min(read, Math.max(earliest, read - depth))
  return { window: { from, to }, lookedBack: seenAt(all, depth, known, to) }
}

/** What was not read to its end is read again. */
const readUntil = ({ done, state }: Checkpoint): Instant => (done === 1 ? state.window.to : state.window.from)

/** Whether a sync leaves the place in a feed to which the one before came, for a time that is asked for. */
export const leavesFeedPosition = ({ startFrom }: Pick<Sync, 'startFrom'>, before: Checkpoint): boolean =>
  startFrom !== null && (before.done !== 1 || startFrom <= readUntil(before))

const isDue = ({ ms, everyMs }: Depth, lookedBack: Lookback, now: Instant): boolean =>
  everyMs === undefined || now - (lookedBack[ms] ?? 0) >= everyMs

/** Who looks far back sees also what is nearer. */
const seenAt = (all: readonly Depth[], depth: number, before: Lookback, now: Instant): Lookback => ({
  ...before,
  ...Object.fromEntries(
    all.filter(({ ms, everyMs }) => everyMs !== undefined && ms <= depth).map(({ ms }) => [ms, now]),
  ),
})

function earliestOf({ backfillFrom, createdAt }: Connection, model: SyncedModel): Instant {
  const asked = backfillFrom ?? createdAt
  return asked < createdAt ? asked - (lookbackMs[model] ?? 0) : asked
}
