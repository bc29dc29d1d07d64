import { dateAfter } from '../../../domain/calendar.ts'
import type { z } from 'zod'
import { type Instant, toInstant, toIso } from '../../../domain/time.ts'
import type { ProviderApi } from '../../provider-api.ts'
import type { ReaderState, ReadPage, Roster, TimeWindow } from '../../provider.ts'
import type { located } from '../schemas/locations.ts'
import { ignoreNotFound } from '../error-mapping.ts'
import { dateOf, earlierOf } from './paging/dates.ts'
import { readAllItems } from './paging/pages.ts'
import { isValidLocation } from './valid-locations.ts'
import { unitsOfVehicles } from './units.ts'

/** Position of the feed: the vehicles, days and arrival time of the next requests. */
interface HistoryCursor {
  /** Earlier locations are ignored. */
  readonly from: string
  /** Time since which this sync reads locations that arrived at Motive; null in the first sync. */
  readonly since: string | null
  /** Time since which the next sync reads them. */
  readonly until: string
  /** Last vehicle that was read. */
  readonly last: string
  /** Vehicles of the current request; null before the first request for the next vehicles. */
  readonly ids: readonly string[] | null
  /** First day of the next request; null if the vehicles have not been read yet. */
  readonly date: string | null
  /** Estimated number of locations per vehicle and day. */
  readonly perDay: number
}

/** Location of a vehicle, not validated. */
export type Located = Omit<z.input<typeof located>, 'location'> & { readonly location: unknown }

interface LocatedPage extends Pick<ReadPage, 'next' | 'isCaughtUp'> {
  readonly records: readonly Located[]
}

const DAY_MS = 86_400_000
/** Overlap with the previous sync, because our clock and Motive's may differ. */
const OVERLAP_MS = 10 * 60_000
/** Maximum delay between a location and its arrival at Motive. */
const LATEST_ARRIVAL_DAYS = 30
/** Motive permits at most three months per request. */
const MAX_DAYS = 80
/** If the new locations arrived in less than this time, one request per vehicle reads all of them. */
const INCREMENTAL_DAYS = 7

/**
 * Reads a page of vehicle locations: in the first sync those of the window, later those that have
 * arrived since the previous sync.
 */
export async function locationsPage(
  api: ProviderApi,
  state: ReaderState,
  window: TimeWindow,
  roster: Roster,
): Promise<LocatedPage> {
  const cursor = cursorIn(state, window)
  const ids = cursor.ids ?? (await roster.sourceIdsAfter('vehicle', cursor.last, vehiclesPerPage(cursor)))
  if (ids.length === 0)
    return { records: [], next: { from: cursor.from, since: cursor.until }, isCaughtUp: true }
  const date = cursor.date ?? firstDate(cursor)
  const end = dateAfter(dateOf(window.to), 1)
  const to = earlierOf(dateAfter(date, daysPerPage(cursor, ids.length)), end)
  const query = { start_date: date, end_date: to, updated_after: cursor.since }
  const [units, ...histories] = await Promise.all([
    unitsOfVehicles(api),
    ...ids.map((id) => readAllItems(api, `/v3/vehicle_locations/${id}`, query).catch(ignoreNotFound)),
  ])
  const records = ids.flatMap((vehicleId, index) =>
    (histories[index] ?? [])
      .filter((location) => isValidLocation(location) && isSince(location, cursor))
      .map((location) => ({ vehicleId, isMetric: units.get(vehicleId) ?? null, location })),
  )
  const progress = {
    ...cursor,
    perDay: perDayAfter(cursor, records.length / (ids.length * daysFrom(date, to))),
  }
  const next: HistoryCursor =
    to < end ? { ...progress, ids, date: to } : { ...progress, last: ids.at(-1) ?? '', ids: null, date: null }
  return { records, next: { ...next } }
}

const daysFrom = (date: string, to: string): number => (Date.parse(to) - Date.parse(date)) / DAY_MS

function cursorIn(state: ReaderState, { from, to }: TimeWindow): HistoryCursor {
  const known = state as Partial<HistoryCursor> | null
  return {
    from: known?.from ?? toIso(from),
    since: known?.since ?? null,
    until: known?.until ?? toIso(to - OVERLAP_MS),
    last: known?.last ?? '',
    ids: known?.ids ?? null,
    date: known?.date ?? null,
    perDay: known?.perDay ?? MAX_PER_DAY,
  }
}

const earliestTime = ({ from, since }: HistoryCursor): Instant =>
  since === null
    ? Date.parse(from)
    : Math.max(Date.parse(from), Date.parse(since) - LATEST_ARRIVAL_DAYS * DAY_MS)

const firstDate = (cursor: HistoryCursor): string => dateOf(earliestTime(cursor))

/** Length, in days, of the period in which the requested locations arrived. */
const daysToArrive = ({ from, since, until }: HistoryCursor): number =>
  (Date.parse(until) - Date.parse(since ?? from)) / DAY_MS

/** Maximum number of vehicles per page. Each needs a request, and two of Motive's ten concurrent ones stay free. */
const MAX_AT_ONCE = 8
/** Number of locations that a page should have at most, so that storing it does not take too long. */
const MAX_LOCATIONS = 4_000
/** Locations per day of a vehicle that drives all day. */
const MAX_PER_DAY = 720
/** Lowest estimate of the locations per day. */
const MIN_PER_DAY = 90

const clamped = (min: number, value: number, max: number) => Math.max(min, Math.min(value, max))

/** Number of vehicles whose locations fill about one page. */
const vehiclesPerPage = (cursor: HistoryCursor): number =>
  clamped(
    1,
    Math.floor(MAX_LOCATIONS / (cursor.perDay * Math.max(1 / 24, daysToArrive(cursor)))),
    MAX_AT_ONCE,
  )

/** Number of days whose locations fill about one page. */
const daysPerPage = (cursor: HistoryCursor, vehicles: number): number =>
  daysToArrive(cursor) < INCREMENTAL_DAYS
    ? MAX_DAYS
    : clamped(INCREMENTAL_DAYS, Math.floor(MAX_LOCATIONS / (cursor.perDay * vehicles)), MAX_DAYS)

/** Moves the estimate towards the actual number of locations, unless these are the locations of a few days only. */
const perDayAfter = (cursor: HistoryCursor, actual: number): number =>
  daysToArrive(cursor) < INCREMENTAL_DAYS
    ? cursor.perDay
    : clamped(MIN_PER_DAY, (cursor.perDay + actual) / 2, MAX_PER_DAY)

/**
 * Whether a location is not before `from`, because requests cover whole days. A location without a valid time passes,
 * so that the mapping rejects it and the sync reports it.
 */
function isSince(location: unknown, { from }: HistoryCursor): boolean {
  const time = (location as { located_at?: unknown } | null)?.located_at
  const at = typeof time === 'string' ? toInstant(time) : null
  return at === null || at >= Date.parse(from)
}
