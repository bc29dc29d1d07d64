import type { Tenant } from '../../../storage/sql/where.ts'
import { jurisdictionOfMerchant } from '../evidence/find-jurisdiction.ts'
import { findKnownPlaces } from '../evidence/find-known-places.ts'
import { placeOf } from '../evidence/merchant-place.ts'
import type { SummedDatabase } from '../summary/parts-of-period.ts'
import type { FuelRow } from './ifta-sql.ts'

/**
 * Finds the states and provinces of merchants with at most one statement, as the rule JURISDICTION does. It does not use
 * places that are learnt. The returned function gives null for unknown ones, and outside of the US and Canada.
 */
export async function jurisdictionsOf(
  db: SummedDatabase,
  { applicationId }: Tenant,
  rows: readonly FuelRow[],
): Promise<(row: FuelRow) => string | null> {
  const merchants = new Map(rows.map((row) => [row, toMerchant(row)]))
  const placesOf = await findKnownPlaces(db, { applicationId, connectionId: null }, [...merchants.values()])
  const found = new Map<FuelRow, string | null>()
  for (const [row, merchant] of merchants) {
    const place = await placeOf(merchant, placesOf?.(merchant))
    found.set(row, await jurisdictionOfMerchant({ place, isAddressWrong: false }, merchant))
  }
  return (row) => found.get(row) ?? null
}

const toMerchant = ({ siteId, name, country, state, postalCode, longitude, latitude }: FuelRow) => ({
  siteId,
  name: name ?? '',
  coordinates:
    longitude === null || latitude === null
      ? null
      : { longitude: Number(longitude), latitude: Number(latitude) },
  address: country === null ? null : { country, state, postalCode },
})
