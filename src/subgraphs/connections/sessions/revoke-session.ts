import { type Caller, readOnlySession } from '../../../auth/caller.ts'
import { PublicError } from '../../../errors.ts'
import { forUpdate } from '../../../storage/dialect.ts'
import { tableOf } from '../../../storage/table.ts'
import { and, equal, type Where } from '../../../storage/where.ts'
import { accessTopic } from '../../access.ts'
import { by, remember } from '../../audit.ts'
import type { ConnectionWritesFrom } from '../writes-from.ts'
import { Session } from './session.ts'

const table = tableOf(Session)

/** Ends a session: it reads no more, and what it has open is closed at once. One that has ended stays so. */
export async function revokeSession(
  { db, clock, doorbell }: Pick<ConnectionWritesFrom, 'db' | 'clock' | 'doorbell'>,
  caller: Caller,
  { sessionId }: { readonly sessionId: string },
): Promise<Session> {
  if (caller.session !== null) throw readOnlySession()
  const its: Where = { sql: '`applicationId` = ?', parameters: [caller.applicationId] }
  const where = and(its, equal('id', sessionId))
  const session = await db.transaction(async (tx) => {
    const [row] = await tx.rows<Record<string, unknown>>(
      `SELECT ${table.selected} FROM \`sessions\` WHERE ${where.sql}${forUpdate(tx.dialect)}`,
      where.parameters,
    )
    const before = row && table.toRow(row)
    if (!before || !isWithin(before, caller)) throw new PublicError('not_found', 'There is no such session.')
    if (before.revokedAt !== null) return before
    const revokedAt = clock.now()
    await tx.run(`UPDATE \`sessions\` SET \`revokedAt\` = ? WHERE ${where.sql}`, [
      revokedAt,
      ...where.parameters,
    ])
    await remember(tx, by(caller, revokedAt), { action: 'session.revoked', targetId: sessionId })
    return { ...before, revokedAt }
  })
  doorbell.ring(accessTopic(caller.applicationId))
  return session
}

/** Whoever is narrowed to connections ends only what reads no others. */
const isWithin = ({ connectionIds }: Session, caller: Caller): boolean =>
  caller.connectionIds === null || (connectionIds?.every((id) => caller.connectionIds?.includes(id)) ?? false)
