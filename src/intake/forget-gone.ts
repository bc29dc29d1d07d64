import type { Transaction } from '../storage/database.ts'
import { placeholders } from '../storage/in-order.ts'
import type { Connection } from '../subgraphs/connections/connection.ts'
import { latestOf } from '../subgraphs/raw-record.ts'
import type { StoredLatest } from './latest.ts'

/** Whoever was removed, or drives no more, is nowhere now: of them nothing is told any more. */
export async function forgetGone(
  tx: Transaction,
  { table, owner, owners }: Pick<StoredLatest<never>, 'table' | 'owner' | 'owners'>,
  { id: connectionId, applicationId }: Connection,
): Promise<void> {
  const conditions = [
    'o.`deletedAt` IS NOT NULL',
    ...(owners === 'drivers' ? ["o.`status` = 'inactive'"] : []),
  ]
  const gone = await tx.rows<{ id: string }>(
    `SELECT o.\`id\` FROM \`${owners}\` AS o JOIN \`${table.name}\` AS s ON s.\`${owner}\` = o.\`id\`
      WHERE s.\`connectionId\` = ? AND s.\`applicationId\` = ? AND (${conditions.join(' OR ')})`,
    [connectionId, applicationId],
  )
  const ids = gone.map(({ id }) => id)
  if (ids.length === 0) return
  const these = placeholders(ids.length)
  await tx.run(`DELETE FROM \`${table.name}\` WHERE \`connectionId\` = ? AND \`${owner}\` IN (${these})`, [
    connectionId,
    ...ids,
  ])
  await tx.run(`DELETE FROM \`raw_records\` WHERE \`connectionId\` = ? AND \`ownerId\` IN (${these})`, [
    connectionId,
    ...ids.map(latestOf),
  ])
}
