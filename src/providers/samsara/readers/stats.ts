import { z } from 'zod'
import { type Clock, toIso } from '../../../domain/time.ts'
import type { ProviderApi } from '../../provider-api.ts'
import type { TimeWindow } from '../../provider.ts'
import { id } from '../schemas/schema-types.ts'
import { readAll, pageAt, readPages } from './pages.ts'

const STATS = '/fleet/vehicles/stats'

/**
 * Position in the stats. The feed starts with the latest values. Older ones come from the history, which is read
 * before the feed.
 */
export interface StatsCursor {
  readonly feed: string | null
  /** Remaining history; null once all of it is read. */
  readonly history: { readonly after: string | null; readonly from: string; readonly to: string } | null
}

/** Reading with its vehicle. */
export interface StatReading {
  readonly vehicle: { readonly id: string; readonly name?: unknown }
  readonly type: string
  readonly reading: unknown
}

interface StatsPage {
  readonly readings: readonly StatReading[]
  readonly cursor: StatsCursor
  readonly isCaughtUp: boolean
}

/** Types and window to read. The history ends at the current time of `clock`. */
interface StatsQuery {
  readonly types: string
  readonly window: TimeWindow
  readonly clock: Clock
}

/** Reads a page of these types: first the history since the start of the window, then the feed. */
export async function readStatsPage(
  api: ProviderApi,
  cursor: StatsCursor | null,
  request: StatsQuery,
): Promise<StatsPage> {
  return pageOf(api, request.types, cursor ?? (await startCursor(api, request)))
}

async function pageOf(api: ProviderApi, types: string, cursor: StatsCursor): Promise<StatsPage> {
  const { feed, history } = cursor
  if (history === null) {
    const page = await pageAt(api, `${STATS}/feed`, { types }, feed)
    const readings = statReadingsIn(page.records, types)
    return { readings, cursor: { ...cursor, feed: page.endCursor }, isCaughtUp: page.isLast }
  }
  const query = { types, startTime: history.from, endTime: history.to }
  const page = await pageAt(api, `${STATS}/history`, query, history.after)
  const remaining = page.isLast ? null : { ...history, after: page.endCursor }
  return {
    readings: statReadingsIn(page.records, types),
    cursor: { ...cursor, history: remaining },
    isCaughtUp: page.isLast,
  }
}

/**
 * Creates the first cursor. It takes the end of the feed and then ends the history at the current time, even if the
 * window ended long ago. Each value is therefore in the history or after this position of the feed.
 */
async function startCursor(
  api: ProviderApi,
  { types, window: { from, to }, clock }: StatsQuery,
): Promise<StatsCursor> {
  let feed: string | null = null
  for await (const page of readPages(api, `${STATS}/feed`, { types })) feed = page.endCursor
  const end = Math.max(to, clock.now())
  return { feed, history: { after: null, from: toIso(from), to: toIso(end) } }
}

const entry = z.looseObject({ id, name: z.unknown().optional() })
const list = z.array(z.unknown())

export const statReadingsIn = (vehicles: readonly unknown[], types: string): StatReading[] =>
  vehicles.flatMap((vehicle) => {
    const { data } = entry.safeParse(vehicle)
    // The mapping rejects it, so that the sync reports it.
    if (!data) return [{ vehicle: { id: '' }, type: 'unreadable', reading: vehicle }]
    const vehicleOfReading = { id: data.id, name: data.name }
    return types
      .split(',')
      .flatMap((type) =>
        readingsIn(data[type]).map((reading) => ({ vehicle: vehicleOfReading, type, reading })),
      )
  })

/** Readings of a type. A value that is no list is returned itself, so that the mapping rejects it. */
const readingsIn = (value: unknown): readonly unknown[] =>
  value == null ? [] : (list.safeParse(value).data ?? [value])

/**
 * Ids of vehicles without an engine odometer. The GPS odometer is used only for them, because the two odometers of
 * one vehicle must not be mixed.
 */
export async function vehiclesWithoutOdometer(api: ProviderApi): Promise<string[]> {
  const vehicles = await readAll(api, STATS, { types: 'obdOdometerMeters,gpsOdometerMeters' })
  return vehicles.flatMap((vehicle) => {
    const { data } = entry.safeParse(vehicle)
    return data && data['obdOdometerMeters'] == null ? [data.id] : []
  })
}
