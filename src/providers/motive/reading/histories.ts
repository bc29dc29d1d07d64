import type { z } from 'zod'
import { type Instant, toInstant, toIso } from '../../../time.ts'
import type { ProviderApi } from '../../api.ts'
import type { ReaderState, ReadPage, Roster, Window } from '../../provider.ts'
import type { located } from '../records/places.ts'
import { unlessGone } from '../refusals.ts'
import { dateOf, daysAfter, firstOf } from './dates.ts'
import { everyItem } from './pages.ts'
import { isPossible } from './possible-places.ts'
import { unitsOfVehicles } from './units.ts'

/** Which vehicles are asked for which days, and since when what has arrived there. */
interface Place {
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
const MOST_DAYS = 80
const DAYS_OF_MUCH = 7

/** A page of what vehicles told: of a time first, and then whatever has arrived since. */
export async function locationsPage(
  api: ProviderApi,
  state: ReaderState,
  window: Window,
  roster: Roster,
): Promise<LocatedPage> {
  const place = placeIn(state, window)
  const ids = place.ids ?? (await roster.sourceIdsAfter('vehicle', place.last, atOnce(place)))
  if (ids.length === 0)
    return { records: [], next: { from: place.from, since: place.until }, isCaughtUp: true }
  const date = place.date ?? firstDate(place)
  const end = daysAfter(dateOf(window.to), 1)
  const to = firstOf(daysAfter(date, daysToArrive(place) < DAYS_OF_MUCH ? MOST_DAYS : DAYS_OF_MUCH), end)
  const query = { start_date: date, end_date: to, updated_after: place.since }
  const [units, ...histories] = await Promise.all([
    unitsOfVehicles(api),
    ...ids.map((id) => everyItem(api, `/v3/vehicle_locations/${id}`, query).catch(unlessGone)),
  ])
  const records = ids.flatMap((vehicleId, index) =>
    (histories[index] ?? [])
      .filter((location) => isPossible(location) && isSince(location, place))
      .map((location) => ({ vehicleId, isMetric: units.get(vehicleId) ?? null, location })),
  )
  const isEnd = to >= end
  const next: Place = { ...place, last: ids.at(-1) ?? '', ids: null, date: null }
  return { records, next: { ...(isEnd ? next : { ...place, ids, date: to }) } }
}

function placeIn(state: ReaderState, { from, to }: Window): Place {
  const known = state as Partial<Place> | null
  return {
    from: known?.from ?? toIso(from),
    since: known?.since ?? null,
    until: known?.until ?? toIso(to - OVERLAP_MS),
    last: known?.last ?? '',
    ids: known?.ids ?? null,
    date: known?.date ?? null,
  }
}

const earliest = ({ from, since }: Place): Instant =>
  since === null
    ? Date.parse(from)
    : Math.max(Date.parse(from), Date.parse(since) - LATEST_ARRIVAL_DAYS * DAY_MS)

const firstDate = (place: Place): string => dateOf(earliest(place))

/** In how many days arrived what there is to be read. */
const daysToArrive = ({ from, since, until }: Place): number =>
  (Date.parse(until) - Date.parse(since ?? from)) / DAY_MS

/** Of the ten that may be asked for at once two are left to others. */
const MOST_AT_ONCE = 8
/** A page that takes its time to store, and how much of it a vehicle tells that is on the road. */
const MOST_LOCATIONS = 4_000
const LOCATIONS_OF_A_DAY = 720

/** So many vehicles that their locations are about one page. */
const atOnce = (place: Place): number => {
  const days = Math.max(1 / 24, Math.min(DAYS_OF_MUCH, daysToArrive(place)))
  return Math.max(1, Math.min(MOST_AT_ONCE, Math.floor(MOST_LOCATIONS / (LOCATIONS_OF_A_DAY * days))))
}

/** Days are asked for as a whole. What does not say when is left for the mapping to refuse. */
function isSince(location: unknown, { from }: Place): boolean {
  const time = (location as { located_at?: unknown } | null)?.located_at
  const at = typeof time === 'string' ? toInstant(time) : null
  return at === null || at >= Date.parse(from)
}
