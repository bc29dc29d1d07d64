import type { AccessLookups } from '../../../auth/access-revocation.ts'
import type { Rows } from '../../../storage/database.ts'
import { placeholders } from '../../../storage/loaders/order-by-keys.ts'
import { ACTIVE_CONNECTION } from '../find-connection.ts'
import { earlier, ACTIVE_SESSION, KEY_LIMITS } from '../sessions/active-session.ts'
import type { Session } from '../sessions/session.ts'
import type { ApiKey } from './application.ts'

const BATCH_SIZE = 1000

/** Finds which keys, sessions and connections have not been revoked, archived or deleted. Reads them in batches. */
export const accessLookups = (db: Rows): AccessLookups => ({
  activeKeys: async (hashes) =>
    new Map(
      (
        await rowsOf<Pick<ApiKey, 'hash' | 'expiresAt'>>(
          db,
          (list) =>
            `SELECT \`hash\`, \`expiresAt\` FROM \`api_keys\` WHERE \`hash\` IN (${list}) AND \`use\` = 'secret' AND \`revokedAt\` IS NULL`,
          hashes,
        )
      ).map(({ hash, expiresAt }) => [hash, expiresAt]),
    ),
  activeSessions: async (ids) =>
    new Map(
      (
        await rowsOf<Pick<Session, 'id' | 'expiresAt'> & { readonly keyExpiresAt: unknown }>(
          db,
          (list) =>
            `SELECT s.\`id\`, s.\`expiresAt\`, ${KEY_LIMITS} FROM \`sessions\` AS s WHERE s.\`id\` IN (${list}) AND ${ACTIVE_SESSION}`,
          ids,
        )
      ).map(({ id, expiresAt, keyExpiresAt }) => [id, earlier(expiresAt, keyExpiresAt)]),
    ),
  activeConnections: async (ids) =>
    new Map(
      (
        await rowsOf<{ id: string; tokenHash: string }>(
          db,
          (list) =>
            `SELECT \`id\`, \`tokenHash\` FROM \`connections\` WHERE \`id\` IN (${list}) AND ${ACTIVE_CONNECTION}`,
          ids,
        )
      ).map(({ id, tokenHash }) => [id, tokenHash]),
    ),
})

async function rowsOf<Row>(
  db: Rows,
  sqlFor: (list: string) => string,
  values: readonly string[],
): Promise<Row[]> {
  const rows: Row[] = []
  for (let start = 0; start < values.length; start += BATCH_SIZE) {
    const batch = values.slice(start, start + BATCH_SIZE)
    rows.push(...(await db.rows<Row>(sqlFor(placeholders(batch.length)), batch)))
  }
  return rows
}
