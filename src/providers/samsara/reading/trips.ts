import { z } from 'zod'
import { toInstant, toIso } from '../../../time.ts'
import { type ProviderApi, ProviderError } from '../../api.ts'
import { checked } from '../../checked.ts'
import type { Reader, ReaderState, ReadPage, Roster, Window } from '../../provider.ts'
import type { TripDraft } from '../../drafts.ts'
import { toTrip } from '../drafts/travel.ts'
import { trip } from '../records/travel.ts'
import { unlessForgotten } from './cursors.ts'
import { pageAt } from './pages.ts'

const DAY_MS = 86_400_000

/** Trips that have ended, in the order in which they were changed. */
export const trips: Reader<TripDraft> = {
  mode: 'feed',
  needsRoster: true,
  schema: 'trip',
  read,
  toDraft: (record) => toTrip(checked(trip, record)),
}

/** Which vehicles are asked for, and since when. */
interface Place {
  readonly since: string
  /** From when on the next sync asks. */
  readonly until: string
  /** The last vehicle that was asked for. */
  readonly last: string
  readonly ids: readonly string[] | null
  readonly after: string | null
  /** The end of the time for which its cursor began. */
  readonly begun: string
}

/** A sync asks again for the last minutes of the one before: clocks differ. */
const OVERLAP_MS = 10 * 60_000

async function read(api: ProviderApi, state: ReaderState, window: Window, roster: Roster): Promise<ReadPage> {
  const place = placeIn(state, window)
  const ids = place.ids ?? (await roster.sourceIdsAfter('vehicle', place.last, atOnce(place)))
  if (ids.length === 0) return { records: [], next: { since: place.until }, isCaughtUp: true }
  const asked = { ids: ids.join(','), startTime: place.since, completionStatus: 'completed' }
  const pageAfter = (after: string | null) => pageAt(api, '/trips/stream', asked, after)
  const begun = toIso(window.to)
  const page = await unlessForgotten(pageAfter(place.after), place.begun !== begun, () => pageAfter(null))
  const next: Place = page.isLast
    ? { ...place, last: ids.at(-1) ?? '', ids: null, after: null, begun }
    : { ...place, ids, after: page.endCursor, begun }
  return { records: await withDetails(api, page.records), next: { ...next } }
}

function placeIn(state: ReaderState, { from, to }: Window): Place {
  const known = state as Partial<Place> | null
  return {
    since: known?.since ?? toIso(from),
    until: known?.until ?? toIso(to - OVERLAP_MS),
    last: known?.last ?? '',
    ids: known?.ids ?? null,
    after: known?.after ?? null,
    begun: known?.begun ?? '',
  }
}

const MOST_IDS = 50
/** As many as a page has, and what a busy vehicle makes. */
const TRIPS_OF_A_PAGE = 512
const TRIPS_OF_A_DAY = 4

/** So few vehicles that their trips are about one page: each page costs a request for each of its vehicles. */
function atOnce({ since, until }: Place): number {
  const days = Math.max(1, (Date.parse(until) - Date.parse(since)) / DAY_MS)
  return Math.max(1, Math.min(MOST_IDS, Math.floor(TRIPS_OF_A_PAGE / (TRIPS_OF_A_DAY * days))))
}

const told = z.looseObject({
  asset: z.looseObject({ id: z.string() }),
  tripStartTime: z.string(),
  completionStatus: z.string().optional(),
})

/** Of the older list, which is of one vehicle. */
const ASKED_AT_ONCE = 5

/** Beside each trip what the older list tells of it. */
async function withDetails(api: ProviderApi, found: readonly unknown[]): Promise<unknown[]> {
  const starts = new Map<string, number[]>()
  const ended = found.filter((one) => told.safeParse(one).data?.completionStatus !== 'inProgress')
  for (const one of ended) {
    const { id, start } = whichOf(one)
    if (start !== null) starts.set(id, [...(starts.get(id) ?? []), start])
  }
  const details = new Map<string, unknown>()
  const vehicles = [...starts]
  for (let at = 0; at < vehicles.length; at += ASKED_AT_ONCE)
    await Promise.all(
      vehicles.slice(at, at + ASKED_AT_ONCE).map(async ([id, times]) => {
        for (const one of await olderTrips(api, id, times)) details.set(`${id} ${startOf(one)}`, one)
      }),
    )
  return ended.map((one) => {
    const { id, start } = whichOf(one)
    return { trip: one, details: details.get(`${id} ${start}`) ?? null }
  })
}

function whichOf(one: unknown): { readonly id: string; readonly start: number | null } {
  const { data } = told.safeParse(one)
  return { id: data?.asset.id ?? '', start: data ? toInstant(data.tripStartTime) : null }
}

const startOf = (one: unknown): unknown => (one as { startMs?: unknown } | null)?.startMs

const MOST_DAYS = 89
const older = z.looseObject({ trips: z.array(z.unknown()) })

/** The older list is of one vehicle and at most 90 days. Who may not read it has trips without driver and distance. */
async function olderTrips(
  api: ProviderApi,
  vehicleId: string,
  starts: readonly number[],
): Promise<unknown[]> {
  const sorted = starts.toSorted((one, other) => one - other)
  const found: unknown[] = []
  for (let startMs = sorted[0]; startMs !== undefined;) {
    const most = startMs + MOST_DAYS * DAY_MS
    const last = sorted.findLast((start) => start < most) ?? startMs
    const query = { vehicleId, startMs, endMs: last + 1 }
    try {
      found.push(...checked(older, await api.get('/v1/fleet/trips', query)).trips)
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'scope_missing') return []
      throw error
    }
    startMs = sorted.find((start) => start > last)
  }
  return found
}
