import { z } from 'zod'
import { toInstant, toIso } from '../../../domain/time.ts'
import type { ProviderApi } from '../../provider-api.ts'
import { ProviderError } from '../../provider-error.ts'
import { validate } from '../../mapping/validate.ts'
import type { Reader, ReaderState, ReadPage, Roster, TimeWindow } from '../../provider.ts'
import type { NormalizedTrip } from '../../../domain/models/trip.ts'
import { toTrip } from '../mappers/travel.ts'
import { trip } from '../schemas/travel.ts'
import { restartIfCursorExpired } from './cursors.ts'
import { pageAt } from './pages.ts'

const DAY_MS = 86_400_000

/** Completed trips in order of change. */
export const trips: Reader<NormalizedTrip> = {
  mode: 'feed',
  needsRoster: true,
  schema: 'trip',
  read,
  normalize: (record) => toTrip(validate(trip, record)),
}

/** Position of the feed: the vehicles and change time of the requests. */
interface TripsCursor {
  readonly since: string
  /** Start of the change time of the next sync. */
  readonly until: string
  /** Last vehicle that was read. */
  readonly last: string
  readonly ids: readonly string[] | null
  readonly after: string | null
  /** End of the window for which the cursor was created. */
  readonly begun: string
  /** Change time since which details are missing for lack of permission; null if they are complete. */
  readonly bareSince: string | null
}

/** Overlap with the previous sync, because clocks differ. */
const OVERLAP_MS = 10 * 60_000

async function read(
  api: ProviderApi,
  state: ReaderState,
  window: TimeWindow,
  roster: Roster,
): Promise<ReadPage> {
  const cursor = await restartIfDetailsPermitted(api, cursorIn(state, window), window, roster)
  const ids = cursor.ids ?? (await roster.sourceIdsAfter('vehicle', cursor.last, vehiclesPerPage(cursor)))
  if (ids.length === 0) {
    const next = { since: cursor.until, bareSince: cursor.bareSince }
    return { records: [], next, isCaughtUp: true, ...missingFieldsOf(cursor) }
  }
  const query = { ids: ids.join(','), startTime: cursor.since, completionStatus: 'completed' }
  const pageAfter = (after: string | null) => pageAt(api, '/trips/stream', query, after)
  const until = toIso(window.to)
  const page = await restartIfCursorExpired(pageAfter(cursor.after), cursor.begun !== until, () =>
    pageAfter(null),
  )
  const ended = page.records.filter(
    (one) => streamTrip.safeParse(one).data?.completionStatus !== 'inProgress',
  )
  const details = cursor.bareSince === null ? await detailsOf(api, ended) : null
  const read = { ...cursor, begun: until, bareSince: details ? null : (cursor.bareSince ?? cursor.since) }
  const next: TripsCursor = page.isLast
    ? { ...read, last: ids.at(-1) ?? '', ids: null, after: null }
    : { ...read, ids, after: page.endCursor }
  const records = ended.map((one) => ({
    trip: one,
    details: details?.get(keyOf(vehicleAndStartOf(one))) ?? null,
  }))
  return { records, next: { ...next }, ...missingFieldsOf(next) }
}

/** Restarts at the trips without details once the account may read the older list. */
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
    last: known?.last ?? '',
    ids: known?.ids ?? null,
    after: known?.after ?? null,
    begun: known?.begun ?? '',
    bareSince: known?.bareSince ?? null,
  }
}

const MAX_IDS = 50
/** Trips of a page, and trips of a busy vehicle per day. */
const TRIPS_PER_PAGE = 512
const TRIPS_PER_DAY = 4

/**
 * Number of vehicles whose trips fill about one page. Each page costs a request to the older list per
 * vehicle.
 */
function vehiclesPerPage({ since, until }: TripsCursor): number {
  const days = Math.max(1, (Date.parse(until) - Date.parse(since)) / DAY_MS)
  return Math.max(1, Math.min(MAX_IDS, Math.floor(TRIPS_PER_PAGE / (TRIPS_PER_DAY * days))))
}

const streamTrip = z.looseObject({
  asset: z.looseObject({ id: z.string() }),
  tripStartTime: z.string(),
  completionStatus: z.string().optional(),
})

/** Concurrent requests to the older list, which is per vehicle. */
const CONCURRENT_REQUESTS = 5

/** Details of each trip from the older list; null if the account may not read it. */
async function detailsOf(
  api: ProviderApi,
  trips: readonly unknown[],
): Promise<ReadonlyMap<string, unknown> | null> {
  const starts = new Map<string, number[]>()
  for (const { id, start } of trips.map(vehicleAndStartOf))
    if (start !== null) starts.set(id, [...(starts.get(id) ?? []), start])
  const details = new Map<string, unknown>()
  const vehicles = [...starts]
  for (let at = 0; at < vehicles.length; at += CONCURRENT_REQUESTS) {
    const some = vehicles.slice(at, at + CONCURRENT_REQUESTS)
    const lists = await Promise.all(some.map(([id, times]) => tripsOfOlderList(api, id, times)))
    for (const [index, list] of lists.entries()) {
      if (!list) return null
      for (const one of list) details.set(keyOf({ id: some[index]?.[0] ?? '', start: startOf(one) }), one)
    }
  }
  return details
}

const keyOf = ({ id, start }: { readonly id: string; readonly start: unknown }) => JSON.stringify([id, start])

function vehicleAndStartOf(one: unknown): { readonly id: string; readonly start: number | null } {
  const { data } = streamTrip.safeParse(one)
  return { id: data?.asset.id ?? '', start: data ? toInstant(data.tripStartTime) : null }
}

const startOf = (one: unknown): unknown => (one as { startMs?: unknown } | null)?.startMs

const MAX_DAYS = 89
const older = z.looseObject({ trips: z.array(z.unknown()).nullish() })

/**
 * Reads the older list, which covers one vehicle and at most 90 days. Null if the account may not read it.
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
      found.push(...(validate(older, await api.get('/v1/fleet/trips', query)).trips ?? []))
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'scope_missing') return null
      throw error
    }
    startMs = sorted.find((start) => start > last)
  }
  return found
}
