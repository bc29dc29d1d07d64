import { z } from 'zod'
import { toInstant, toIso } from '../../../domain/time.ts'
import type { ProviderApi, QueryParams } from '../../provider-api.ts'
import { ProviderError } from '../../provider-error.ts'
import { validate } from '../../mapping/validate.ts'
import type { Reader, ReaderState, ReadPage, Roster, TimeWindow } from '../../provider.ts'
import type { NormalizedTrip } from '../../../domain/models/trip.ts'
import { toTrip } from '../mappers/travel.ts'
import { owner } from '../schemas/schema-types.ts'
import { trip } from '../schemas/travel.ts'
import { pageAt } from './pages.ts'

const DAY_MS = 86_400_000

/**
 * Completed trips in order of their changes. The stream lacks driver and distance. They come from the older list
 * `/v1/fleet/trips`, for which an account may lack the permission. The stream does not report deletions. To find them,
 * a deep lookback first reads the trips of its window, in order of their start.
 */
export const trips: Reader<NormalizedTrip> = {
  mode: 'feed',
  needsRoster: true,
  rereadsWindow: true,
  completeBy: 'vehicle',
  schema: 'trip',
  read,
  stateForWindow: (saved, { from }) => {
    const { since, bareSince = null } = saved as Partial<TripsCursor>
    return { since, bareSince, startsFrom: toIso(from) }
  },
  normalize: (record) => toTrip(validate(trip, record)),
}

/** Position of the feed: the vehicles and the change time of the requests. */
interface TripsCursor {
  /** Time since which this sync reads changes. */
  readonly since: string
  /** Time since which the next sync reads changes. */
  readonly until: string
  /** Start of the earliest trip of a lookback; null once it has read all vehicles, and without a lookback. */
  readonly startsFrom: string | null
  /** Last vehicle that was read. */
  readonly last: string
  /** Vehicles of the current request; null before the first request for the next vehicles. */
  readonly ids: readonly string[] | null
  readonly after: string | null
  /** Change time since which trips lack details, because the permission is missing; null if none does. */
  readonly bareSince: string | null
}

/** Overlap with the previous sync, because our clock and Samsara's may differ. */
const OVERLAP_MS = 10 * 60_000

async function read(
  api: ProviderApi,
  state: ReaderState,
  window: TimeWindow,
  roster: Roster,
): Promise<ReadPage> {
  const cursor = await restartIfDetailsPermitted(api, cursorIn(state, window), window, roster)
  const ids = cursor.ids ?? (await roster.sourceIdsAfter('vehicle', cursor.last, vehiclesPerPage(cursor)))
  if (ids.length === 0 && cursor.startsFrom !== null) {
    const next: TripsCursor = { ...cursor, startsFrom: null, last: '' }
    return { records: [], next: { ...next }, ...missingFieldsOf(cursor) }
  }
  if (ids.length === 0) {
    const next = { since: cursor.until, bareSince: cursor.bareSince }
    return { records: [], next, isCaughtUp: true, ...missingFieldsOf(cursor) }
  }
  const query = { ids: ids.join(','), completionStatus: 'completed', ...startOfList(cursor) }
  const page = await pageAt(api, '/trips/stream', query, cursor.after)
  const ended = page.records.filter(
    (record) => streamTrip.safeParse(record).data?.completionStatus !== 'inProgress',
  )
  const details = cursor.bareSince === null ? await detailsOf(api, ended) : null
  const progress = { ...cursor, bareSince: details ? null : (cursor.bareSince ?? cursor.since) }
  const next: TripsCursor = page.isLast
    ? { ...progress, last: ids.at(-1) ?? '', ids: null, after: null }
    : { ...progress, ids, after: page.endCursor }
  const records = ended.map((record) => ({
    trip: record,
    details: details?.get(keyOf(vehicleAndStartOf(record))) ?? null,
  }))
  return { records, next: { ...next }, ...missingFieldsOf(next) }
}

/** Query for the trips of a lookback, or for the changes since the previous sync. */
const startOfList = ({ since, startsFrom }: TripsCursor): QueryParams =>
  startsFrom === null ? { startTime: since } : { startTime: startsFrom, queryBy: 'tripStartTime' }

