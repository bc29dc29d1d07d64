import { PublicError } from '../../domain/errors.ts'
import type { Rows } from '../../storage/database.ts'
import type { Where } from '../../storage/sql/where.ts'

interface Quota {
  readonly table: string
  /** Rows that an application may have at once, unless the operator has set another number. */
  readonly limit: number
  readonly noun: string
  /** What makes room. */
  readonly advice: string
}

/** Limits of the rows that an application may have at once, so that one application cannot fill the database. */
export const quotas = {
  connections: {
    table: 'connections',
    limit: 100_000,
    noun: 'connections',
    advice: 'Delete connections that are no longer needed.',
  },
  keys: { table: 'api_keys', limit: 100, noun: 'keys', advice: 'Revoke keys that are no longer needed.' },
  sessions: {
    table: 'sessions',
    limit: 20_000,
    noun: 'sessions',
    advice: 'Use a session until it expires, and choose a shorter time.',
  },
  shortLinks: {
    table: 'short_links',
    limit: 10_000,
    noun: 'short links',
    advice: 'Delete short links that are no longer needed.',
  },
  webhookEndpoints: {
    table: 'webhook_endpoints',
    limit: 50,
    noun: 'webhook endpoints',
    advice: 'Delete an endpoint that is no longer needed.',
  },
  trustedDocuments: {
    table: 'trusted_documents',
    limit: 10_000,
    noun: 'trusted documents',
    advice: 'Remove documents that no client uses any more.',
  },
} as const satisfies Record<string, Quota>

export type QuotaName = keyof typeof quotas

/** Quotas that the operator has set for an application. */
export type OwnQuotas = Partial<Record<QuotaName, number>>

export const isQuotaName = (name: string): name is QuotaName => Object.hasOwn(quotas, name)

/** Returns all quotas of an application. */
export const quotasOf = (own: OwnQuotas | null): Readonly<Record<QuotaName, number>> => {
  const defaults = Object.entries(quotas).map(([name, { limit }]) => [name, limit])
  return { ...(Object.fromEntries(defaults) as Record<QuotaName, number>), ...own }
}

/**
 * Throws unless the quota of an application permits more rows: `adding` of them. `counted` is the condition of the rows
 * that count; by default all. The count is exact if the caller has locked the application. Otherwise concurrent calls
 * can exceed the quota slightly.
 */
export async function requireQuota(
  db: Rows,
  applicationId: string,
  name: QuotaName,
  counted: Where = { sql: '1 = 1', parameters: [] },
  adding = 1,
): Promise<void> {
  const { table, noun, advice } = quotas[name]
  const [row] = await db.rows<{ own: string | null; used: number }>(
    `SELECT a.\`quotas\` AS own,
      (SELECT COUNT(*) FROM \`${table}\` WHERE \`applicationId\` = a.\`id\` AND ${counted.sql}) AS used
      FROM \`applications\` AS a WHERE a.\`id\` = ?`,
    [...counted.parameters, applicationId],
  )
  const own = row?.own == null ? null : (JSON.parse(row.own) as OwnQuotas)
  const limit = quotasOf(own)[name]
  if (Number(row?.used) + adding <= limit) return
  throw new PublicError('unprocessable_entity', `An application can have at most ${limit} ${noun}.`, {
    detail: `${advice} The operator of the service can raise the limit.`,
  })
}
