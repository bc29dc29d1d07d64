import type { CallerLookups } from '../../../auth/caller.ts'
import type { Id } from '../../../domain/ids.ts'
import type { Rows } from '../../../storage/database.ts'
import { placeholders } from '../../../storage/loaders/order-by-keys.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { ACTIVE_CONNECTION } from '../find-connection.ts'
import { ApiKey } from './application.ts'
import { earlier, ACTIVE_SESSION, KEY_LIMITS } from '../sessions/active-session.ts'
import { Session } from '../sessions/session.ts'

const sessions = tableOf(Session)
const keys = tableOf(ApiKey)

/** Finds the owner of a key or token. These reads have no tenant scope, because they determine the tenant. */
export const callerLookups = (db: Rows): CallerLookups => ({
  async secretKey(hash) {
    const [key] = await db.rows<Record<string, unknown>>(
      `SELECT ${keys.selected} FROM \`api_keys\` WHERE \`hash\` = ? AND \`use\` = 'secret' AND \`revokedAt\` IS NULL`,
      [hash],
    )
    if (!key) return null
    const { id, applicationId, scopes, expiresAt } = keys.toRow(key)
    return { id, applicationId, scopes, expiresAt }
  },
  async connectionOfToken(hash) {
    const [connection] = await db.rows<{ id: Id<'connection'>; applicationId: Id<'application'> }>(
      'SELECT `id`, `applicationId` FROM `connections` WHERE `tokenHash` = ?',
      [hash],
    )
    return connection ?? null
  },
  async session({ sessionId, applicationId }) {
    const [row] = await db.rows<Record<string, unknown>>(
      `SELECT s.*, ${KEY_LIMITS} FROM \`sessions\` AS s WHERE s.\`id\` = ? AND s.\`applicationId\` = ? AND ${ACTIVE_SESSION}`,
      [sessionId, applicationId],
    )
    if (!row) return null
    const { id, scopes, expiresAt, connectionIds } = sessions.toRow(row)
    const { scopes: keyScopes } = keys.toRow({ scopes: row['keyScopes'] })
    return {
      id,
      scopes,
      keyScopes,
      expiresAt: earlier(expiresAt, row['keyExpiresAt']),
      connectionIds: connectionIds && (await activeAmong(db, applicationId, connectionIds)),
    }
  },
})

/** Returns the connections that are neither archived nor being deleted, in the same order. */
async function activeAmong(
  db: Rows,
  applicationId: Id<'application'>,
  ids: readonly Id<'connection'>[],
): Promise<Id<'connection'>[]> {
  const rows = await db.rows<{ id: string }>(
    `SELECT \`id\` FROM \`connections\` WHERE \`applicationId\` = ? AND \`id\` IN (${placeholders(ids.length)}) AND ${ACTIVE_CONNECTION}`,
    [applicationId, ...ids],
  )
  const active = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => active.has(id))
}
