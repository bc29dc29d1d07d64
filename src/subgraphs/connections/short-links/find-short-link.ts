import { PublicError } from '../../../domain/errors.ts'
import type { Rows } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { and, equal, tenantWhere, type Where } from '../../../storage/sql/where.ts'
import type { Instant } from '../../../domain/time.ts'
import { ShortLink } from './short-link.ts'

const table = tableOf(ShortLink)

export const SHORT_CODE = /^[a-hjkmnp-z2-9]{8}$/

/** Returns the SQL condition for valid short links: not deleted and not expired. */
export const validShortLinkWhere = (now: Instant): Where => ({
  sql: '`deletedAt` IS NULL AND `expiresAt` > ?',
  parameters: [now],
})

/**
 * Finds the application and the settings of `/s/{code}`. Null if there is no valid link. It reads without a
 * tenant scope, because the code determines the tenant.
 */
export async function findShortLinkSettings(
  db: Rows,
  code: string,
  now: Instant,
): Promise<Pick<ShortLink, 'id' | 'applicationId' | 'settings'> | null> {
  if (!SHORT_CODE.test(code)) return null
  const where = and(validShortLinkWhere(now), equal('code', code))
  const [found] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`short_links\` WHERE ${where.sql}`,
    where.parameters,
  )
  if (!found) return null
  const { id, applicationId, settings } = table.toRow(found)
  return { id, applicationId, settings }
}

/** Finds the valid short link of an application with the same settings. */
export async function findShortLinkBySettings(
  db: Rows,
  { applicationId, bodyHash }: Pick<ShortLink, 'applicationId' | 'bodyHash'>,
  now: Instant,
): Promise<ShortLink | null> {
  const tenant = tenantWhere({ applicationId, connectionIds: null })
  const where = and(tenant, equal('bodyHash', bodyHash), validShortLinkWhere(now))
  const [found] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`short_links\` WHERE ${where.sql} ORDER BY \`id\` LIMIT 1`,
    where.parameters,
  )
  return found ? table.toRow(found) : null
}

export const shortLinkNotFoundError = () => new PublicError('not_found', 'There is no such short link.')
