import { type Caller, scopedAccessOf } from '../../../../auth/caller.ts'
import { PublicError } from '../../../../domain/errors.ts'
import type { Transaction } from '../../../../storage/database.ts'
import { tableOf } from '../../../../storage/sql/table.ts'
import type { Instant } from '../../../../domain/time.ts'
import { accessTopic } from '../../../streams/topics.ts'
import { actorOf, recordAudit } from '../../../tables/audit-log.ts'
import type { ConnectionCommandDeps } from '../../command-deps.ts'
import { ApiKey } from '../application.ts'
import { lockApplication } from '../lock-application.ts'
import { endKey, lockKey } from './lock-key.ts'
import { ACTIVE_KEY } from '../active-key.ts'
import { requireAdmin } from '../require-admin.ts'

const table = tableOf(ApiKey)

/**
 * Revokes a key. Once the notification reaches a process, the process refuses requests with the key and with its
 * sessions, and closes their open streams.
 */
export async function revokeKey(
  { db, clock, notifier }: Pick<ConnectionCommandDeps, 'db' | 'clock' | 'notifier'>,
  caller: Caller,
  { keyId, force }: { readonly keyId: string; readonly force?: boolean | null },
): Promise<ApiKey> {
  requireAdmin(caller)
  const at = clock.now()
  const { applicationId } = caller
  const key = await db.transaction(async (tx) => {
    await lockApplication(tx, applicationId)
    const before = await lockKey(tx, applicationId, keyId)
    // An operator can always create another key, so an operator can revoke the last one.
    if (scopedAccessOf(caller) !== null && !force) await requireAnotherAdmin(tx, before, at)
    await recordAudit(
      tx,
      { applicationId, actor: actorOf(caller), at },
      { action: 'key.revoked', targetId: keyId, detail: { use: before.use } },
    )
    return endKey(tx, before, { revokedAt: at })
  })
  notifier.notify(accessTopic(applicationId))
  return key
}

async function requireAnotherAdmin(tx: Transaction, key: ApiKey, now: Instant): Promise<void> {
  if (!key.scopes?.includes('admin')) return
  const rows = await tx.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`api_keys\` WHERE \`applicationId\` = ? AND \`id\` <> ? AND ${ACTIVE_KEY}`,
    [key.applicationId, key.id, now],
  )
  if (rows.some((row) => table.toRow(row).scopes?.includes('admin'))) return
  const message =
    'This is the last key with the scope admin. Without it, only an operator can create another. Set `force` to revoke it anyway.'
  throw new PublicError('unprocessable_entity', message, { detail: [{ message, path: 'input.force' }] })
}
