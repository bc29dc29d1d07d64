import { z } from 'zod'
import type { ProviderApi } from '../../provider-api.ts'
import type { ProviderAdapter } from '../../provider.ts'
import { toHosAvailableTime } from '../mappers/hos.ts'
import { toLatestLocation, toTrailerLocation } from '../mappers/locations.ts'
import { availableTime } from '../schemas/hos.ts'
import * as places from '../schemas/locations.ts'
import { idOf } from './groups.ts'
import { fullListReader } from './paging/pages.ts'
import { isValidLocation } from './valid-locations.ts'
import { unitsIn, unitsOfVehicles } from './units.ts'

export const latest = {
  LatestVehicleLocation: fullListReader(
    '/v3/vehicle_locations',
    'vehicle_location',
    places.latest,
    toLatestLocation,
    withUnits,
  ),
  LatestTrailerLocation: fullListReader(
    '/v1/asset_locations',
    'asset_location',
    places.trailerLocation,
    toTrailerLocation,
    (items) => items.flatMap(placeOf),
  ),
  HOSAvailableTime: fullListReader('/v1/available_time', 'available_time', availableTime, toHosAvailableTime),
} satisfies ProviderAdapter['latest']

const placed = z.looseObject({
  current_location: z.unknown().optional(),
  last_location: z.unknown().optional(),
})

/** Vehicles that are somewhere, each with its units: where they are not told beside the place, they are asked for. */
async function withUnits(items: readonly unknown[], api: ProviderApi): Promise<unknown[]> {
  const vehicles = items.filter((item) => {
    const { data } = placed.safeParse(item)
    return data?.current_location != null && isValidLocation(data.current_location)
  })
  if (vehicles.every((vehicle) => unitsIn(vehicle) !== null))
    return vehicles.map((vehicle) => ({ vehicle, isMetric: unitsIn(vehicle) }))
  const units = await unitsOfVehicles(api)
  return vehicles.map((vehicle) => ({
    vehicle,
    isMetric: unitsIn(vehicle) ?? units.get(idOf(vehicle) ?? '') ?? null,
  }))
}

/** Where an asset is has two names; neither is told of one that never was anywhere. */
function placeOf(item: unknown): unknown[] {
  const { data } = placed.safeParse(item)
  const place = data?.last_location ?? data?.current_location
  return place == null || !isValidLocation(place) ? [] : [{ id: idOf(item), place }]
}
