import type { CallerLookups } from '../../../auth/caller.ts'
import type { Id } from '../../../domain/ids.ts'
import type { Rows } from '../../../storage/database.ts'
import { placeholders } from '../../../storage/loaders/order-by-keys.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { ACTIVE_CONNECTION } from '../find-connection.ts'
import { ApiKey } from './application.ts'
import { earlier, ACTIVE_SESSION, OF_KEY } from '../sessions/active-session.ts'
import { Session } from '../sessions/session.ts'

const sessions = tableOf(Session)
const keys = tableOf(ApiKey)

/** Finds who a key or token belongs to. These are the only reads without a tenant: they tell which one it is. */
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
      `SELECT s.*, ${OF_KEY} FROM \`sessions\` AS s WHERE s.\`id\` = ? AND s.\`applicationId\` = ? AND ${ACTIVE_SESSION}`,
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

/** Those of some connections that are neither archived nor going, in the same order. */
async function activeAmong(
  db: Rows,
  applicationId: Id<'application'>,
  ids: readonly Id<'connection'>[],
): Promise<Id<'connection'>[]> {
  const rows = await db.rows<{ id: string }>(
    `SELECT \`id\` FROM \`connections\` WHERE \`applicationId\` = ? AND \`id\` IN (${placeholders(ids.length)}) AND ${ACTIVE_CONNECTION}`,
    [applicationId, ...ids],
  )
  const live = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => live.has(id))
}
