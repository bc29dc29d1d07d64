import { toIso } from '../../../time.ts'
import type { ProviderApi } from '../../api.ts'
import { checked } from '../../checked.ts'
import type { FaultCodeEventDraft } from '../../drafts.ts'
import type { Reader, ReaderState, ReadPage, Window } from '../../provider.ts'
import { toFaultCodeEvent } from '../drafts/engine.ts'
import { fault } from '../records/engine.ts'
import { followed, momentOf, type Open, type Report } from './fault-reports.ts'
import { everyPage } from './pages.ts'
import { readingsIn } from './stats.ts'

const DAY_MS = 86_400_000
/** Reports may come late by this: what was told before is settled. */
const SETTLED_MS = 4 * DAY_MS
/** Codes that are set when the window begins were told before it. */
const BEFORE_MS = 30 * DAY_MS

/**
 * Codes have neither ids nor events: reports show all that are set. From the codes that were set at a moment that is
 * settled every sync follows the reports to now; the next one does so from a later moment.
 */
export const faultCodes: Reader<FaultCodeEventDraft> = {
  mode: 'feed',
  schema: 'fault_code',
  read,
  toDraft: (record) => toFaultCodeEvent(checked(fault, record)),
}

/** A moment before which all has been told, and the codes that were set then. */
interface Place {
  readonly from: string
  readonly open: Open
}

async function read(api: ProviderApi, state: ReaderState, { from, to }: Window): Promise<ReadPage> {
  const place = (state as Place | null) ?? { from: toIso(from - BEFORE_MS), open: {} }
  const { faults, next } = toldSince(place, await reportsIn(api, place.from, toIso(to)), to)
  return { records: faults, next: { ...next }, isCaughtUp: true }
}

/** What reports since a place tell until now, and the place from which the next sync follows them. */
export function toldSince(place: Place, reports: readonly Report[], now: number) {
  const settledAt = Math.max(Date.parse(place.from), now - SETTLED_MS)
  const isSettled = ({ at }: Report) => at < settledAt
  const settled = followed(place.open, reports.filter(isSettled))
  const moving = followed(
    settled.open,
    reports.filter((report) => !isSettled(report)),
  )
  const next: Place = { from: toIso(settledAt), open: settled.open }
  return { faults: [...new Map([...settled.touched, ...moving.touched]).values()], next }
}

const TYPES = 'faultCodes'

async function reportsIn(api: ProviderApi, startTime: string, endTime: string): Promise<Report[]> {
  const query = { types: TYPES, startTime, endTime }
  const vehicles = await everyPage(api, '/fleet/vehicles/stats/history', query)
  return readingsIn(vehicles, TYPES).flatMap(({ vehicle, reading }) => {
    const at = momentOf(reading)
    return at === null ? [] : [{ vehicleId: vehicle.id, at, told: reading }]
  })
}
