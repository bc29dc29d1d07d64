import { kilometersBetween } from '../../../domain/geo/geodesy.ts'
import type { Point } from '../../../domain/models/point.ts'
import { litersOf } from '../evidence/liters-of.ts'
import { placeOf } from '../evidence/merchant-place.ts'
import { MerchantPlaceSource } from '../evidence/merchant-place-source.ts'
import type { PurchaseCheck } from '../purchase-check.ts'
import type { Fill } from '../rules/fill.ts'
import { FILL_MS } from '../rules/fuel-levels.ts'
import type { Sighting } from './sightings.ts'

/** A smaller rise may be an error of the sensor. */
const MIN_RISE_PERCENT = 10
/** The area of an address may be larger by so much. */
const AREA_MARGIN_METERS = 2000

/** What the reconciliation of a capture found. */
interface Confirmation {
  readonly fill: Fill | null
  /** Where the vehicle stood at the time of the capture. */
  readonly stoodAt: Point | null
}

/**
 * Returns where a vehicle stood while a purchase filled its tank; null if that is not certain. The level must have risen
 * then, by the fuel of no other purchase.
 */
export async function sightingOf(
  check: Pick<PurchaseCheck, 'vehicleId' | 'purchasedAt' | 'merchant' | 'amount' | 'fuel' | 'evidence'>,
  { fill, stoodAt }: Confirmation,
): Promise<Sighting | null> {
  const { vehicleId, purchasedAt, merchant, evidence } = check
  const { rise = null, isComplete = false, liters = null } = fill ?? {}
  if (!stoodAt || !rise || !isComplete || liters !== litersOf(check)) return null
  const isThen = rise.from <= purchasedAt + FILL_MS && rise.to >= purchasedAt
  const isKnown =
    evidence.merchantPlaceSource === MerchantPlaceSource.SITE ||
    evidence.merchantPlaceSource === MerchantPlaceSource.COORDINATES
  if (!isThen || rise.percent < MIN_RISE_PERCENT || isKnown) return null
  const area = await placeOf({ address: merchant.address ?? null })
  const isFarFromAddress =
    area !== null && kilometersBetween(stoodAt, area) * 1000 > area.accuracyMeters + AREA_MARGIN_METERS
  return { ...stoodAt, vehicleId, seenAt: purchasedAt, isFarFromAddress }
}
