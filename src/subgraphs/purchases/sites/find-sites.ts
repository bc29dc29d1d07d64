import type { Point } from '../../../domain/models/point.ts'
import type { Database } from '../../../storage/database.ts'
import { onlyByIndex } from '../../../storage/sql/dialect.ts'
import { oneOf, type Tenant, tenantWhere, type Where } from '../../../storage/sql/where.ts'
import type { Merchant } from '../merchant.ts'
import { matchKeyOf } from './match-key.ts'
import { hashOfSite } from './purchase-site.ts'

/** Where a site is. A pump is at most `radiusMeters` away. */
export interface FoundSite extends Point {
  readonly siteId: string
  readonly radiusMeters: number
}

/** Sites of a merchant. */
export interface SitesOfMerchant {
  /** Site that the merchant names. */
  readonly named?: FoundSite | undefined
  /** The only site with the name, postal code and country of the merchant. */
  readonly matched?: FoundSite | undefined
}

type SiteMerchant = Pick<Merchant, 'siteId' | 'name' | 'coordinates' | 'address'>

interface FoundRow extends FoundSite {
  readonly lookup: string
}

/**
 * Finds the sites of merchants with at most one statement, whose lookups have an index. Sites belong to the whole
 * application, so each of its connections uses them. Returns null if none of the merchants has a site.
 */
export async function findSites(
  db: Pick<Database, 'rows' | 'dialect'>,
  { applicationId }: Pick<Tenant, 'applicationId'>,
  merchants: readonly SiteMerchant[],
): Promise<((merchant: SiteMerchant) => SitesOfMerchant) | null> {
  const keysOf = (merchant: SiteMerchant) => ({
    named: merchant.siteId == null ? null : hashOfSite(applicationId, merchant.siteId),
    matched: merchant.coordinates
      ? null
      : matchKeyOf(applicationId, { ...merchant.address, name: merchant.name }),
  })
  const keys = merchants.map(keysOf)
  const lookups = [
    lookupBy(
      'siteHash',
      keys.map(({ named }) => named),
    ),
    lookupBy(
      'matchKey',
      keys.map(({ matched }) => matched),
    ),
  ].filter((lookup) => lookup !== null)
  const parts = lookups.map(({ column, where }) => selectBy(db.dialect, applicationId, column, where))
  const rows =
    parts.length === 0
      ? []
      : await db.rows<FoundRow>(
          parts.map(({ sql }) => sql).join(' UNION ALL '),
          parts.flatMap(({ parameters }) => parameters),
        )
  if (rows.length === 0) return null
  const found = new Map(rows.map(({ lookup, ...site }) => [lookup, site]))
  return (merchant) => {
    const { named, matched } = keysOf(merchant)
    return { named: found.get(named ?? ''), matched: found.get(matched ?? '') }
  }
}

type LookupColumn = 'siteHash' | 'matchKey'

function lookupBy(column: LookupColumn, keys: readonly (string | null)[]) {
  const distinct = [...new Set(keys)].filter((key) => key !== null)
  const where = oneOf(column, distinct)
  return where && distinct.length > 0 ? { column, where } : null
}

/** Selects the sites with a value that no other site has. */
function selectBy(
  dialect: Database['dialect'],
  applicationId: string,
  column: LookupColumn,
  { sql, parameters }: Where,
): Where {
  const tenant = tenantWhere({ applicationId, connectionIds: null })
  return {
    sql: `SELECT \`${column}\` AS lookup, MIN(siteId) AS siteId, MIN(longitude) AS longitude, MIN(latitude) AS latitude,
        MIN(radiusMeters) AS radiusMeters
      FROM purchase_sites${onlyByIndex(dialect, 'purchase_sites', [column])}
      WHERE ${tenant.sql} AND ${sql} GROUP BY \`${column}\` HAVING COUNT(*) = 1`,
    parameters: [...tenant.parameters, ...parameters],
  }
}
