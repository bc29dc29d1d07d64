import type { CallerLookups } from '../../../auth/caller.ts'
import type { Id } from '../../../ids.ts'
import type { Rows } from '../../../storage/database.ts'

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
})