/** At the start of a sync, returns to the trips without details if the account now has the permission for them. */
async function restartIfDetailsPermitted(
  api: ProviderApi,
  cursor: TripsCursor,
  { to }: TimeWindow,
  roster: Roster,
): Promise<TripsCursor> {
  const { bareSince, last, ids } = cursor
  if (bareSince === null || last !== '' || ids !== null) return cursor
  const [vehicle] = await roster.sourceIdsAfter('vehicle', '', 1)
  return vehicle !== undefined && (await tripsOfOlderList(api, vehicle, [to]))
    ? { ...cursor, since: bareSince, bareSince: null }
    : cursor
}

const missingFieldsOf = ({ bareSince }: TripsCursor) =>
  bareSince !== null && { missingFields: 'driver and distance' }

function cursorIn(state: ReaderState, { from, to }: TimeWindow): TripsCursor {
  const known = state as Partial<TripsCursor> | null
  return {
    since: known?.since ?? toIso(from),
    until: known?.until ?? toIso(to - OVERLAP_MS),
    startsFrom: known?.startsFrom ?? null,
    last: known?.last ?? '',
    ids: known?.ids ?? null,
    after: known?.after ?? null,
    bareSince: known?.bareSince ?? null,
  }
}

/** Maximum number of vehicles per request. */
const MAX_IDS = 50
const TRIPS_PER_PAGE = 512
/** Trips of a busy vehicle. */
const TRIPS_PER_DAY = 4

/**
 * Number of vehicles whose trips fill about one page. Each page costs one request to the older list per vehicle.
 */
function vehiclesPerPage({ since, until, startsFrom }: TripsCursor): number {
  const days = Math.max(1, (Date.parse(until) - Date.parse(startsFrom ?? since)) / DAY_MS)
  return Math.max(1, Math.min(MAX_IDS, Math.floor(TRIPS_PER_PAGE / (TRIPS_PER_DAY * days))))
}

const streamTrip = z.looseObject({
  asset: owner,
  tripStartTime: z.string(),
  completionStatus: z.unknown().optional(),
})

/** Number of concurrent requests to the older list. Each request is for one vehicle. */
const CONCURRENT_REQUESTS = 5

/** Returns the details of trips from the older list; null if the account lacks the permission. */
async function detailsOf(
  api: ProviderApi,
  streamTrips: readonly unknown[],
): Promise<ReadonlyMap<string, unknown> | null> {
  const starts = new Map<string, number[]>()
  for (const { id, start } of streamTrips.map(vehicleAndStartOf))
    if (start !== null) starts.set(id, [...(starts.get(id) ?? []), start])
  const details = new Map<string, unknown>()
  const vehicles = [...starts]
  for (let first = 0; first < vehicles.length; first += CONCURRENT_REQUESTS) {
    const batch = vehicles.slice(first, first + CONCURRENT_REQUESTS)
    const lists = await Promise.all(batch.map(([id, times]) => tripsOfOlderList(api, id, times)))
    for (const [index, list] of lists.entries()) {
      if (!list) return null
      for (const entry of list)
        details.set(keyOf({ id: batch[index]?.[0] ?? '', start: startOf(entry) }), entry)
    }
  }
  return details
}

const keyOf = ({ id, start }: { readonly id: string; readonly start: unknown }) => JSON.stringify([id, start])

function vehicleAndStartOf(record: unknown): { readonly id: string; readonly start: number | null } {
  const { data } = streamTrip.safeParse(record)
  return { id: data?.asset.id ?? '', start: data ? toInstant(data.tripStartTime) : null }
}

const startOf = (entry: unknown): unknown => (entry as { startMs?: unknown } | null)?.startMs

/** Maximum length of a request to the older list, a day less than Samsara permits. */
const MAX_DAYS = 89
const olderList = z.looseObject({ trips: z.array(z.unknown()).nullish() })

/**
 * Reads the older list for a vehicle, from the first to the last of these starts, at most 90 days per request. Null
 * if the account lacks the permission.
 */
async function tripsOfOlderList(
  api: ProviderApi,
  vehicleId: string,
  starts: readonly number[],
): Promise<unknown[] | null> {
  const sorted = starts.toSorted((one, other) => one - other)
  const found: unknown[] = []
  for (let startMs = sorted[0]; startMs !== undefined;) {
    const limit = startMs + MAX_DAYS * DAY_MS
    const last = sorted.findLast((start) => start < limit) ?? startMs
    const query = { vehicleId, startMs, endMs: last + 1 }
    try {
      found.push(...(validate(olderList, await api.get('/v1/fleet/trips', query)).trips ?? []))
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'scope_missing') return null
      throw error
    }
    startMs = sorted.find((start) => start > last)
  }
  return found
}
