import { type Caller, requireSecretKey } from '../../../auth/caller.ts'
import { newId } from '../../../domain/ids.ts'
import type { Clock, Instant } from '../../../domain/time.ts'
import type { Database, Rows, Transaction } from '../../../storage/database.ts'
import { onlyByIndex, forUpdate } from '../../../storage/sql/dialect.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { and, oneOf, tenantWhere } from '../../../storage/sql/where.ts'
import {
  type AuditedChange,
  auditedBy,
  AuditEntry,
  recordAudit,
  toAuditEntry,
} from '../../tables/audit-log.ts'
import { requireCoordinates, requireCountry, requireMember, requireText } from '../validate-purchase.ts'
import { matchKeyOf } from './match-key.ts'
import { hashOfSite, PurchaseSite } from './purchase-site.ts'
import type { RemovePurchaseSiteInput, SetPurchaseSiteInput } from './set-site-input.ts'

interface SiteDeps {
  readonly db: Pick<Database, 'transaction'>
  readonly clock: Clock
}

const table = tableOf(PurchaseSite)

const DEFAULT_RADIUS_METERS = 100
const MIN_RADIUS_METERS = 10
const MAX_RADIUS_METERS = 5000
const ZIP_CODE = /^\d{5}(-?\d{4})?$/

/** What an input sets, and what the audit log has of a site. */
const VALUES = [
  'name',
  'longitude',
  'latitude',
  'radiusMeters',
  'postalCode',
  'city',
  'state',
  'country',
] as const

type SiteValues = Pick<PurchaseSite, (typeof VALUES)[number]>

/** Sets a site of an application. */
export async function setPurchaseSite(
  deps: SiteDeps,
  caller: Caller,
  input: SetPurchaseSiteInput,
): Promise<PurchaseSite> {
  const [site] = await setPurchaseSites(deps, caller, [input])
  if (!site) throw new Error('the site was not set')
  return site
}

/**
 * Sets sites of an application in one transaction, each with its audit entry. Their ids must differ. A site that is
 * stored with the same values does not change. Throws without any change if an input is invalid.
 */
export async function setPurchaseSites(
  { db, clock }: SiteDeps,
  caller: Caller,
  inputs: readonly SetPurchaseSiteInput[],
): Promise<PurchaseSite[]> {
  requireSecretKey(caller, 'Purchase sites')
  const { applicationId } = caller
  const given = inputs.map((input) => ({
    siteId: input.siteId,
    siteHash: hashOfSite(applicationId, input.siteId),
    values: siteValuesOf(input),
  }))
  const now = clock.now()
  return db.transaction(async (tx) => {
    const hashes = given.map(({ siteHash }) => siteHash)
    const stored = new Map(
      (await lockSites(tx, caller, hashes)).map((site) => [hashOfSite(applicationId, site.siteId), site]),
    )
    const sites = given.map(({ siteId, siteHash, values }) => {
      const before = stored.get(siteHash)
      if (before && VALUES.every((name) => before[name] === values[name]))
        return { site: before, change: null }
      const site = siteOf(
        { applicationId, siteId, id: before?.id ?? newId('purchaseSite', now) },
        values,
        now,
      )
      return { site, change: changeOf(site, before) }
    })
    const changed = sites.filter(({ change }) => change !== null)
    await tx.upsert(
      table,
      changed.map(({ site }) => site),
    )
    const context = auditedBy(caller, now)
    await tx.insert(
      tableOf(AuditEntry),
      changed.flatMap(({ change }) => (change ? [toAuditEntry(context, change)] : [])),
    )
    return sites.map(({ site }) => site)
  })
}

/** Removes a site. If there is none with this id, nothing changes. Returns whether there was one. */
export async function removePurchaseSite(
  { db, clock }: SiteDeps,
  caller: Caller,
  { siteId }: RemovePurchaseSiteInput,
): Promise<boolean> {
  requireSecretKey(caller, 'Purchase sites')
  requireText(siteId, 'siteId')
  return db.transaction(async (tx) => {
    const [before] = await lockSites(tx, caller, [hashOfSite(caller.applicationId, siteId)])
    if (!before) return false
    const where = tenantWhere(caller)
    await tx.run(`DELETE FROM \`purchase_sites\` WHERE ${where.sql} AND \`id\` = ?`, [
      ...where.parameters,
      before.id,
    ])
    await recordAudit(tx, auditedBy(caller, clock.now()), {
      action: 'purchase_site.removed',
      targetId: before.id,
      detail: { siteId, before: valuesOfSite(before) },
    })
    return true
  })
}

/** Returns the values that an input sets. Throws if it is invalid. */
export function siteValuesOf({
  siteId,
  name,
  coordinates,
  radiusMeters,
  postalCode = null,
  city = null,
  state = null,
  country = null,
}: SetPurchaseSiteInput): SiteValues {
  for (const [member, text] of Object.entries({ siteId, name, postalCode, city, state }))
    requireText(text, member)
  requireCoordinates(coordinates, 'coordinates')
  const isSet = coordinates.longitude !== 0 || coordinates.latitude !== 0
  requireMember(isSet, 'coordinates', 'Give the position of the site: 0, 0 is in the sea.')
  const radius = radiusMeters ?? DEFAULT_RADIUS_METERS
  const isPossible = radius >= MIN_RADIUS_METERS && radius <= MAX_RADIUS_METERS
  requireMember(isPossible, 'radiusMeters', 'Give 10 to 5000 meters.')
  if (country !== null) requireCountry(country, 'country')
  requireMember(
    postalCode === null || country !== null,
    'country',
    'Give the country of the postal code, such as US.',
  )
  requireMember(
    country !== 'US' || postalCode === null || ZIP_CODE.test(postalCode.trim()),
    'postalCode',
    'Give a ZIP code with five or nine digits. Spreadsheets may leave out leading zeros.',
  )
  const { longitude, latitude } = coordinates
  return { name, longitude, latitude, radiusMeters: radius, postalCode, city, state, country }
}

const siteOf = (
  identity: Pick<PurchaseSite, 'id' | 'applicationId' | 'siteId'>,
  values: SiteValues,
  modifiedAt: Instant,
): PurchaseSite => ({
  ...identity,
  ...values,
  siteHash: hashOfSite(identity.applicationId, identity.siteId),
  matchKey: matchKeyOf(identity.applicationId, values),
  modifiedAt,
})

const changeOf = (site: PurchaseSite, before: PurchaseSite | undefined): AuditedChange => ({
  action: 'purchase_site.set',
  targetId: site.id,
  detail: {
    siteId: site.siteId,
    ...valuesOfSite(site),
    before: before ? valuesOfSite(before) : null,
  },
})

const valuesOfSite = (site: PurchaseSite): SiteValues =>
  Object.fromEntries(VALUES.map((name) => [name, site[name]])) as unknown as SiteValues

/** Reads sites, and locks them until the end of the transaction. */
async function lockSites(
  tx: Rows & Pick<Transaction, 'dialect'>,
  caller: Caller,
  hashes: readonly string[],
): Promise<PurchaseSite[]> {
  const where = and(tenantWhere(caller), oneOf('siteHash', hashes))
  const hint = onlyByIndex(tx.dialect, table.name, ['siteHash'])
  const rows = await tx.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`purchase_sites\`${hint} WHERE ${where.sql}${forUpdate(tx.dialect)}`,
    where.parameters,
  )
  return rows.map((row) => table.toRow(row))
}
