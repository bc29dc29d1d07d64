import { type JurisdictionLookup, loadJurisdictionLookup } from './jurisdictions/jurisdiction-lookup.ts'
import { type MonthCalendar, monthCalendarOf } from './mileage/calendar-months.ts'
import { createMileageCalculator } from './mileage/mileage-calculator.ts'
import type { Id } from '../../domain/ids.ts'
import type { ParsedRecord } from '../ingest/parse-page.ts'
import { inVersionedTransaction } from '../ingest/versioned-transaction.ts'
import type { NormalizedIftaMonth } from '../../providers/normalized-records.ts'
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
/** Months are computed as a whole and a sync reads the last day again, so not after every sync. */
const COMPUTED_EVERY_MS = 6 * HOUR_MS
/** Older points are looked for only where a sync was asked to read their time. */
const LOOKBACK_MS = 62 * DAY_MS
/** Beginning again where it stopped costs as much as some vehicles. */
const MIN_TIME_SLICE_MS = 500
const VEHICLES_AT_ONCE = 200
const SCHEMA = 'odograph.ifta'

/**
 * Computes distances by jurisdiction from tracks and odometers where the provider does not tell them: the months of
 * every vehicle of which points have come since the last time. A vehicle and its place in the pass commit together, so
 * another worker goes on after it.
 */
export async function computeIfta(run: SyncRun, { readers }: ProviderAdapter): Promise<void> {
  if (!readers.VehicleLocation || readers.IFTASummary) return
  const before = (await checkpointsOf(run.db, run.connection.id)).get('IFTASummary')
  if (!isDue(run, before)) return
  const pass = await passOf(run, before)
  for await (const vehicle of vehiclesAfter(run, pass.after)) {
    run.signal.throwIfAborted()
    const period = await affectedPeriod(run.db, vehicle, pass.newPoints, pass.calendar)
    const kept = period && retainedMonths(period, pass.calendar, run.keptFrom)
    if (!kept) continue
    await storePeriod(run, pass, vehicle, kept)
    await run.timeSlice.mayGoOn(MIN_TIME_SLICE_MS)
  }
  await inVersionedTransaction(run, run.connection, async (tx) => {
    await run.lease.hold(tx)
    await saveCheckpoints(tx, [checkpointOf(run, pass, null)])
  })
}

/** Without the months of which points have been removed: their sums stay as they were computed from all of them. */
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
  return sync.startFrom !== null || clock.now() - doneAt >= COMPUTED_EVERY_MS
}

/** One computation of a whole connection, by however many workers. */
interface Pass {
  /** By the connection's clock: what came after `from` is new, and `to` was its time when the pass began. */
  readonly window: TimeWindow
  readonly newPoints: { readonly locatedFrom: Instant; readonly modifiedAfter: Instant }
  /** The vehicle that was done last. */
  readonly after: string
  readonly atlas: JurisdictionLookup
  readonly calendar: MonthCalendar
  readonly timeZone: string
}

async function passOf({ db, connection, sync }: SyncRun, before: Checkpoint | undefined): Promise<Pass> {
  const mine = before?.syncId === sync.id ? before : undefined
  const window = mine?.state.window ?? { from: doneUntil(before), to: await lastStampOf(db, connection) }
  const asked = await earliestAsked(db, connection, window.from)
  const timeZone = zoneOf(connection)
  return {
    window,
    newPoints: { locatedFrom: Math.min(window.from - LOOKBACK_MS, asked), modifiedAfter: window.from },
    after: String(mine?.state.reader?.['after'] ?? ''),
    atlas: await loadJurisdictionLookup(),
    calendar: monthCalendarOf(timeZone),
    timeZone,
  }
}

/** A pass that was not done has not counted. */
const doneUntil = (before: Checkpoint | undefined): Instant =>
  (before?.done === 1 ? before.state.window.to : before?.state.window.from) ?? 0

const zoneOf = ({ timeZone }: Connection): string =>
  timeZone !== null && isTimeZone(timeZone) ? timeZone : 'UTC'

async function lastStampOf(db: Rows, { id }: Connection): Promise<Instant> {
  const [row] = await db.rows<{ lastStamp: number }>('SELECT `lastStamp` FROM `connections` WHERE `id` = ?', [
    id,
  ])
  return Number(row?.lastStamp ?? 0)
}

