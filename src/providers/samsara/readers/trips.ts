import { z } from 'zod'
import { toInstant, toIso } from '../../../domain/time.ts'
import type { ProviderApi } from '../../provider-api.ts'
import { ProviderError } from '../../provider-error.ts'
import { validate } from '../../mapping/validate.ts'
import type { Reader, ReaderState, ReadPage, Roster, TimeWindow } from '../../provider.ts'
import type { NormalizedTrip } from '../../normalized-records.ts'
import { toTrip } from '../mappers/travel.ts'
import { trip } from '../schemas/travel.ts'
import { restartIfCursorExpired } from './cursors.ts'
import { pageAt } from './pages.ts'

const DAY_MS = 86_400_000

/** Trips that have ended, in the order in which they were changed. */
export const trips: Reader<NormalizedTrip> = {
  mode: 'feed',
  needsRoster: true,
  schema: 'trip',
  read,
  normalize: (record) => toTrip(validate(trip, record)),
}

/** Which vehicles are asked for, and since when. */
interface TripsCursor {
  readonly since: string
  /** From when on the next sync asks. */
  readonly until: string
  /** The last vehicle that was asked for. */
  readonly last: string
  readonly ids: readonly string[] | null
  readonly after: string | null
  /** The end of the time for which its cursor began. */
  readonly begun: string
  /** Since when the account may not read the older list; null where it may. */
  readonly bareSince: string | null
}

/** A sync asks again for the last minutes of the one before: clocks differ. */
const OVERLAP_MS = 10 * 60_000

async function read(
  api: ProviderApi,
  state: ReaderState,
  window: TimeWindow,
  roster: Roster,
): Promise<ReadPage> {
  const place = await restartFromBareTrips(api, placeIn(state, window), window, roster)
  const ids = place.ids ?? (await roster.sourceIdsAfter('vehicle', place.last, atOnce(place)))
  if (ids.length === 0) {
    const next = { since: place.until, bareSince: place.bareSince }
    return { records: [], next, isCaughtUp: true, ...lacking(place) }
  }
  const asked = { ids: ids.join(','), startTime: place.since, completionStatus: 'completed' }
  const pageAfter = (after: string | null) => pageAt(api, '/trips/stream', asked, after)
  const until = toIso(window.to)
  const page = await restartIfCursorExpired(pageAfter(place.after), place.begun !== until, () =>
    pageAfter(null),
  )
  const ended = page.records.filter((one) => told.safeParse(one).data?.completionStatus !== 'inProgress')
  const details = place.bareSince === null ? await detailsOf(api, ended) : null
  const read = { ...place, begun: until, bareSince: details ? null : (place.bareSince ?? place.since) }
  const next: TripsCursor = page.isLast
    ? { ...read, last: ids.at(-1) ?? '', ids: null, after: null }
    : { ...read, ids, after: page.endCursor }
  const records = ended.map((one) => ({ trip: one, details: details?.get(keyOf(whichOf(one))) ?? null }))
  return { records, next: { ...next }, ...lacking(next) }
}

/** Once the account may read the older list after all, a sync goes back to the trips that were read without it. */
async function restartFromBareTrips(
  api: ProviderApi,
  place: TripsCursor,
  { to }: TimeWindow,
  roster: Roster,
): Promise<TripsCursor> {
  const { bareSince, last, ids } = place
  if (bareSince === null || last !== '' || ids !== null) return place
  const [vehicle] = await roster.sourceIdsAfter('vehicle', '', 1)
  return vehicle !== undefined && (await olderTrips(api, vehicle, [to]))
    ? { ...place, since: bareSince, bareSince: null }
    : place
}

const lacking = ({ bareSince }: TripsCursor) => bareSince !== null && { lacks: 'driver and distance' }

function placeIn(state: ReaderState, { from, to }: TimeWindow): TripsCursor {
  const known = state as Partial<TripsCursor> | null
  return {
    since: known?.since ?? toIso(from),
    until: known?.until ?? toIso(to - OVERLAP_MS),
    last: known?.last ?? '',
    ids: known?.ids ?? null,
    after: known?.after ?? null,
    begun: known?.begun ?? '',
    bareSince: known?.bareSince ?? null,
  }
}

const MAX_IDS = 50
/** As many as a page has, and what a busy vehicle makes. */
const TRIPS_OF_A_PAGE = 512
const TRIPS_OF_A_DAY = 4

/** So few vehicles that their trips are about one page: each page costs a request for each of its vehicles. */
function atOnce({ since, until }: TripsCursor): number {
  const days = Math.max(1, (Date.parse(until) - Date.parse(since)) / DAY_MS)
  return Math.max(1, Math.min(MAX_IDS, Math.floor(TRIPS_OF_A_PAGE / (TRIPS_OF_A_DAY * days))))
}

const told = z.looseObject({
  asset: z.looseObject({ id: z.string() }),
  tripStartTime: z.string(),
  completionStatus: z.string().optional(),
})

/** Of the older list, which is of one vehicle. */
const ASKED_AT_ONCE = 5

/** What the older list tells of each trip; null where the account may not read it. */
async function detailsOf(
  api: ProviderApi,
  trips: readonly unknown[],
): Promise<ReadonlyMap<string, unknown> | null> {
  const starts = new Map<string, number[]>()
  for (const { id, start } of trips.map(whichOf))
    if (start !== null) starts.set(id, [...(starts.get(id) ?? []), start])
  const details = new Map<string, unknown>()
  const vehicles = [...starts]
  for (let at = 0; at < vehicles.length; at += ASKED_AT_ONCE) {
    const some = vehicles.slice(at, at + ASKED_AT_ONCE)
    const told = await Promise.all(some.map(([id, times]) => olderTrips(api, id, times)))
    for (const [index, list] of told.entries()) {
      if (!list) return null
      for (const one of list) details.set(keyOf({ id: some[index]?.[0] ?? '', start: startOf(one) }), one)
    }
  }
  return details
}

const keyOf = ({ id, start }: { readonly id: string; readonly start: unknown }) => JSON.stringify([id, start])

function whichOf(one: unknown): { readonly id: string; readonly start: number | null } {
  const { data } = told.safeParse(one)
  return { id: data?.asset.id ?? '', start: data ? toInstant(data.tripStartTime) : null }
}

const startOf = (one: unknown): unknown => (one as { startMs?: unknown } | null)?.startMs

const MAX_DAYS = 89
const older = z.looseObject({ trips: z.array(z.unknown()).nullish() })

/** The older list is of one vehicle and at most 90 days; null where the account may not read it. */
async function olderTrips(
  api: ProviderApi,
  vehicleId: string,
  starts: readonly number[],
): Promise<unknown[] | null> {
  const sorted = starts.toSorted((one, other) => one - other)
  const found: unknown[] = []
  for (let startMs = sorted[0]; startMs !== undefined;) {
    const most = startMs + MAX_DAYS * DAY_MS
    const last = sorted.findLast((start) => start < most) ?? startMs
    const query = { vehicleId, startMs, endMs: last + 1 }
    try {
      found.push(...(validate(older, await api.get('/v1/fleet/trips', query)).trips ?? []))
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'scope_missing') return null
      throw error
    }
    startMs = sorted.find((start) => start > last)
  }
  return found
}
