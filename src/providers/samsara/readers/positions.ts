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

/** A feed permits at most three types. The second feed has the odometers. */
const FEEDS = ['engineStates,fuelPercents,obdEngineSeconds', 'obdOdometerMeters,gpsOdometerMeters'] as const

interface StatsCursors {
  readonly at: number
  readonly places: readonly (StatsCursor | null)[]
  readonly byGps?: readonly string[]
}

/** Reads one feed after the other. Once both are caught up, the sync ends. */
async function measurements(
  api: ProviderApi,
  state: ReaderState,
  window: TimeWindow,
  clock: Clock,
): Promise<ReadPage> {
  const { at, places, byGps: known } = (state as StatsCursors | null) ?? { at: 0, places: [null, null] }
  const isOdometerFeed = at === 1
  const byGps = known ?? (isOdometerFeed ? await vehiclesWithoutOdometer(api) : [])
  const page = await readStatsPage(api, places[at] ?? null, { types: FEEDS[at] ?? FEEDS[0], window, clock })
  const reached = places.map((place, index) => (index === at ? page.cursor : place))
  const next: StatsCursors = page.isCaughtUp
    ? { at: isOdometerFeed ? 0 : 1, places: reached }
    : { at, places: reached, ...(isOdometerFeed ? { byGps } : {}) }
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
