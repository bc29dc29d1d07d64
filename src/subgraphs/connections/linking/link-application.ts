import { hashKey, PUBLISHABLE_KEY } from '../../../auth/keys.ts'
import type { Id } from '../../../domain/ids.ts'
import type { Rows } from '../../../storage/database.ts'
import { quoted, tableOf } from '../../../storage/sql/table.ts'
import type { Instant } from '../../../domain/time.ts'
import { Application } from '../applications/application.ts'
import type { KeyUsageRecorder } from '../applications/key-usage.ts'
import { ACTIVE_KEY } from '../applications/active-key.ts'

/** The fields of an application that the link pages need. */
export type LinkApplication = Pick<
  Application,
  'id' | 'name' | 'environment' | 'linkOrigins' | 'agreementUrl' | 'allowsSandbox'
>

/** The application of a publishable key or a short link, with the id of that key or link. */
export type ApplicationWithEntryPoint = LinkApplication & { readonly entryPointId: string }

const COLUMNS = quoted(['id', 'name', 'environment', 'linkOrigins', 'agreementUrl', 'allowsSandbox'])

/**
 * Finds the application of a publishable key. Null if the key is malformed, unknown, revoked or expired.
 * Records the use of a valid key.
 */
export async function applicationOfKey(
  db: Rows,
  key: string,
  now: Instant,
  keyUsage: Pick<KeyUsageRecorder, 'record'>,
): Promise<ApplicationWithEntryPoint | null> {
  if (!PUBLISHABLE_KEY.test(key)) return null
  const [row] = await db.rows<{ id: Id<'key'>; applicationId: string }>(
    `SELECT \`id\`, \`applicationId\` FROM \`api_keys\` WHERE \`hash\` = ? AND \`use\` = 'publishable'
      AND ${ACTIVE_KEY}`,
    [hashKey(key), now],
  )
  if (!row) return null
  keyUsage.record(row.id)
  const application = await linkApplication(db, row.applicationId)
  return application && { ...application, entryPointId: row.id }
}

/** Finds an application by id. */
export async function linkApplication(db: Rows, id: string): Promise<LinkApplication | null> {
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${COLUMNS} FROM \`applications\` WHERE \`id\` = ?`,
    [id],
  )
  return row ? tableOf(Application).toRow(row) : null
}
