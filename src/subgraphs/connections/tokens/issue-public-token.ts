import { hashKey, newPublicToken } from '../../../auth/keys.ts'
import type { Database } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import type { Instant } from '../../../domain/time.ts'
import type { Connection } from '../connection.ts'
import { PublicToken } from './public-token.ts'

/** Lifetime of a public token. */
export const PUBLIC_TOKEN_MS = 30 * 60_000

/** Creates a public token for a connection, at the end of a link run. */
export async function issuePublicToken(
  db: Pick<Database, 'transaction'>,
  { id, applicationId }: Pick<Connection, 'id' | 'applicationId'>,
  now: Instant,
): Promise<string> {
  const token = newPublicToken()
  const row: PublicToken = {
    hash: hashKey(token),
    applicationId,
    connectionId: id,
    createdAt: now,
    expiresAt: now + PUBLIC_TOKEN_MS,
    spentAt: null,
  }
  await db.transaction((tx) => tx.insert(tableOf(PublicToken), [row]))
  return token
}
