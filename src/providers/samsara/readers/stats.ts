import { z } from 'zod'
import { type Clock, toIso } from '../../../domain/time.ts'
import type { ProviderApi } from '../../provider-api.ts'
import type { TimeWindow } from '../../provider.ts'
import { restartIfCursorExpired } from './cursors.ts'
import { readAll, pageAt, readPages } from './pages.ts'

const STATS = '/fleet/vehicles/stats'

/** A feed begins with the newest: what was before is history, which is read between the two. */
export interface StatsCursor {
  readonly feed: string | null
  /** What is still to be read of the time before; null once the feed is. */
  readonly history: { readonly after: string | null; readonly from: string; readonly to: string } | null
  /** The end of the window for which it began. */
  readonly begun?: string
}

/** A reading of one vehicle, with what tells the vehicle. */
export interface StatReading {
  readonly vehicle: { readonly id: string; readonly name?: string | undefined }
  readonly type: string
  readonly reading: unknown
}

interface StatsPage {
  readonly readings: readonly StatReading[]
  readonly place: StatsCursor
  readonly isCaughtUp: boolean
}

/** What is read, and by which clock it becomes later meanwhile. */
interface StatsQuery {
  readonly types: string
  readonly window: TimeWindow
  readonly clock: Clock
}

/** A page of what vehicles told of these types: first of the whole time, then of what has arrived since. */
export async function readStatsPage(
  api: ProviderApi,
  before: StatsCursor | null,
  request: StatsQuery,
): Promise<StatsPage> {
  const { types, window } = request
  const began = () => beginning(api, request)
  if (before === null) return pageOf(api, types, await began())
  return restartIfCursorExpired(pageOf(api, types, before), before.begun !== toIso(window.to), async () =>
    pageOf(api, types, await began()),
  )
}

async function pageOf(api: ProviderApi, types: string, place: StatsCursor): Promise<StatsPage> {
  const { feed, history } = place
  if (history === null) {
    const page = await pageAt(api, `${STATS}/feed`, { types }, feed)
    const readings = statReadingsIn(page.records, types)
    return { readings, place: { ...place, feed: page.endCursor }, isCaughtUp: page.isLast }
  }
  const asked = { types, startTime: history.from, endTime: history.to }
  const page = await pageAt(api, `${STATS}/history`, asked, history.after)
  const rest = page.isLast ? null : { ...history, after: page.endCursor }
  return {
    readings: statReadingsIn(page.records, types),
    place: { ...place, history: rest },
    isCaughtUp: page.isLast,
  }
}

/**
 * The place in the feed is taken before history is read, and history ends after that, however long ago the window did:
 * what arrives meanwhile is in one of them.
 */
async function beginning(
  api: ProviderApi,
  { types, window: { from, to }, clock }: StatsQuery,
): Promise<StatsCursor> {
  let feed: string | null = null
  for await (const page of readPages(api, `${STATS}/feed`, { types })) feed = page.endCursor
  const end = Math.max(to, clock.now())
  return { feed, history: { after: null, from: toIso(from), to: toIso(end) }, begun: toIso(to) }
}

const entry = z.looseObject({ id: z.string(), name: z.string().optional() })
const list = z.array(z.unknown())

export const statReadingsIn = (vehicles: readonly unknown[], types: string): StatReading[] =>
  vehicles.flatMap((vehicle) => {
    const { data } = entry.safeParse(vehicle)
    if (!data) return []
    const { id, name } = data
    return types
      .split(',')
      .flatMap((type) =>
        (list.safeParse(data[type]).data ?? []).map((reading) => ({ vehicle: { id, name }, type, reading })),
      )
  })

/** Vehicles whose engine tells no odometer, so that that of the satellites counts: the two are never mixed. */
export async function vehiclesWithoutOdometer(api: ProviderApi): Promise<string[]> {
  const vehicles = await readAll(api, STATS, { types: 'obdOdometerMeters,gpsOdometerMeters' })
  return vehicles.flatMap((vehicle) => {
    const { data } = entry.safeParse(vehicle)
    return data && data['obdOdometerMeters'] == null ? [data.id] : []
  })
}
