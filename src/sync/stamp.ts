import type { Id } from '../ids.ts'
import type { Transaction } from '../storage/database.ts'
import { forUpdate } from '../storage/dialect.ts'
import type { Instant } from '../time.ts'

/**
 * Takes a connection for the rest of the transaction and gives its next stamp. Transactions of one connection follow
 * each other, so its stamps commit in their order: a reader that has seen one never misses an earlier one.
 */
export async function nextStamp(
  tx: Transaction,
  connectionId: Id<'connection'>,
  now: Instant,
): Promise<Instant> {
  const [connection] = await tx.rows<{ lastStamp: number }>(
    `SELECT \`lastStamp\` FROM \`connections\` WHERE \`id\` = ?${forUpdate(tx.dialect)}`,
    [connectionId],
  )
  if (!connection) throw new Error(`connection ${connectionId} is gone`)
  const stamp = Math.max(now, Number(connection.lastStamp) + 1)
  await tx.run('UPDATE `connections` SET `lastStamp` = ? WHERE `id` = ?', [stamp, connectionId])
  return stamp
}
