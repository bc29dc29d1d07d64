import type { Clock } from '../../../time.ts'
import type { ProviderApi } from '../../api.ts'
import { checked } from '../../checked.ts'
import { isPlace } from '../../places.ts'
import type { ProviderAdapter, ReaderState, ReadPage, Window } from '../../provider.ts'
import { toStatLog } from '../drafts/engine.ts'
import { toLocation } from '../drafts/travel.ts'
import { stat } from '../records/engine.ts'
import { location } from '../records/travel.ts'
import { type Place, type Reading, statsPage, withoutTrueOdometer } from './stats.ts'

export const positionsBy = (clock: Clock) =>
  ({
    VehicleLocation: {
      mode: 'feed',
      schema: 'gps',
      async read(api, state, window) {
        const asked = { types: 'gps', window, clock }
        const { readings, place, isCaughtUp } = await statsPage(api, state as Place | null, asked)
        const records = readings
          .filter(({ reading }) => isPlace(reading))
          .map(({ vehicle, reading }) => ({ vehicle, gps: reading }))
        return { records, next: { ...place }, isCaughtUp }
      },
      toDraft: (record) => toLocation(checked(location, record)),
    },
    VehicleStatLog: {
      mode: 'feed',
      schema: 'stat',
      read: (api, state, window) => measurements(api, state, window, clock),
      toDraft: (record) => toStatLog(checked(stat, record)),
    },
  }) satisfies ProviderAdapter['readers']

/** One feed has at most three types. The second is that of odometers. */
const FEEDS = ['engineStates,fuelPercents,obdEngineSeconds', 'obdOdometerMeters,gpsOdometerMeters'] as const

interface Places {
  readonly at: number
  readonly places: readonly (Place | null)[]
  readonly byGps?: readonly string[]
}

/** One feed after the other; where both have come to, the next sync goes on. */
async function measurements(
  api: ProviderApi,
  state: ReaderState,
  window: Window,
  clock: Clock,
): Promise<ReadPage> {
  const { at, places, byGps: known } = (state as Places | null) ?? { at: 0, places: [null, null] }
  const isOfOdometers = at === 1
  const byGps = known ?? (isOfOdometers ? await withoutTrueOdometer(api) : [])
  const page = await statsPage(api, places[at] ?? null, { types: FEEDS[at] ?? FEEDS[0], window, clock })
  const reached = places.map((place, index) => (index === at ? page.place : place))
  const next: Places = page.isCaughtUp
    ? { at: isOfOdometers ? 0 : 1, places: reached }
    : { at, places: reached, ...(isOfOdometers ? { byGps } : {}) }
  return {
    records: page.readings.filter(countingOnly(byGps)),
    next: { ...next },
    isCaughtUp: page.isCaughtUp && isOfOdometers,
  }
}

function countingOnly(byGps: readonly string[]) {
  const ids = new Set(byGps)
  return ({ type, vehicle }: Reading): boolean => type !== 'gpsOdometerMeters' || ids.has(vehicle.id)
}
