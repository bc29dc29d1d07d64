import type { Point } from '../../../domain/models/point.ts'
import type { Database } from '../../../storage/database.ts'
import { onlyByIndex } from '../../../storage/sql/dialect.ts'
import { and, oneOf, type Tenant, tenantWhere, type Where } from '../../../storage/sql/where.ts'
import type { Merchant } from '../merchant.ts'
import { brandKeyOf, matchKeyOf } from '../sites/match-key.ts'
import { hashOfSite } from '../sites/purchase-site.ts'

/** Where a site is. A pump is at most `radiusMeters` away. */
export interface FoundSite extends Point {
  readonly siteId: string
  readonly radiusMeters: number
}

/** Place that confirmed purchases show. */
export interface LearntPlace extends Point {
  readonly sightings: number
}

/** What is known of the place of a merchant, other than its own coordinates and address. */
export interface KnownPlaces {
  /** Site that the merchant names. */
  readonly named?: FoundSite | undefined
  /** The only site with the name, postal code and country of the merchant. */
  readonly matched?: FoundSite | undefined
  readonly learnt?: LearntPlace | undefined
  /** Whether confirmed purchases of the brand were far from the address. */
  readonly isAddressWrong?: boolean
}

type KnownMerchant = Pick<Merchant, 'siteId' | 'name' | 'coordinates' | 'address'>

interface FoundRow {
  readonly lookup: string
  readonly siteId: string | null
  readonly longitude: number | null
  readonly latitude: number | null
  readonly radiusMeters: number | null
  readonly sightings: number | null
  readonly isAddressWrong: number
}

/**
 * Finds the sites of merchants, and what the purchases of a connection show about their places, with at most one
 * statement, whose lookups have an index. Sites belong to the whole application, so each of its connections uses them.
 * Without a connection, it finds only sites. Returns null if nothing is known of any merchant.
 */
export async function findKnownPlaces(
  db: Pick<Database, 'rows' | 'dialect'>,
  tenant: PlaceOwner,
  merchants: readonly KnownMerchant[],
): Promise<((merchant: KnownMerchant) => KnownPlaces) | null> {
  const keysByMerchant = new Map(merchants.map((merchant) => [merchant, keysOf(tenant, merchant)]))
  const keys = [...keysByMerchant.values()]
  const parts = [
    sitesBy('siteHash', db.dialect, tenant, distinct(keys.map(({ named }) => named))),
    sitesBy('matchKey', db.dialect, tenant, distinct(keys.map(({ matched }) => matched))),
    sightedBy(tenant, distinct(keys.flatMap(({ store, brand }) => [store, brand]))),
  ].filter((part) => part !== null)
  if (parts.length === 0) return null
  const rows = await db.rows<FoundRow>(
    parts.map(({ sql }) => sql).join(' UNION ALL '),
    parts.flatMap(({ parameters }) => parameters),
  )
  if (rows.length === 0) return null
  const found = new Map(rows.map((row) => [row.lookup, row]))
  return (merchant) => {
    const { named, matched, store, brand } = keysByMerchant.get(merchant) ?? keysOf(tenant, merchant)
    const rowOf = (key: string | null) => found.get(key ?? '')
    return {
      named: siteIn(rowOf(named)),
      matched: siteIn(rowOf(matched)),
      learnt: learntIn(rowOf(store)),
      isAddressWrong: rowOf(brand)?.isAddressWrong === 1,
    }
  }
}

interface PlaceOwner {
  readonly applicationId: string
  readonly connectionId: string | null
}

/** Returns the keys by which a merchant is looked up; null for those that it has no values for. */
function keysOf({ applicationId, connectionId }: PlaceOwner, merchant: KnownMerchant) {
  const { siteId, coordinates, address, name } = merchant
  const named = siteId == null ? null : hashOfSite(applicationId, siteId)
  const matched = coordinates ? null : { ...address, name }
  return {
    named,
    matched: matched && matchKeyOf(applicationId, matched),
    store: matched && connectionId && matchKeyOf(connectionId, matched),
    brand: matched && connectionId && brandKeyOf(connectionId, matched),
  }
}

const distinct = (keys: readonly (string | null)[]): string[] => [
  ...new Set(keys.filter((key) => key !== null)),
]

/** Selects the sites with a value that no other site has; null without values. */
function sitesBy(
  column: 'siteHash' | 'matchKey',
  dialect: Database['dialect'],
  { applicationId }: PlaceOwner,
  keys: readonly string[],
): Where | null {
  const tenant = tenantWhere({ applicationId, connectionIds: null })
  const where = oneOf(column, keys)
  if (!where || keys.length === 0) return null
  const { sql, parameters } = and(tenant, where)
  return {
    sql: `SELECT \`${column}\` AS lookup, MIN(siteId) AS siteId, MIN(longitude) AS longitude, MIN(latitude) AS latitude,
        MIN(radiusMeters) AS radiusMeters, NULL AS sightings, 0 AS isAddressWrong
      FROM purchase_sites${onlyByIndex(dialect, 'purchase_sites', [column])}
      WHERE ${sql} GROUP BY \`${column}\` HAVING COUNT(*) = 1`,
    parameters,
  }
}

/** Selects the merchants of a connection about which sightings show something; null without keys. */
function sightedBy({ applicationId, connectionId }: PlaceOwner, keys: readonly string[]): Where | null {
  const where = oneOf('id', keys)
  if (!where || keys.length === 0 || connectionId === null) return null
  const tenant: Tenant = { applicationId, connectionIds: [connectionId] }
  const { sql, parameters } = and(tenantWhere(tenant), where)
  return {
    sql: `SELECT id AS lookup, NULL AS siteId, longitude, latitude, NULL AS radiusMeters, sightingCount AS sightings,
        isAddressWrong
      FROM sighted_merchants WHERE ${sql} AND (longitude IS NOT NULL OR isAddressWrong = 1)`,
    parameters,
  }
}

const siteIn = (row: FoundRow | undefined): FoundSite | undefined =>
  row && {
    siteId: row.siteId!,
    longitude: row.longitude!,
    latitude: row.latitude!,
    radiusMeters: row.radiusMeters!,
  }

const learntIn = (row: FoundRow | undefined): LearntPlace | undefined =>
  row?.longitude == null || row.latitude === null
    ? undefined
    : { longitude: row.longitude, latitude: row.latitude, sightings: row.sightings! }
