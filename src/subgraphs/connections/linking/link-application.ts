import { hashOf, PUBLISHABLE_KEY } from '../../../auth/keys.ts'
import type { Id } from '../../../domain/ids.ts'
import type { Rows } from '../../../storage/database.ts'
import { quoted, tableOf } from '../../../storage/sql/table.ts'
import type { Instant } from '../../../domain/time.ts'
import { Application } from '../applications/application.ts'
import type { KeyUsageRecorder } from '../applications/key-usage.ts'
import { ACTIVE_KEY } from '../applications/active-key.ts'

/** What the link pages know of the application that a fleet shares its data with. */
export type LinkApplication = Pick<
  Application,
  'id' | 'name' | 'environment' | 'linkOrigins' | 'agreementUrl'
>

/** One that fleets come to by a publishable key or a short link, whose id `door` is. */
export type ApplicationWithDoor = LinkApplication & { readonly door: string }

const COLUMNS = quoted(['id', 'name', 'environment', 'linkOrigins', 'agreementUrl'])

/** Whose a publishable key is; null where it is none, is not known, or has ended. What is found good is in use. */
export async function applicationOfKey(
  db: Rows,
  key: string,
  now: Instant,
  uses: Pick<KeyUsageRecorder, 'record'>,
): Promise<ApplicationWithDoor | null> {
  if (!PUBLISHABLE_KEY.test(key)) return null
  const [row] = await db.rows<{ id: Id<'key'>; applicationId: string }>(
    `SELECT \`id\`, \`applicationId\` FROM \`api_keys\` WHERE \`hash\` = ? AND \`use\` = 'publishable'
      AND ${ACTIVE_KEY}`,
    [hashOf(key), now],
  )
  if (!row) return null
  uses.record(row.id)
  const application = await linkApplication(db, row.applicationId)
  return application && { ...application, door: row.id }
}

/** An application by its id, as a link run or a short link of it names it. */
export async function linkApplication(db: Rows, id: string): Promise<LinkApplication | null> {
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${COLUMNS} FROM \`applications\` WHERE \`id\` = ?`,
    [id],
  )
  return row ? tableOf(Application).toRow(row) : null
}
