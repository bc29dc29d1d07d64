import { type Caller, refuseUnlessKeyAlone } from '../../../auth/caller.ts'
import { PublicError } from '../../../errors.ts'
import { tableOf } from '../../../storage/table.ts'
import { and, equal, type Where } from '../../../storage/where.ts'
import { accessTopic } from '../../access.ts'
import type { ConnectionWritesFrom } from '../writes-from.ts'
import { Session } from './session.ts'

const table = tableOf(Session)

/** Ends a session: it reads no more, and what it has open is closed at once. One that has ended stays so. */
export async function revokeSession(
  { db, clock, doorbell }: Pick<ConnectionWritesFrom, 'db' | 'clock' | 'doorbell'>,
  caller: Caller,
  { sessionId }: { readonly sessionId: string },
): Promise<Session> {
  refuseUnlessKeyAlone(caller, 'Sessions')
  const its: Where = { sql: '`applicationId` = ?', parameters: [caller.applicationId] }
  const where = and(its, equal('id', sessionId))
  const session = await db.transaction(async (tx) => {
    await tx.run(`UPDATE \`sessions\` SET \`revokedAt\` = ? WHERE ${where.sql} AND \`revokedAt\` IS NULL`, [
      clock.now(),
      ...where.parameters,
    ])
    const [row] = await tx.rows<Record<string, unknown>>(
      `SELECT ${table.selected} FROM \`sessions\` WHERE ${where.sql}`,
      where.parameters,
    )
    if (!row) throw new PublicError('not_found', 'There is no such session.')
    return table.toRow(row)
  })
  doorbell.ring(accessTopic(caller.applicationId))
  return session
}
