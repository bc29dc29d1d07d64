import { toIso } from '../../../domain/time.ts'
import type { ProviderApi } from '../../provider-api.ts'
import { validate } from '../../mapping/validate.ts'
import type { NormalizedFaultCodeEvent } from '../../normalized-records.ts'
import type { Reader, ReaderState, ReadPage, Roster, TimeWindow } from '../../provider.ts'
import { toFaultCodeEvent } from '../mappers/engine.ts'
import { fault } from '../schemas/engine.ts'
import { timeOf, type FaultReport } from './fault-diff.ts'
import { stateAt, emptyFaultState, splitByVehicles, type FaultState, changesSince } from './fault-state.ts'
import { readAll } from './pages.ts'
import { statReadingsIn } from './stats.ts'

const DAY_MS = 86_400_000
/** Reports may come late by this: what was told before is settled. */
const SETTLED_MS = 4 * DAY_MS
/** Codes that are set when the window begins were told before it. */
const BEFORE_MS = 30 * DAY_MS

/**
 * Codes have neither ids nor events: reports show all that are set. From the codes that were set at a moment that is
 * settled every sync follows the reports to now, some vehicles after others; the next one does so from a later moment.
 */
export const faultCodes: Reader<NormalizedFaultCodeEvent> = {
  mode: 'feed',
  needsRoster: true,
  schema: 'fault_code',
  read,
  leaving,
  normalize: (record) => toFaultCodeEvent(validate(fault, record)),
}

/** What is known of all vehicles: up to the last that was asked for as it is at `until`, of the others as at `from`. */
interface FaultCursor extends FaultState {
  readonly from: string
  readonly until: string
  readonly last: string
}

/** The reports of so many vehicles are followed in one step. */
const AT_ONCE = 200

async function read(
  api: ProviderApi,
  state: ReaderState,
  window: TimeWindow,
  roster: Roster,
): Promise<ReadPage> {
  const place = placeIn(state, window)
  const { from, until, open, told } = place
  const ids = await roster.sourceIdsAfter('vehicle', place.last, AT_ONCE)
  if (ids.length === 0) return { records: [], next: { from: until, open, told }, isCaughtUp: true }
  const [theirs, others] = splitByVehicles(place, new Set(ids))
  const reports = await reportsIn(api, {
    vehicleIds: ids.join(','),
    startTime: from,
    endTime: toIso(window.to),
  })
  const { faults, known } = changesSince(theirs, reports, Date.parse(until))
  const next: FaultCursor = {
    from,
    until,
    last: ids.at(-1) ?? '',
    open: { ...others.open, ...known.open },
    told: { ...others.told, ...known.told },
  }
  return { records: faults, next: { ...next } }
}

function placeIn(state: ReaderState, { from: begin, to }: TimeWindow): FaultCursor {
  const known = state as Partial<FaultCursor> | null
  const from = known?.from ?? toIso(begin - BEFORE_MS)
  const until = known?.until ?? toIso(Math.max(Date.parse(from), to - SETTLED_MS))
  return { ...emptyFaultState, ...known, from, until, last: known?.last ?? '' }
}

/** Nothing before the reports that are read again anyway can have changed, unless it is asked for. */
function leaving(state: NonNullable<ReaderState>, { from: begin }: TimeWindow): ReaderState {
  const place = state as unknown as FaultCursor
  if (begin >= Date.parse(place.from)) return state
  const from = begin - BEFORE_MS
  return { from: toIso(from), ...stateAt(place, from) }
}

const TYPES = 'faultCodes'

async function reportsIn(api: ProviderApi, asked: Readonly<Record<string, string>>): Promise<FaultReport[]> {
  const vehicles = await readAll(api, '/fleet/vehicles/stats/history', { types: TYPES, ...asked })
  return statReadingsIn(vehicles, TYPES).flatMap(({ vehicle, reading }) => {
    const at = timeOf(reading)
    return at === null ? [] : [{ vehicleId: vehicle.id, at, told: reading }]
  })
}
