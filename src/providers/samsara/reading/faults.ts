import { toIso } from '../../../time.ts'
import type { ProviderApi } from '../../api.ts'
import { checked } from '../../checked.ts'
import type { FaultCodeEventDraft } from '../../drafts.ts'
import type { Reader, ReaderState, ReadPage, Roster, Window } from '../../provider.ts'
import { toFaultCodeEvent } from '../drafts/engine.ts'
import { fault } from '../records/engine.ts'
import { momentOf, type Report } from './fault-reports.ts'
import { knownAt, nothingKnown, ofVehicles, type Known, toldSince } from './known-faults.ts'
import { everyPage } from './pages.ts'
import { readingsIn } from './stats.ts'

const DAY_MS = 86_400_000
/** Reports may come late by this: what was told before is settled. */
const SETTLED_MS = 4 * DAY_MS
/** Codes that are set when the window begins were told before it. */
const BEFORE_MS = 30 * DAY_MS

/**
 * Codes have neither ids nor events: reports show all that are set. From the codes that were set at a moment that is
 * settled every sync follows the reports to now, some vehicles after others; the next one does so from a later moment.
 */
export const faultCodes: Reader<FaultCodeEventDraft> = {
  mode: 'feed',
  needsRoster: true,
  schema: 'fault_code',
  read,
  leaving,
  toDraft: (record) => toFaultCodeEvent(checked(fault, record)),
}

/** What is known of all vehicles: up to the last that was asked for as it is at `until`, of the others as at `from`. */
interface Place extends Known {
  readonly from: string
  readonly until: string
  readonly last: string
}

/** The reports of so many vehicles are followed in one step. */
const AT_ONCE = 200

async function read(api: ProviderApi, state: ReaderState, window: Window, roster: Roster): Promise<ReadPage> {
  const place = placeIn(state, window)
  const { from, until, open, told } = place
  const ids = await roster.sourceIdsAfter('vehicle', place.last, AT_ONCE)
  if (ids.length === 0) return { records: [], next: { from: until, open, told }, isCaughtUp: true }
  const [theirs, others] = ofVehicles(place, new Set(ids))
  const reports = await reportsIn(api, {
    vehicleIds: ids.join(','),
    startTime: from,
    endTime: toIso(window.to),
  })
  const { faults, known } = toldSince(theirs, reports, Date.parse(until))
  const next: Place = {
    from,
    until,
    last: ids.at(-1) ?? '',
    open: { ...others.open, ...known.open },
    told: { ...others.told, ...known.told },
  }
  return { records: faults, next: { ...next } }
}

function placeIn(state: ReaderState, { from: begin, to }: Window): Place {
  const known = state as Partial<Place> | null
  const from = known?.from ?? toIso(begin - BEFORE_MS)
  const until = known?.until ?? toIso(Math.max(Date.parse(from), to - SETTLED_MS))
  return { ...nothingKnown, ...known, from, until, last: known?.last ?? '' }
}

/** Nothing before the reports that are read again anyway can have changed, unless it is asked for. */
function leaving(state: NonNullable<ReaderState>, { from: begin }: Window): ReaderState {
  const place = state as unknown as Place
  if (begin >= Date.parse(place.from)) return state
  const from = begin - BEFORE_MS
  return { from: toIso(from), ...knownAt(place, from) }
}

const TYPES = 'faultCodes'

async function reportsIn(api: ProviderApi, asked: Readonly<Record<string, string>>): Promise<Report[]> {
  const vehicles = await everyPage(api, '/fleet/vehicles/stats/history', { types: TYPES, ...asked })
  return readingsIn(vehicles, TYPES).flatMap(({ vehicle, reading }) => {
    const at = momentOf(reading)
    return at === null ? [] : [{ vehicleId: vehicle.id, at, told: reading }]
  })
}
