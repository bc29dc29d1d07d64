import type { ProviderApi } from '../../api.ts'
import { checked } from '../../checked.ts'
import type { ProviderAdapter, ReaderState, ReadPage, Window } from '../../provider.ts'
import { toStatLog } from '../drafts/engine.ts'
import { toLocation } from '../drafts/travel.ts'
import { stat } from '../records/engine.ts'
import { location } from '../records/travel.ts'
import { isPlace } from './places.ts'
import { type Place, type Reading, statsPage, withoutTrueOdometer } from './stats.ts'

export const positions = {
  VehicleLocation: {
    mode: 'feed',
    schema: 'gps',
    async read(api, state, window) {
      const { readings, place, isCaughtUp } = await statsPage(api, 'gps', state as Place | null, window)
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
    read: measurements,
    toDraft: (record) => toStatLog(checked(stat, record)),
  },
} satisfies ProviderAdapter['readers']

/** One feed has at most three types. The second is that of odometers. */
const FEEDS = ['engineStates,fuelPercents,obdEngineSeconds', 'obdOdometerMeters,gpsOdometerMeters'] as const

interface Places {
  readonly at: number
  readonly places: readonly (Place | null)[]
  readonly byGps?: readonly string[]
}

/** One feed after the other; where both have come to, the next sync goes on. */
async function measurements(api: ProviderApi, state: ReaderState, window: Window): Promise<ReadPage> {
  const { at, places, byGps: known } = (state as Places | null) ?? { at: 0, places: [null, null] }
  const isOfOdometers = at === 1
  const byGps = known ?? (isOfOdometers ? await withoutTrueOdometer(api) : [])
  const page = await statsPage(api, FEEDS[at] ?? FEEDS[0], places[at] ?? null, window)
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
