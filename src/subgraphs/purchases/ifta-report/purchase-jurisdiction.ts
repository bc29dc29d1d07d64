import type { Tenant } from '../../../storage/sql/where.ts'
import { findKnownPlaces, type FoundSite } from '../evidence/find-known-places.ts'
import { findState } from '../evidence/merchant-place.ts'
import type { SummedDatabase } from '../summary/parts-of-period.ts'
import type { FuelRow } from './ifta-sql.ts'

type MerchantKey = Pick<FuelRow, 'country' | 'state' | 'siteId' | 'name' | 'postalCode'>

/** Countries with members. */
const COUNTRIES = new Set(['US', 'CA'])

/**
 * Finds the states and provinces of merchants in the US and Canada with at most one statement: by the address, else by the
 * caller's site that the merchant names or matches. The returned function gives null for the others.
 */
export async function jurisdictionsOf<Key extends MerchantKey>(
  db: SummedDatabase,
  { applicationId }: Tenant,
  merchants: readonly Key[],
): Promise<(merchant: Key) => string | null> {
  const byMerchant = new Map<Key, string | null>()
  for (const merchant of merchants) byMerchant.set(merchant, await stateIn(merchant))
  const unplaced = new Map(
    merchants.flatMap((merchant) =>
      byMerchant.get(merchant) === null ? [[merchant, toMerchant(merchant)] as const] : [],
    ),
  )
  const placesOf = await findKnownPlaces(db, { applicationId, connectionId: null }, [...unplaced.values()])
  for (const [merchant, searched] of unplaced) {
    const { named, matched } = placesOf?.(searched) ?? {}
    byMerchant.set(merchant, await stateOfSite(named ?? matched))
  }
  return (merchant) => byMerchant.get(merchant) ?? null
}

const stateOfSite = async (site: FoundSite | undefined): Promise<string | null> =>
  site ? stateIn({ country: site.country ?? null, state: site.state ?? null }) : null

const stateIn = async ({ country, state }: Pick<MerchantKey, 'country' | 'state'>): Promise<string | null> =>
  country !== null && COUNTRIES.has(country) ? findState({ country, state }) : null

const toMerchant = ({ siteId, name, country, state, postalCode }: MerchantKey) => ({
  siteId,
  name: name ?? '',
  address: country === null ? null : { country, state, postalCode },
})
