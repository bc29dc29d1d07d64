import { z } from 'zod'
import type { ProviderApi } from '../../provider-api.ts'
import { validate } from '../../mapping/validate.ts'
import { hasValidCoordinates } from '../../mapping/valid-coordinates.ts'
import type { ProviderAdapter, ReaderState, ReadPage } from '../../provider.ts'
import { toHosAvailableTime } from '../mappers/hos.ts'
import { toLatestLocation, toTrailerLocation } from '../mappers/travel.ts'
import * as hos from '../schemas/hos.ts'
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
    { queries: () => [{ types: 'gps' }], isRead: isLocated },
  ),
  HOSAvailableTime: fullListReader('/fleet/hos/clocks', 'hos_clocks', hos.clocks, toHosAvailableTime),
} satisfies ProviderAdapter['latest']

/** Three types is the most that one request may ask for. */
const TYPES = [
  'gps,engineStates,obdOdometerMeters',
  'fuelPercents,obdEngineSeconds,gpsOdometerMeters',
] as const

interface LatestCursor {
  readonly first: string | null
  readonly more: string | null
}

/** Both halves of what is told of each vehicle, page by page: the lists are of the same vehicles in one order. */
async function vehicles(api: ProviderApi, state: ReaderState): Promise<ReadPage> {
  const place = (state as LatestCursor | null) ?? { first: null, more: null }
  const [first, more] = await Promise.all([
    pageAt(api, '/fleet/vehicles/stats', { types: TYPES[0] }, place.first),
    pageAt(api, '/fleet/vehicles/stats', { types: TYPES[1] }, place.more),
  ])
  const halves = new Map(more.records.map((half) => [idOf(half), half]))
  const joined = first.records
    .filter(isLocated)
    .map((half) => ({ first: half, more: halves.get(idOf(half)) ?? null }))
  return {
    records: joined,
    next: first.isLast ? null : { first: first.endCursor, more: more.endCursor },
  }
}

const withId = z.looseObject({ id: z.string() })

const idOf = (record: unknown): string => withId.safeParse(record).data?.id ?? ''

/** A vehicle that never said where it is is listed too. */
function isLocated(record: unknown): boolean {
  const { data } = withId.safeParse(record)
  return data?.['gps'] != null && hasValidCoordinates(data['gps'])
}
