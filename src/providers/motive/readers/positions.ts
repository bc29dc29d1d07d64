import { parseParts } from '../../mapping/readable-parts.ts'
import { validate } from '../../mapping/validate.ts'
import type { ProviderAdapter } from '../../provider.ts'
import { toLocation, toStatLog, typesIn } from '../mappers/locations.ts'
import * as schemas from '../schemas/locations.ts'
import { type Located, locationsPage } from './location-history.ts'

/** Both models come from the location history, because a location includes measurements. */
export const positionReaders = {
  VehicleLocation: {
    mode: 'feed',
    needsRoster: true,
    schema: 'vehicle_location',
    read: locationsPage,
    normalize: (record) => toLocation(validate(schemas.located, record)),
  },
  VehicleStatLog: {
    mode: 'feed',
    needsRoster: true,
    schema: 'measurement',
    async read(api, state, window, roster) {
      const page = await locationsPage(api, state, window, roster)
      return { ...page, records: page.records.flatMap(measurementsIn) }
    },
    normalize: (record) => toStatLog(validate(schemas.measured, record)),
  },
} satisfies ProviderAdapter['readers']

/** Returns one record per measurement. An unreadable location gives one record, which the mapping rejects. */
function measurementsIn(record: Located): unknown[] {
  const data = parseParts(schemas.located, record)
  const types = data ? typesIn(data) : ['unreadable']
  return types.map((type) => ({ ...record, type }))
}
