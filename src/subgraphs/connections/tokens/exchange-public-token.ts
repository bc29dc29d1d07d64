import type { Caller } from '../../../auth/caller.ts'
import { hashKey, PUBLIC_TOKEN } from '../../../auth/keys.ts'
import { PublicError, invalidMember } from '../../../domain/errors.ts'
import { and, equal, tenantWhere } from '../../../storage/sql/where.ts'
import { auditedBy, recordAudit } from '../../tables/audit-log.ts'
import type { Connection } from '../connection.ts'
import { lockConnection, isBeingDeleted } from '../find-connection.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'

/**
 * Exchanges a public token for its connection. Of concurrent exchanges, only one succeeds. Used, expired and unknown
 * tokens, and those of other applications, cause the same error: it reveals nothing about a token.
 */
export async function exchangePublicToken(
  { db, clock }: ConnectionCommandDeps,
  caller: Caller,
  { publicToken }: { readonly publicToken: string },
): Promise<Connection> {
  if (!PUBLIC_TOKEN.test(publicToken))
    throw invalidMember('publicToken', 'A public token has the form pub_tkn_0123456789abcdef.')
  const where = and(tenantWhere(caller), equal('hash', hashKey(publicToken)))
  return db.transaction(async (tx) => {
    const now = clock.now()
    const [token] = await tx.rows<{ connectionId: string }>(
      `SELECT \`connectionId\` FROM \`public_tokens\` WHERE ${where.sql}`,
      where.parameters,
    )
    const usedCount = await tx.run(
      `UPDATE \`public_tokens\` SET \`spentAt\` = ? WHERE ${where.sql} AND \`spentAt\` IS NULL AND \`expiresAt\` > ?`,
      [now, ...where.parameters, now],
    )
    if (!token || usedCount === 0) throw tokenNotFoundError()
    const connection = await lockConnection(tx, caller, token.connectionId)
    if (isBeingDeleted(connection)) throw tokenNotFoundError()
    await recordAudit(tx, auditedBy(caller, now), {
      action: 'public_token.exchanged',
      targetId: connection.id,
    })
    return connection
  })
}

const tokenNotFoundError = () =>
  new PublicError('not_found', 'There is no such public token.', {
    detail: 'A public token can be exchanged once, within 30 minutes.',
  })
