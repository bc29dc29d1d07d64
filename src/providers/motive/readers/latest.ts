import { z } from 'zod'
import type { ProviderApi } from '../../provider-api.ts'
import type { ProviderAdapter } from '../../provider.ts'
import { toHosAvailableTime } from '../mappers/hos.ts'
import { toLatestLocation, toTrailerLocation } from '../mappers/locations.ts'
import { availableTime } from '../schemas/hos.ts'
import * as schemas from '../schemas/locations.ts'
import { idOf } from './groups.ts'
import { fullListReader } from './paging/pages.ts'
import { isValidLocation } from './valid-locations.ts'
import { unitsIn, unitsOfVehicles } from './units.ts'

export const latest = {
  LatestVehicleLocation: fullListReader(
    '/v3/vehicle_locations',
    'vehicle_location',
    schemas.latest,
    toLatestLocation,
    withUnits,
  ),
  LatestTrailerLocation: fullListReader(
    '/v1/asset_locations',
    'asset_location',
    schemas.trailerLocation,
    toTrailerLocation,
    (items) => items.flatMap(placeOf),
  ),
  HOSAvailableTime: fullListReader('/v1/available_time', 'available_time', availableTime, toHosAvailableTime),
} satisfies ProviderAdapter['latest']

const recordWithLocation = z.looseObject({
  current_location: z.unknown().optional(),
  last_location: z.unknown().optional(),
})

/**
 * Returns the vehicles with a location, each with its units. If the response lacks units, they are read from the
 * vehicle list. An unreadable item passes, so that the mapping rejects it.
 */
async function withUnits(items: readonly unknown[], api: ProviderApi): Promise<unknown[]> {
  const vehicles = items.filter((item) => {
    const { data } = recordWithLocation.safeParse(item)
    if (!data || idOf(item) === null) return true
    return data.current_location != null && isValidLocation(data.current_location)
  })
  if (vehicles.every((vehicle) => unitsIn(vehicle) !== null))
    return vehicles.map((vehicle) => ({ vehicle, isMetric: unitsIn(vehicle) }))
  const units = await unitsOfVehicles(api)
  return vehicles.map((vehicle) => ({
    vehicle,
    isMetric: unitsIn(vehicle) ?? units.get(idOf(vehicle) ?? '') ?? null,
  }))
}

/** Location of an asset, under one of two names. An asset that was never located has neither. */
function placeOf(item: unknown): unknown[] {
  const { data } = recordWithLocation.safeParse(item)
  if (!data || idOf(item) === null) return [item]
  const place = data.last_location ?? data.current_location
  return place == null || !isValidLocation(place) ? [] : [{ id: idOf(item), place }]
}
