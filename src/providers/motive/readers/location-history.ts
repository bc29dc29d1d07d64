import type { z } from 'zod'
import { type Instant, toInstant, toIso } from '../../../domain/time.ts'
import type { ProviderApi } from '../../provider-api.ts'
import type { ReaderState, ReadPage, Roster, TimeWindow } from '../../provider.ts'
import type { located } from '../schemas/locations.ts'
import { ignoreNotFound } from '../error-mapping.ts'
import { dateOf, daysAfter, firstOf } from './paging/dates.ts'
import { readAllItems } from './paging/pages.ts'
import { isValidLocation } from './valid-locations.ts'
import { unitsOfVehicles } from './units.ts'

/** Which vehicles are asked for which days, and since when what has arrived there. */
interface HistoryCursor {
  /** Nothing that was before it is read. */
  readonly from: string
  /** Null the first time. */
  readonly since: string | null
  /** From when on the next sync asks. */
  readonly until: string
  /** The last vehicle that was asked for. */
  readonly last: string
  readonly ids: readonly string[] | null
  /** The first of the days that are asked for. */
  readonly date: string | null
  /** How many locations a vehicle tells in a day, by those that were read last. */
  readonly perDay: number
}

/** A location of a vehicle, before anything of it was looked at. */
export type Located = Omit<z.input<typeof located>, 'location'> & { readonly location: unknown }

interface LocatedPage extends Pick<ReadPage, 'next' | 'isCaughtUp'> {
  readonly records: readonly Located[]
}

const DAY_MS = 86_400_000
/** A sync asks again for the last minutes of the one before: clocks differ. */
const OVERLAP_MS = 10 * 60_000
/** Whatever happened so long before and arrives now is still read. */
const LATEST_ARRIVAL_DAYS = 30
/** Three months at once are the most. */
const MAX_DAYS = 80
/** Of less time than this all that has arrived is read at once. */
const DAYS_OF_MUCH = 7

/** A page of what vehicles told: of a time first, and then whatever has arrived since. */
export async function locationsPage(
  api: ProviderApi,
  state: ReaderState,
  window: TimeWindow,
  roster: Roster,
): Promise<LocatedPage> {
  const place = cursorIn(state, window)
  const ids = place.ids ?? (await roster.sourceIdsAfter('vehicle', place.last, atOnce(place)))
  if (ids.length === 0)
    return { records: [], next: { from: place.from, since: place.until }, isCaughtUp: true }
  const date = place.date ?? firstDate(place)
  const end = daysAfter(dateOf(window.to), 1)
  const to = firstOf(daysAfter(date, daysAtOnce(place, ids.length)), end)
  const query = { start_date: date, end_date: to, updated_after: place.since }
  const [units, ...histories] = await Promise.all([
    unitsOfVehicles(api),
    ...ids.map((id) => readAllItems(api, `/v3/vehicle_locations/${id}`, query).catch(ignoreNotFound)),
  ])
  const records = ids.flatMap((vehicleId, index) =>
    (histories[index] ?? [])
      .filter((location) => isValidLocation(location) && isSince(location, place))
      .map((location) => ({ vehicleId, isMetric: units.get(vehicleId) ?? null, location })),
  )
  const read = { ...place, perDay: perDayAfter(place, records.length / (ids.length * daysFrom(date, to))) }
  const next: HistoryCursor =
    to < end ? { ...read, ids, date: to } : { ...read, last: ids.at(-1) ?? '', ids: null, date: null }
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
    perDay: known?.perDay ?? MAX_OF_A_DAY,
  }
}

const earliest = ({ from, since }: HistoryCursor): Instant =>
  since === null
    ? Date.parse(from)
    : Math.max(Date.parse(from), Date.parse(since) - LATEST_ARRIVAL_DAYS * DAY_MS)

const firstDate = (place: HistoryCursor): string => dateOf(earliest(place))

/** In how many days arrived what there is to be read. */
const daysToArrive = ({ from, since, until }: HistoryCursor): number =>
  (Date.parse(until) - Date.parse(since ?? from)) / DAY_MS

/** Of the ten that may be asked for at once two are left to others. */
const MAX_AT_ONCE = 8
/** A page that takes its time to store. */
const MAX_LOCATIONS = 4_000
/** What a vehicle tells that is on the road all day, and what is expected of one at the least. */
const MAX_OF_A_DAY = 720
const MIN_OF_A_DAY = 90

const clamped = (least: number, value: number, most: number) => Math.max(least, Math.min(value, most))

/** So many vehicles that their locations are about one page. */
const atOnce = (place: HistoryCursor): number =>
  clamped(1, Math.floor(MAX_LOCATIONS / (place.perDay * Math.max(1 / 24, daysToArrive(place)))), MAX_AT_ONCE)

/** The same of their days. */
const daysAtOnce = (place: HistoryCursor, vehicles: number): number =>
  daysToArrive(place) < DAYS_OF_MUCH
    ? MAX_DAYS
    : clamped(DAYS_OF_MUCH, Math.floor(MAX_LOCATIONS / (place.perDay * vehicles)), MAX_DAYS)

/** What is expected of the next ones, now that these told so much. */
const perDayAfter = (place: HistoryCursor, told: number): number =>
  daysToArrive(place) < DAYS_OF_MUCH
    ? place.perDay
    : clamped(MIN_OF_A_DAY, (place.perDay + told) / 2, MAX_OF_A_DAY)

/** Days are asked for as a whole. What does not say when is left for the mapping to refuse. */
function isSince(location: unknown, { from }: HistoryCursor): boolean {
  const time = (location as { located_at?: unknown } | null)?.located_at
  const at = typeof time === 'string' ? toInstant(time) : null
  return at === null || at >= Date.parse(from)
}
