import {
  type JurisdictionLookup,
  loadJurisdictionLookup,
} from '../../domain/jurisdictions/jurisdiction-lookup.ts'
import { type MonthCalendar, monthCalendarOf } from './mileage/calendar-months.ts'
import { createMileageCalculator } from './mileage/mileage-calculator.ts'
import type { Id } from '../../domain/ids.ts'
import type { ParsedRecord } from '../ingest/parse-page.ts'
import { inVersionedTransaction } from '../ingest/versioned-transaction.ts'
import type { NormalizedIftaMonth } from '../../domain/models/ifta-summary.ts'
import type { ProviderAdapter, TimeWindow } from '../../providers/provider.ts'
import type { Rows } from '../../storage/database.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { type Instant, isTimeZone } from '../../domain/time.ts'
import { type Checkpoint, checkpointsOf, saveCheckpoints } from '../pipeline/checkpoint.ts'
import type { SyncRun } from '../sync-run.ts'
import { storedModels } from '../pipeline/stored-models.ts'
import { upsert } from '../pipeline/upsert.ts'
import { computedMonths, emptyMonth } from './computed-months.ts'
import { fixesWithOdometer } from './odometer-fixes.ts'
import { neighborsOf, affectedPeriod, type VehicleKey } from './affected-period.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Minimum time between two passes. Each sync adds points, and a pass recomputes the whole months of new points. */
const COMPUTE_INTERVAL_MS = 6 * HOUR_MS
/** Age limit of new points. Older points count only if a caller requested a sync from their time on. */
const LOOKBACK_MS = 62 * DAY_MS
/** Minimum time that a pass runs before it yields, because resuming costs as much as computing some vehicles. */
const MIN_TIME_SLICE_MS = 500
const VEHICLES_PER_PAGE = 200
const SCHEMA = 'odograph.ifta'

/**
 * Computes distances by jurisdiction from tracks and odometers, if the provider does not report them. One pass computes
 * the affected months of every vehicle with new points. The records of a vehicle commit together with the position of
 * the pass, so that another worker can resume after this vehicle.
 */
export async function computeIfta(run: SyncRun, { readers }: ProviderAdapter): Promise<void> {
  if (!readers.VehicleLocation || readers.IFTASummary) return
  const before = (await checkpointsOf(run.db, run.connection.id)).get('IFTASummary')
  if (!isDue(run, before)) return
  const pass = await startPass(run, before)
  for await (const vehicle of vehiclesAfter(run, pass.after)) {
    run.signal.throwIfAborted()
    const period = await affectedPeriod(run.db, vehicle, pass.newPoints, pass.calendar)
    const retained = period && retainedMonths(period, pass.calendar, run.keptFrom)
    if (!retained) continue
    await storePeriod(run, pass, vehicle, retained)
    await run.timeSlice.yieldIfExpired(MIN_TIME_SLICE_MS)
  }
  await inVersionedTransaction(run, run.connection, async (tx) => {
    await run.lease.hold(tx)
    await saveCheckpoints(tx, [passCheckpoint(run, pass, null)])
  })
}

/** Excludes months of which retention has deleted points. Their totals stay as they were computed from all points. */
function retainedMonths(
  { from, to }: TimeWindow,
  calendar: MonthCalendar,
  keptFrom: Instant,
): TimeWindow | null {
  const { startsAt, endsAt } = calendar.monthAt(keptFrom)
  const first = Math.max(from, startsAt === keptFrom ? startsAt : endsAt)
  return first < to ? { from: first, to } : null
}

function isDue({ sync, clock }: SyncRun, before: Checkpoint | undefined): boolean {
  if (before?.done !== 1) return true
  if (before.syncId === sync.id) return false
  const doneAt = Number(before.state.reader?.['doneAt'] ?? 0)
  return sync.startFrom !== null || clock.now() - doneAt >= COMPUTE_INTERVAL_MS
}

/** One computation for all vehicles of a connection. Several workers can continue it one after another. */
interface Pass {
  /**
   * Version stamps of the connection, not times of points. Points with a stamp after `from` are new. `to` is the last
   * stamp at the start of the pass.
   */
  readonly window: TimeWindow
  readonly newPoints: { readonly locatedFrom: Instant; readonly modifiedAfter: Instant }
  /** Id of the last computed vehicle; empty at the start. */
  readonly after: string
  readonly lookup: JurisdictionLookup
  readonly calendar: MonthCalendar
  readonly timeZone: string
}

async function startPass({ db, connection, sync }: SyncRun, before: Checkpoint | undefined): Promise<Pass> {
  const resumed = before?.syncId === sync.id ? before : undefined
  const window = resumed?.state.window ?? {
    from: computedUntil(before),
    to: await lastStampOf(db, connection),
  }
  const requested = await earliestRequested(db, connection, window.from)
  const timeZone = timeZoneOf(connection)
  return {
    window,
    newPoints: { locatedFrom: Math.min(window.from - LOOKBACK_MS, requested), modifiedAfter: window.from },
    after: String(resumed?.state.reader?.['after'] ?? ''),
    lookup: await loadJurisdictionLookup(),
    calendar: monthCalendarOf(timeZone),
    timeZone,
  }
}

/** Returns the last stamp that complete passes cover. For an incomplete pass, it is the start of that pass. */
const computedUntil = (before: Checkpoint | undefined): Instant =>
  (before?.done === 1 ? before.state.window.to : before?.state.window.from) ?? 0

