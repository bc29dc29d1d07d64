import type { Point } from '../../../domain/models/point.ts'
import type { MerchantPlace } from '../rules/purchase-facts.ts'

/** Coordinates of a merchant may be those of its shop, so a pump may be this far away. */
const COORDINATES_ACCURACY_METERS = 50

/** Returns the place of a merchant; null if it has no coordinates. */
export const placeOf = ({ coordinates }: { readonly coordinates?: Point | null }): MerchantPlace | null =>
  coordinates
    ? {
        longitude: coordinates.longitude,
        latitude: coordinates.latitude,
        accuracyMeters: COORDINATES_ACCURACY_METERS,
      }
    : null
