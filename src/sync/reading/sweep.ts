import type { Transaction } from '../../storage/database.ts'
import { placeholders } from '../../storage/in-order.ts'
import type { Where } from '../../storage/where.ts'
import type { StoredModel } from './stored-models.ts'
import type { Change, Run } from './upsert.ts'

/** So many records are marked as deleted in one commit. */
export const SWEPT_AT_ONCE = 500

/** Which records a full list did not have. */
export type Unseen = Where

/** Where the list is one page. */
export const allBut = (ids: readonly string[]): Unseen =>
  ids.length === 0
    ? { sql: '1 = 1', parameters: [] }
    : { sql: `\`id\` NOT IN (${placeholders(ids.length)})`, parameters: [...ids] }

/** Where each page has marked what it had. */
export const unseenIn = (syncId: string): Unseen => ({
  sql: '(`seenIn` IS NULL OR `seenIn` <> ?)',
  parameters: [syncId],
})

/** After a full list: what is stored but was not in it is marked as deleted, so many at a time. */
export async function sweep<Draft>(
  tx: Transaction,
  { table }: StoredModel<Draft>,
  { connection, stamp }: Run,
  unseen: Unseen,
): Promise<Change[]> {
  const gone = await tx.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`${table.name}\` WHERE \`connectionId\` = ? AND \`deletedAt\` IS NULL
      AND ${unseen.sql} LIMIT ${SWEPT_AT_ONCE}`,
    [connection.id, ...unseen.parameters],
  )
  if (gone.length === 0) return []
  const rows = gone.map((row) => ({ ...table.toRow(row), deletedAt: stamp, modifiedAt: stamp }))
  await tx.run(
    `UPDATE \`${table.name}\` SET \`deletedAt\` = ?, \`modifiedAt\` = ? WHERE \`connectionId\` = ? AND \`id\` IN (${placeholders(rows.length)})`,
    [stamp, stamp, connection.id, ...rows.map(({ id }) => id)],
  )
  return rows.map((row) => ({ kind: 'removed', row }))
}
