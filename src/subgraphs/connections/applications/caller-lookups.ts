import type { CallerLookups, OwnRates } from '../../../auth/caller.ts'
import { scopesOfRole } from '../../../auth/session-roles.ts'
import type { DocumentMode } from '../../../auth/document-mode.ts'
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
      `SELECT ${keys.selected}, ${applicationColumns('api_keys')} FROM \`api_keys\` WHERE \`hash\` = ? AND \`use\` = 'secret' AND \`revokedAt\` IS NULL`,
      [hash],
    )
    if (!key) return null
    const { id, applicationId, scopes, expiresAt, documentMode, pointsPerMinute } = keys.toRow(key)
    return {
      id,
      applicationId,
      scopes,
      expiresAt,
      documentMode: documentMode ?? modeIn(key),
      rates: ratesIn(key, pointsPerMinute),
    }
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
      `SELECT s.*, ${KEY_LIMITS}, ${applicationColumns('s')} FROM \`sessions\` AS s WHERE s.\`id\` = ? AND s.\`applicationId\` = ? AND ${ACTIVE_SESSION}`,
      [sessionId, applicationId],
    )
    if (!row) return null
    const { id, name, role, scopes, keyId, expiresAt, connectionIds } = sessions.toRow(row)
    const { scopes: keyScopes, pointsPerMinute } = keys.toRow({
      scopes: row['keyScopes'],
      pointsPerMinute: row['keyPointsPerMinute'],
    })
    return {
      id,
      name,
      role,
      scopes,
      keyScopes:
        role === null ? keyScopes : scopesOfRole(role, keyId === null ? null : { scopes: keyScopes }),
      expiresAt: earlier(expiresAt, row['keyExpiresAt']),
      // A session is never less restricted than its key. A key that may run more is for servers alone.
      documentMode: row['keyDocumentMode'] === 'only' ? 'only' : modeIn(row),
      rates: ratesIn(row, pointsPerMinute),
      connectionIds: connectionIds && (await activeAmong(db, applicationId, connectionIds)),
    }
  },
})

/** SQL columns with the document mode and the rate of the application of a row. */
const applicationColumns = (table: string): string => {
  const column = (name: string, alias: string) =>
    `(SELECT a.\`${name}\` FROM \`applications\` AS a WHERE a.\`id\` = ${table}.\`applicationId\`) AS \`${alias}\``
  return `${column('documentMode', 'applicationDocumentMode')}, ${column('pointsPerMinute', 'applicationPointsPerMinute')}`
}

const modeIn = (row: Readonly<Record<string, unknown>>): DocumentMode | undefined =>
  (row['applicationDocumentMode'] as DocumentMode | null) ?? undefined

function ratesIn(row: Readonly<Record<string, unknown>>, key: number | null): OwnRates | undefined {
  const application = row['applicationPointsPerMinute'] as number | null
  return application === null && key === null ? undefined : { application, key }
}

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
