import type { CallerLookups } from '../../../auth/caller.ts'
import type { Id } from '../../../ids.ts'
import type { Rows } from '../../../storage/database.ts'
import { placeholders } from '../../../storage/in-order.ts'
import { tableOf } from '../../../storage/table.ts'
import { LIVE_CONNECTION } from '../meant-connection.ts'
import { Session } from '../sessions/session.ts'

const sessions = tableOf(Session)

/** Finds who a key or token belongs to. These are the only reads without a tenant: they tell which one it is. */
export const callerLookups = (db: Rows): CallerLookups => ({
  async applicationOfKey(hash) {
    const [key] = await db.rows<{ applicationId: Id<'application'> }>(
      "SELECT `applicationId` FROM `api_keys` WHERE `hash` = ? AND `use` = 'secret' AND `revokedAt` IS NULL",
      [hash],
    )
    return key?.applicationId ?? null
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
      `SELECT ${sessions.selected} FROM \`sessions\` WHERE \`id\` = ? AND \`applicationId\` = ? AND \`revokedAt\` IS NULL`,
      [sessionId, applicationId],
    )
    if (!row) return null
    const { id, scopes, expiresAt, connectionIds } = sessions.toRow(row)
    return {
      id,
      scopes,
      expiresAt,
      connectionIds: connectionIds && (await liveOf(db, applicationId, connectionIds)),
    }
  },
})

/** Those of some connections that are neither archived nor going, in the same order. */
async function liveOf(
  db: Rows,
  applicationId: Id<'application'>,
  ids: readonly Id<'connection'>[],
): Promise<Id<'connection'>[]> {
  const rows = await db.rows<{ id: string }>(
    `SELECT \`id\` FROM \`connections\` WHERE \`applicationId\` = ? AND \`id\` IN (${placeholders(ids.length)}) AND ${LIVE_CONNECTION}`,
    [applicationId, ...ids],
  )
  const live = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => live.has(id))
}
