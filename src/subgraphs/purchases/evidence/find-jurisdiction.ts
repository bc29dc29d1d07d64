import { loadJurisdictionLookup } from '../../../domain/jurisdictions/jurisdiction-lookup.ts'
import type { Merchant } from '../merchant.ts'
import type { JurisdictionFacts, PositionFacts, Purchase } from '../rules/purchase-facts.ts'
import { jurisdictionOfAddress, loadPlaceTable } from './merchant-place.ts'
import { MerchantPlaceSource } from './merchant-place-source.ts'

/** Loads the tables of places and borders, so that the first check does not wait for them. */
export const loadPlaces = (): Promise<unknown> => Promise.all([loadPlaceTable(), loadJurisdictionLookup()])

/** Sources of places that are more exact than an address. */
const exactSources: readonly MerchantPlaceSource[] = [
  MerchantPlaceSource.SITE,
  MerchantPlaceSource.COORDINATES,
  MerchantPlaceSource.LEARNT,
]

/**
 * Returns the state or province of a merchant and the distance of the vehicle from it. Null if the merchant is outside the
 * US and Canada, or its state is unknown.
 */
export async function findJurisdiction(
  purchase: PlacedPurchase,
  merchant: Pick<Merchant, 'address'>,
  position: PositionFacts | null,
): Promise<JurisdictionFacts | null> {
  const code = await jurisdictionOfMerchant(purchase, merchant)
  const { has, kilometersTo } = await loadJurisdictionLookup()
  if (code === null || !has(code)) return null
  return { code, kilometersAway: position && kilometersTo(code, position.point) }
}

type PlacedPurchase = Pick<Purchase, 'place' | 'isAddressWrong'>

/** Returns the state or province of a merchant by its place if that is exact, else by its address. */
export async function jurisdictionOfMerchant(
  { place, isAddressWrong }: PlacedPurchase,
  { address }: Pick<Merchant, 'address'>,
): Promise<string | null> {
  if (place !== null && exactSources.includes(place.source))
    return (await loadJurisdictionLookup()).jurisdictionOf(place)
  return address && !isAddressWrong ? jurisdictionOfAddress(address) : null
}
