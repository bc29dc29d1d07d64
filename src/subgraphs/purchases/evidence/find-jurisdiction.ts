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
  { place, isAddressWrong }: Pick<Purchase, 'place' | 'isAddressWrong'>,
  { address }: Pick<Merchant, 'address'>,
  position: PositionFacts | null,
): Promise<JurisdictionFacts | null> {
  const lookup = await loadJurisdictionLookup()
  const ofAddress = () => (address && !isAddressWrong ? jurisdictionOfAddress(address) : null)
  const isExact = place !== null && exactSources.includes(place.source)
  const code = isExact ? lookup.jurisdictionOf(place) : await ofAddress()
  if (code === null || !lookup.has(code)) return null
  return { code, kilometersAway: position && lookup.kilometersTo(code, position.point) }
}