const timeZoneOf = ({ timeZone }: Connection): string =>
  timeZone !== null && isTimeZone(timeZone) ? timeZone : 'UTC'

async function lastStampOf(db: Rows, { id }: Connection): Promise<Instant> {
  const [row] = await db.rows<{ lastStamp: number }>('SELECT `lastStamp` FROM `connections` WHERE `id` = ?', [
    id,
  ])
  return Number(row?.lastStamp ?? 0)
}

/** Returns the earliest `startFrom` of the syncs that did not complete before `since`; Infinity if there is none. */
async function earliestRequested(
  db: Rows,
  { id, applicationId }: Connection,
  since: Instant,
): Promise<Instant> {
  const [row] = await db.rows<{ earliest: number | null }>(
    `SELECT MIN(\`startFrom\`) AS \`earliest\` FROM \`syncs\`
      WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND (\`completedAt\` IS NULL OR \`completedAt\` >= ?)`,
    [id, applicationId, since],
  )
  return row?.earliest == null ? Infinity : Number(row.earliest)
}

interface VehicleRef extends VehicleKey {
  readonly id: Id<'vehicle'>
  readonly sourceId: string
}

async function* vehiclesAfter({ db, connection }: SyncRun, first: string): AsyncGenerator<VehicleRef> {
  for (let after = first; ;) {
    const page = await db.rows<VehicleRef>(
      `SELECT \`id\`, \`connectionId\`, \`applicationId\`, \`sourceId\` FROM \`vehicles\`
        WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`id\` > ?
        ORDER BY \`id\` LIMIT ${VEHICLES_PER_PAGE}`,
      [connection.id, connection.applicationId, after],
    )
    yield* page
    if (page.length < VEHICLES_PER_PAGE) return
    after = String(page.at(-1)?.id)
  }
}

async function storePeriod(run: SyncRun, pass: Pass, vehicle: VehicleRef, period: TimeWindow): Promise<void> {
  const parsed = await computeRecords(run, pass, vehicle, period)
  const stale = await findStale(run, pass, vehicle, period, parsed)
  await inVersionedTransaction(run, run.connection, async (tx, stamp) => {
    await run.lease.hold(tx)
    const context = { connection: run.connection, syncId: run.sync.id, stamp }
    const removed = stale.map(({ normalized, raw }) => ({
      normalized: { ...normalized, deletedAt: stamp },
      raw,
    }))
    await upsert(tx, storedModels.IFTASummary, context, SCHEMA, [...parsed, ...removed], { marksSeen: false })
    await saveCheckpoints(tx, [passCheckpoint(run, pass, vehicle)])
  })
}

/** Computes the records of a period. The track also has the last fix before the period and the first fix after it. */
async function computeRecords(run: SyncRun, pass: Pass, vehicle: VehicleRef, period: TimeWindow) {
  const { previous, next } = await neighborsOf(run.db, vehicle, period)
  const calculator = createMileageCalculator(pass.lookup, pass.calendar)
  const track = { from: previous ?? period.from, to: next ?? period.to }
  for await (const fix of fixesWithOdometer(run.db, vehicle, track)) {
    run.signal.throwIfAborted()
    calculator.add(fix)
  }
  const target = { ...pass, vehicleSourceId: vehicle.sourceId }
  const [first, last] = monthsOf(pass, period)
  return computedMonths(calculator.result(), target).filter(
    ({ normalized: { month } }) => month >= first && month <= last,
  )
}

/** Returns records with distance 0 for the stored totals of a period that the new computation lacks. */
async function findStale(
  { db, connection }: SyncRun,
  pass: Pass,
  vehicle: VehicleRef,
  period: TimeWindow,
  parsed: readonly ParsedRecord<NormalizedIftaMonth>[],
): Promise<ParsedRecord<NormalizedIftaMonth>[]> {
  const stored = await db.rows<{ sourceId: string; month: string; jurisdiction: string }>(
    `SELECT \`sourceId\`, \`month\`, \`jurisdiction\` FROM \`ifta_vehicle_months\`
      WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`vehicleId\` = ? AND \`deletedAt\` IS NULL
        AND \`month\` BETWEEN ? AND ?`,
    [connection.id, connection.applicationId, vehicle.id, ...monthsOf(pass, period)],
  )
  const target = { ...pass, vehicleSourceId: vehicle.sourceId }
  return stored
    .filter(({ sourceId }) => !parsed.some(({ normalized }) => normalized.sourceId === sourceId))
    .map(({ month, jurisdiction }) => emptyMonth(target, { month, jurisdiction: jurisdiction || null }))
}

const monthsOf = ({ calendar }: Pass, { from, to }: TimeWindow) =>
  [calendar.monthAt(from).name, calendar.monthAt(to - 1).name] as const

/** Returns the checkpoint of a pass after a vehicle; with null, after all vehicles. */
const passCheckpoint = (
  { connection, sync, clock }: SyncRun,
  { window }: Pass,
  vehicle: VehicleRef | null,
): Checkpoint => ({
  connectionId: connection.id,
  model: 'IFTASummary',
  syncId: sync.id,
  state: { reader: vehicle ? { after: vehicle.id } : { doneAt: clock.now() }, window },
  done: vehicle ? 0 : 1,
})
