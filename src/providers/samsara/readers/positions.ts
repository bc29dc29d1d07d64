import type { Clock } from '../../../domain/time.ts'
import type { ProviderApi } from '../../provider-api.ts'
import { validate } from '../../mapping/validate.ts'
import { hasValidCoordinates } from '../../mapping/valid-coordinates.ts'
import type { ProviderAdapter, ReaderState, ReadPage, TimeWindow } from '../../provider.ts'
import { toStatLog } from '../mappers/engine.ts'
import { toLocation } from '../mappers/travel.ts'
import { stat } from '../schemas/engine.ts'
import { location } from '../schemas/travel.ts'
import { type StatsCursor, type StatReading, readStatsPage, vehiclesWithoutOdometer } from './stats.ts'

export const positionReadersBy = (clock: Clock) =>
  ({
    VehicleLocation: {
      mode: 'feed',
      schema: 'gps',
      async read(api, state, window) {
        const query = { types: 'gps', window, clock }
        const { readings, cursor, isCaughtUp } = await readStatsPage(api, state as StatsCursor | null, query)
        const records = readings
          .filter(({ reading }) => hasValidCoordinates(reading))
          .map(({ vehicle, reading }) => ({ vehicle, gps: reading }))
        return { records, next: { ...cursor }, isCaughtUp }
      },
      normalize: (record) => toLocation(validate(location, record)),
    },
    VehicleStatLog: {
      mode: 'feed',
      schema: 'stat',
      read: (api, state, window) => measurements(api, state, window, clock),
      normalize: (record) => toStatLog(validate(stat, record)),
    },
  }) satisfies ProviderAdapter['readers']

/** Types of each feed. A feed permits at most three types, so the odometers have a second feed. */
const FEEDS = ['engineStates,fuelPercents,obdEngineSeconds', 'obdOdometerMeters,gpsOdometerMeters'] as const

interface StatsCursors {
  /** Index of the current feed. */
  readonly at: number
  /** Position in each feed. */
  readonly places: readonly (StatsCursor | null)[]
  /** Ids of the vehicles whose GPS odometer is used. */
  readonly byGps?: readonly string[]
}

/** Reads a page of the current feed. The feeds are read one after the other; the sync ends after the second. */
async function measurements(
  api: ProviderApi,
  state: ReaderState,
  window: TimeWindow,
  clock: Clock,
): Promise<ReadPage> {
  const cursors: StatsCursors = (state as StatsCursors | null) ?? { at: 0, places: [null, null] }
  const { at: feed, places: feedCursors } = cursors
  const isOdometerFeed = feed === 1
  const byGps = cursors.byGps ?? (isOdometerFeed ? await vehiclesWithoutOdometer(api) : [])
  const query = { types: FEEDS[feed] ?? FEEDS[0], window, clock }
  const page = await readStatsPage(api, feedCursors[feed] ?? null, query)
  const newFeedCursors = feedCursors.map((old, index) => (index === feed ? page.cursor : old))
  const next: StatsCursors = page.isCaughtUp
    ? { at: isOdometerFeed ? 0 : 1, places: newFeedCursors }
    : { at: feed, places: newFeedCursors, ...(isOdometerFeed ? { byGps } : {}) }
  return {
    records: page.readings.filter(odometerFilter(byGps)),
    next: { ...next },
    isCaughtUp: page.isCaughtUp && isOdometerFeed,
  }
}

function odometerFilter(byGps: readonly string[]) {
  const ids = new Set(byGps)
  return ({ type, vehicle }: StatReading): boolean => type !== 'gpsOdometerMeters' || ids.has(vehicle.id)
}
