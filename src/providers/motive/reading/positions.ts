import { checked } from '../../checked.ts'
import type { ProviderAdapter } from '../../provider.ts'
import { toLocation, toStatLog, typesIn } from '../drafts/places.ts'
import * as places from '../records/places.ts'
import { type Located, locationsPage } from './histories.ts'

/** Both are read of the same histories: each location has what was measured there. */
export const positions = {
  VehicleLocation: {
    mode: 'feed',
    needsRoster: true,
    schema: 'vehicle_location',
    read: locationsPage,
    toDraft: (record) => toLocation(checked(places.located, record)),
  },
  VehicleStatLog: {
    mode: 'feed',
    needsRoster: true,
    schema: 'measurement',
    async read(api, state, window, roster) {
      const page = await locationsPage(api, state, window, roster)
      return { ...page, records: page.records.flatMap(measurementsIn) }
    },
    toDraft: (record) => toStatLog(checked(places.measured, record)),
  },
} satisfies ProviderAdapter['readers']

/** One for each measurement of a location. What cannot be read has one, for the mapping to refuse. */
function measurementsIn(record: Located): unknown[] {
  const { data } = places.located.safeParse(record)
  const types = data ? typesIn(data) : ['unreadable']
  return types.map((type) => ({ ...record, type }))
}
