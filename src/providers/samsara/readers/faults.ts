import { DAY_MS, LATE_RECORDS_MS } from '../../../domain/models/lookback.ts'
import { toIso } from '../../../domain/time.ts'
import type { ProviderApi } from '../../provider-api.ts'
import { validate } from '../../mapping/validate.ts'
import type { NormalizedFaultCodeEvent } from '../../../domain/models/fault-code-event.ts'
import type { Reader, ReaderState, ReadPage, Roster, TimeWindow } from '../../provider.ts'
import { toFaultCodeEvent } from '../mappers/engine.ts'
import { fault } from '../schemas/engine.ts'
import { timeOf, type FaultReport, unreadablePartsOf } from './fault-diff.ts'
import { stateAt, emptyFaultState, splitByVehicles, type FaultState, changesSince } from './fault-state.ts'
import { readAll } from './pages.ts'
import { statReadingsIn } from './stats.ts'

/** Time before the window from which reports are read, to find codes that were open when it begins. */
const LOOKBACK_MS = 30 * DAY_MS

/**
 * Samsara reports fault codes without ids and without their start and end: a report contains all open codes. Each
 * sync derives the faults from all reports since the settled time, some vehicles at a time. Reports from before the
 * settled time have arrived, also late ones. The next sync starts from a later settled time.
 */
export const faultCodes: Reader<NormalizedFaultCodeEvent> = {
  mode: 'feed',
  needsRoster: true,
  schema: 'fault_code',
  read,
  stateForWindow,
  normalize: (record) => toFaultCodeEvent(validate(fault, record)),
}

/** State of all vehicles: at `until` for vehicles up to `last`, at `from` for the others. */
interface FaultCursor extends FaultState {
  /** Settled time at which this sync starts to read. */
  readonly from: string
  /** Settled time at which the next sync starts to read. */
  readonly until: string
  /** Last vehicle that was read. */
  readonly last: string
}

const VEHICLES_PER_PAGE = 200

async function read(
  api: ProviderApi,
  state: ReaderState,
  window: TimeWindow,
  roster: Roster,
): Promise<ReadPage> {
  const cursor = cursorIn(state, window)
  const { from, until, open, told } = cursor
  const ids = await roster.sourceIdsAfter('vehicle', cursor.last, VEHICLES_PER_PAGE)
  if (ids.length === 0) return { records: [], next: { from: until, open, told }, isCaughtUp: true }
  const [selected, others] = splitByVehicles(cursor, new Set(ids))
  const { reports, unreadable } = await reportsIn(api, {
    vehicleIds: ids.join(','),
    startTime: from,
    endTime: toIso(window.to),
  })
  const { faults, known } = changesSince(selected, reports, Date.parse(until))
  const next: FaultCursor = {
    from,
    until,
    last: ids.at(-1) ?? '',
    open: { ...others.open, ...known.open },
    told: { ...others.told, ...known.told },
  }
  return { records: [...faults, ...unreadable], next: { ...next } }
}

function cursorIn(state: ReaderState, { from: windowStart, to }: TimeWindow): FaultCursor {
  const known = state as Partial<FaultCursor> | null
  const from = known?.from ?? toIso(windowStart - LOOKBACK_MS)
  const until = known?.until ?? toIso(Math.max(Date.parse(from), to - LATE_RECORDS_MS))
  return { ...emptyFaultState, ...known, from, until, last: known?.last ?? '' }
}

/**
 * Keeps the state if the window starts at or after `from`, because the reports since `from` are read anyway.
 */
function stateForWindow(state: NonNullable<ReaderState>, { from: windowStart }: TimeWindow): ReaderState {
  const cursor = state as unknown as FaultCursor
  if (windowStart >= Date.parse(cursor.from)) return state
  const from = windowStart - LOOKBACK_MS
  return { from: toIso(from), ...stateAt(cursor, from) }
}

const TYPES = 'faultCodes'

interface FaultReports {
  readonly reports: readonly FaultReport[]
  /** Reports that cannot be read, or parts of them. The mapping rejects them, so that the sync reports them. */
  readonly unreadable: readonly unknown[]
}

async function reportsIn(api: ProviderApi, query: Readonly<Record<string, string>>): Promise<FaultReports> {
  const vehicles = await readAll(api, '/fleet/vehicles/stats/history', { types: TYPES, ...query })
  const reports: FaultReport[] = []
  const unreadable: unknown[] = []
  for (const { vehicle, reading } of statReadingsIn(vehicles, TYPES)) {
    const parts = unreadablePartsOf(reading)
    unreadable.push(...parts.map((part) => ({ vehicle, reading: part })))
    const at = timeOf(reading)
    if (at !== null && !parts.includes(reading)) reports.push({ vehicleId: vehicle.id, at, reading })
  }
  return { reports, unreadable }
}
