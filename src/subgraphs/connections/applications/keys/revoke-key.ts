import type { Caller } from '../../../../auth/caller.ts'
import { PublicError } from '../../../../errors.ts'
import type { Transaction } from '../../../../storage/database.ts'
import { tableOf } from '../../../../storage/table.ts'
import type { Instant } from '../../../../time.ts'
import { accessTopic } from '../../../access.ts'
import { actorOf, remember } from '../../../audit.ts'
import type { ConnectionWritesFrom } from '../../writes-from.ts'
import { ApiKey } from '../application.ts'
import { heldApplication } from '../held-application.ts'
import { endKey, heldKey } from './held-key.ts'
import { LIVE_KEY } from '../live-key.ts'
import { refuseUnlessAdmin } from '../refuse-unless-admin.ts'

const table = tableOf(ApiKey)

/**
 * Ends a key for good: requests with it and with the sessions that it made are refused, and what was opened with them is
 * closed, as soon as that is heard of.
 */
export async function revokeKey(
  { db, clock, doorbell }: Pick<ConnectionWritesFrom, 'db' | 'clock' | 'doorbell'>,
  caller: Caller,
  { keyId, force }: { readonly keyId: string; readonly force?: boolean | null },
): Promise<ApiKey> {
  refuseUnlessAdmin(caller)
  const at = clock.now()
  const { applicationId } = caller
  const key = await db.transaction(async (tx) => {
    await heldApplication(tx, applicationId)
    const before = await heldKey(tx, applicationId, keyId)
    // An operator makes another whenever one is needed.
    if (caller.key !== null && !force) await refuseLastAdmin(tx, before, at)
    await remember(
      tx,
      { applicationId, actor: actorOf(caller), at },
      { action: 'key.revoked', targetId: keyId, detail: { use: before.use } },
    )
    return endKey(tx, before, { revokedAt: at })
  })
  doorbell.ring(accessTopic(applicationId))
  return key
}

async function refuseLastAdmin(tx: Transaction, key: ApiKey, now: Instant): Promise<void> {
  if (!key.scopes?.includes('admin')) return
  const rows = await tx.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`api_keys\` WHERE \`applicationId\` = ? AND \`id\` <> ? AND ${LIVE_KEY}`,
    [key.applicationId, key.id, now],
  )
  if (rows.some((row) => table.toRow(row).scopes?.includes('admin'))) return
  const message =
    'It is the last key with the scope admin: without it, only an operator can make another. Set `force` to revoke it all the same.'
  throw new PublicError('unprocessable_entity', message, { detail: [{ message, path: 'input.force' }] })
}
