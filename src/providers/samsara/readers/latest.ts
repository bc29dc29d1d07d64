import { z } from 'zod'
import type { ProviderApi } from '../../provider-api.ts'
import { validate } from '../../mapping/validate.ts'
import { hasValidCoordinates } from '../../mapping/valid-coordinates.ts'
import type { ProviderAdapter, ReaderState, ReadPage } from '../../provider.ts'
import { toHosAvailableTime } from '../mappers/hos.ts'
import { toLatestLocation, toTrailerLocation } from '../mappers/travel.ts'
import * as hos from '../schemas/hos.ts'
import { id } from '../schemas/schema-types.ts'
import * as travel from '../schemas/travel.ts'
import { fullListReader, pageAt } from './pages.ts'

export const latest = {
  LatestVehicleLocation: {
    mode: 'full',
    schema: 'vehicle_stats',
    read: vehicles,
    normalize: (record) => toLatestLocation(validate(travel.latest, record)),
  },
  LatestTrailerLocation: fullListReader(
    '/fleet/trailers/stats',
    'trailer_stats',
    travel.trailerLocation,
    toTrailerLocation,
    { queries: () => [{ types: 'gps' }], isIncluded: isLocated },
  ),
  HOSAvailableTime: fullListReader('/fleet/hos/clocks', 'hos_clocks', hos.clocks, toHosAvailableTime),
} satisfies ProviderAdapter['latest']

/** A request permits at most three types, so each vehicle needs two requests. */
const TYPES = [
  'gps,engineStates,obdOdometerMeters',
  'fuelPercents,obdEngineSeconds,gpsOdometerMeters',
] as const

interface LatestCursor {
  readonly first: string | null
  readonly more: string | null
}

/**
 * Reads a page of both requests and joins them by vehicle. Both lists contain the same vehicles in the same order.
 */
async function vehicles(api: ProviderApi, state: ReaderState): Promise<ReadPage> {
  const cursor = (state as LatestCursor | null) ?? { first: null, more: null }
  const [first, more] = await Promise.all([
    pageAt(api, '/fleet/vehicles/stats', { types: TYPES[0] }, cursor.first),
    pageAt(api, '/fleet/vehicles/stats', { types: TYPES[1] }, cursor.more),
  ])
  const moreById = new Map(more.records.map((record) => [idOf(record), record]))
  const joined = first.records
    .filter(isLocated)
    .map((record) => ({ first: record, more: moreById.get(idOf(record)) ?? null }))
  return {
    records: joined,
    next: first.isLast ? null : { first: first.endCursor, more: more.endCursor },
  }
}

const recordWithId = z.looseObject({ id })

const idOf = (record: unknown): string => recordWithId.safeParse(record).data?.id ?? ''

/**
 * Whether a vehicle or trailer was ever located. The lists include those that were not. An unreadable one passes, so
 * that the mapping rejects it.
 */
function isLocated(record: unknown): boolean {
  const { data } = recordWithId.safeParse(record)
  return !data || (data['gps'] != null && hasValidCoordinates(data['gps']))
}
