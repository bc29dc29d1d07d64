import { PublicError } from '../../../../domain/errors.ts'
import type { Transaction } from '../../../../storage/database.ts'
import { forUpdate } from '../../../../storage/sql/dialect.ts'
import { tableOf } from '../../../../storage/sql/table.ts'
import type { Instant } from '../../../../domain/time.ts'
import { ApiKey } from '../application.ts'

const table = tableOf(ApiKey)

/** Locks a key for the rest of a transaction, to revoke or replace it. Throws if it is already revoked. */
export async function lockKey(tx: Transaction, applicationId: string, keyId: string): Promise<ApiKey> {
  const [row] = await tx.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`api_keys\` WHERE \`applicationId\` = ? AND \`id\` = ?${forUpdate(tx.dialect)}`,
    [applicationId, keyId],
  )
  if (!row)
    throw new PublicError('not_found', 'There is no such key.', {
      detail: 'The application has no key with this id. See the list of its keys.',
    })
  const key = table.toRow(row)
  if (key.revokedAt !== null) throw new PublicError('unprocessable_entity', 'The key is already revoked.')
  return key
}

/** Sets the end of a key: its expiry or its revocation time. */
export async function endKey(
  tx: Transaction,
  key: ApiKey,
  end: { readonly revokedAt: Instant } | { readonly expiresAt: Instant },
): Promise<ApiKey> {
  const [[column, at] = []] = Object.entries(end)
  await tx.run(`UPDATE \`api_keys\` SET \`${column}\` = ? WHERE \`applicationId\` = ? AND \`id\` = ?`, [
    at,
    key.applicationId,
    key.id,
  ])
  return { ...key, ...end }
}
