import { PublicError } from '../../../domain/errors.ts'
import type { Rows } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { and, equal, tenantWhere, type Where } from '../../../storage/sql/where.ts'
import type { Instant } from '../../../domain/time.ts'
import { ShortLink } from './short-link.ts'

const table = tableOf(ShortLink)

export const SHORT_CODE = /^[a-hjkmnp-z2-9]{8}$/

/** The condition that a short link can be followed. */
export const isUsable = (now: Instant): Where => ({
  sql: '`deletedAt` IS NULL AND `expiresAt` > ?',
  parameters: [now],
})

/**
 * Whose link run begins at `/s/{code}`, and with which settings; null where there is no such link, or no longer. It is
 * read without a tenant: the code tells which one it is.
 */
export async function findShortLinkSettings(
  db: Rows,
  code: string,
  now: Instant,
): Promise<Pick<ShortLink, 'id' | 'applicationId' | 'settings'> | null> {
  if (!SHORT_CODE.test(code)) return null
  const where = and(isUsable(now), equal('code', code))
  const [found] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`short_links\` WHERE ${where.sql}`,
    where.parameters,
  )
  if (!found) return null
  const { id, applicationId, settings } = table.toRow(found)
  return { id, applicationId, settings }
}

/** The short link of an application that was made for the same settings, as long as it is good. */
export async function findShortLinkBySettings(
  db: Rows,
  { applicationId, bodyHash }: Pick<ShortLink, 'applicationId' | 'bodyHash'>,
  now: Instant,
): Promise<ShortLink | null> {
  const its = tenantWhere({ applicationId, connectionIds: null })
  const where = and(its, equal('bodyHash', bodyHash), isUsable(now))
  const [found] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`short_links\` WHERE ${where.sql} ORDER BY \`id\` LIMIT 1`,
    where.parameters,
  )
  return found ? table.toRow(found) : null
}

export const shortLinkNotFound = () => new PublicError('not_found', 'There is no such short link.')
