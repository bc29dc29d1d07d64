import { PublicError } from '../../../errors.ts'
import type { Doorbell } from '../../../queue/doorbell.ts'
import type { Database } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/table.ts'
import { and, equal, type Where } from '../../../storage/where.ts'
import type { Instant } from '../../../time.ts'
import { accessTopic } from '../../access.ts'
import { ApiKey } from './application.ts'

const table = tableOf(ApiKey)

/** Ends a key for good: requests with it are refused, and what was opened with it is closed, as soon as that is heard of. */
export async function revokeKey(
  { db: { transaction }, doorbell }: { db: Pick<Database, 'transaction'>; doorbell: Pick<Doorbell, 'ring'> },
  { applicationId, keyId, now }: { applicationId: string; keyId: string; now: Instant },
): Promise<ApiKey> {
  const its: Where = { sql: '`applicationId` = ?', parameters: [applicationId] }
  const where = and(its, equal('id', keyId))
  const key = await transaction(async (tx) => {
    const revoked = await tx.run(
      `UPDATE \`api_keys\` SET \`revokedAt\` = ? WHERE ${where.sql} AND \`revokedAt\` IS NULL`,
      [now, ...where.parameters],
    )
    const [row] = await tx.rows<Record<string, unknown>>(
      `SELECT ${table.selected} FROM \`api_keys\` WHERE ${where.sql}`,
      where.parameters,
    )
    if (!row) throw new PublicError('not_found', `Application ${applicationId} has no key ${keyId}.`)
    if (revoked === 0) throw new PublicError('unprocessable_entity', `Key ${keyId} is revoked already.`)
    return table.toRow(row)
  })
  doorbell.ring(accessTopic(applicationId))
  return key
}