/** The earliest time that a sync since then was asked to read. */
async function earliestAsked(db: Rows, { id }: Connection, since: Instant): Promise<Instant> {
  const [row] = await db.rows<{ earliest: number | null }>(
    `SELECT MIN(\`startFrom\`) AS \`earliest\` FROM \`syncs\`
      WHERE \`connectionId\` = ? AND (\`completedAt\` IS NULL OR \`completedAt\` >= ?)`,
    [id, since],
  )
  return row?.earliest == null ? Infinity : Number(row.earliest)
}

interface VehicleName extends VehicleKey {
  readonly id: Id<'vehicle'>
  readonly sourceId: string
}

async function* vehiclesAfter({ db, connection }: SyncRun, first: string): AsyncGenerator<VehicleName> {
  for (let after = first; ;) {
    const page = await db.rows<VehicleName>(
      `SELECT \`id\`, \`connectionId\`, \`sourceId\` FROM \`vehicles\` WHERE \`connectionId\` = ? AND \`id\` > ?
        ORDER BY \`id\` LIMIT ${VEHICLES_AT_ONCE}`,
      [connection.id, after],
    )
    yield* page
    if (page.length < VEHICLES_AT_ONCE) return
    after = String(page.at(-1)?.id)
  }
}

async function storePeriod(
  run: SyncRun,
  pass: Pass,
  vehicle: VehicleName,
  period: TimeWindow,
): Promise<void> {
  const parsed = await readsOf(run, pass, vehicle, period)
  const gone = await goneOf(run, pass, vehicle, period, parsed)
  await inVersionedTransaction(run, run.connection, async (tx, stamp) => {
    await run.lease.hold(tx)
    const unit = { connection: run.connection, syncId: run.sync.id, stamp }
    const removed = gone.map(({ normalized, raw }) => ({
      normalized: { ...normalized, deletedAt: stamp },
      raw,
    }))
    await upsert(tx, storedModels.IFTASummary, unit, SCHEMA, [...parsed, ...removed], { marks: false })
    await saveCheckpoints(tx, [checkpointOf(run, pass, vehicle)])
  })
}

/** Adds up the track of a period, with the fix before it and the fix after it. */
async function readsOf(run: SyncRun, pass: Pass, vehicle: VehicleName, period: TimeWindow) {
  const { previous, next } = await neighborsOf(run.db, vehicle, period)
  const tally = createMileageCalculator(pass.atlas, pass.calendar)
  const track = { from: previous ?? period.from, to: next ?? period.to }
  for await (const fix of fixesWithOdometer(run.db, vehicle, track)) {
    run.signal.throwIfAborted()
    tally.add(fix)
  }
  const computed = { ...pass, vehicleSourceId: vehicle.sourceId }
  const [first, last] = monthsOf(pass, period)
  return computedMonths(tally.result(), computed).filter(
    ({ normalized: { month } }) => month >= first && month <= last,
  )
}

/** What is stored of a period and no longer so. */
async function goneOf(
  { db, connection }: SyncRun,
  pass: Pass,
  vehicle: VehicleName,
  period: TimeWindow,
  parsed: readonly ParsedRecord<NormalizedIftaMonth>[],
): Promise<ParsedRecord<NormalizedIftaMonth>[]> {
  const stored = await db.rows<{ sourceId: string; month: string; jurisdiction: string }>(
    `SELECT \`sourceId\`, \`month\`, \`jurisdiction\` FROM \`ifta_vehicle_months\`
      WHERE \`connectionId\` = ? AND \`vehicleId\` = ? AND \`deletedAt\` IS NULL AND \`month\` BETWEEN ? AND ?`,
    [connection.id, vehicle.id, ...monthsOf(pass, period)],
  )
  const computed = { ...pass, vehicleSourceId: vehicle.sourceId }
  return stored
    .filter(({ sourceId }) => !parsed.some(({ normalized }) => normalized.sourceId === sourceId))
    .map(({ month, jurisdiction }) => emptyMonth(computed, { month, jurisdiction: jurisdiction || null }))
}

const monthsOf = ({ calendar }: Pass, { from, to }: TimeWindow) =>
  [calendar.monthAt(from).name, calendar.monthAt(to - 1).name] as const

/** After a vehicle, or after the last one. */
const checkpointOf = (
  { connection, sync, clock }: SyncRun,
  { window }: Pass,
  vehicle: VehicleName | null,
): Checkpoint => ({
  connectionId: connection.id,
  model: 'IFTASummary',
  syncId: sync.id,
  state: { reader: vehicle ? { after: vehicle.id } : { doneAt: clock.now() }, window },
  done: vehicle ? 0 : 1,
})
