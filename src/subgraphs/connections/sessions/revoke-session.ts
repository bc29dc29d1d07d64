import { type Caller, isReadOnly, readOnlySessionError } from '../../../auth/caller.ts'
import { PublicError } from '../../../domain/errors.ts'
import { forUpdate } from '../../../storage/sql/dialect.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { and, equal, type Where } from '../../../storage/sql/where.ts'
import { accessTopic } from '../../streams/topics.ts'
import { auditedBy, recordAudit } from '../../tables/audit-log.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'
import { Session } from './session.ts'

const table = tableOf(Session)

/**
 * Revokes a session; a session without a role only itself. Its requests fail and its open streams are closed at once. A
 * session that is already revoked keeps its revocation time.
 */
export async function revokeSession(
  { db, clock, notifier }: Pick<ConnectionCommandDeps, 'db' | 'clock' | 'notifier'>,
  caller: Caller,
  { sessionId }: { readonly sessionId: string },
): Promise<Session> {
  if (isReadOnly(caller) && caller.session?.id !== sessionId) throw readOnlySessionError()
  const tenant: Where = { sql: '`applicationId` = ?', parameters: [caller.applicationId] }
  const where = and(tenant, equal('id', sessionId))
  const session = await db.transaction(async (tx) => {
    const [row] = await tx.rows<Record<string, unknown>>(
      `SELECT ${table.selected} FROM \`sessions\` WHERE ${where.sql}${forUpdate(tx.dialect)}`,
      where.parameters,
    )
    const before = row && table.toRow(row)
    if (!before || !mayRevoke(caller, before)) throw new PublicError('not_found', 'There is no such session.')
    if (before.revokedAt !== null) return before
    const revokedAt = clock.now()
    await tx.run(`UPDATE \`sessions\` SET \`revokedAt\` = ? WHERE ${where.sql}`, [
      revokedAt,
      ...where.parameters,
    ])
    await recordAudit(tx, auditedBy(caller, revokedAt), { action: 'session.revoked', targetId: sessionId })
    return { ...before, revokedAt }
  })
  notifier.notify(accessTopic(caller.applicationId))
  return session
}

/**
 * Whether a caller may revoke a session. A caller that is restricted to some connections may revoke only sessions that
 * read no other connection.
 */
const mayRevoke = (caller: Caller, { connectionIds }: Session): boolean =>
  caller.connectionIds === null || (connectionIds?.every((id) => caller.connectionIds?.includes(id)) ?? false)
