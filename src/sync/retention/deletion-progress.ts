import type { Id } from '../../domain/ids.ts'
import type { Rows, Transaction } from '../../storage/database.ts'
import { upsertSql } from '../../storage/sql/dialect.ts'

/** Numbers of deleted rows by table. */
export type DeletedRows = Readonly<Record<string, number>>

/**
 * Name of the checkpoint that counts the deleted rows of a connection. Each count commits with its rows, so a job that
 * is killed counts on. The end of the deletion removes the checkpoint.
 */
export const DELETION_CHECKPOINT = 'deletion'

export async function deletedRowsOf(db: Rows, connectionId: Id<'connection'>): Promise<DeletedRows> {
  const [row] = await db.rows<{ state: string }>(
    'SELECT `state` FROM `checkpoints` WHERE `connectionId` = ? AND `model` = ?',
    [connectionId, DELETION_CHECKPOINT],
  )
  return row ? (JSON.parse(row.state) as DeletedRows) : {}
}

export async function saveDeletedRows(
  tx: Transaction,
  connectionId: Id<'connection'>,
  rows: DeletedRows,
): Promise<void> {
  const columns = ['connectionId', 'model', 'syncId', 'state', 'done']
  await tx.run(upsertSql(tx.dialect, 'checkpoints', columns, ['connectionId', 'model'], 1), [
    connectionId,
    DELETION_CHECKPOINT,
    '',
    JSON.stringify(rows),
    0,
  ])
}

export const removeDeletedRows = (tx: Transaction, connectionId: Id<'connection'>): Promise<number> =>
  tx.run('DELETE FROM `checkpoints` WHERE `connectionId` = ? AND `model` = ?', [
    connectionId,
    DELETION_CHECKPOINT,
  ])

/** Adds a number of deleted rows. */
export const withDeleted = (rows: DeletedRows, table: string, count: number): DeletedRows =>
  count === 0 ? rows : { ...rows, [table]: (rows[table] ?? 0) + count }

/** Returns the rows that were deleted since an earlier count. */
export const rowsSince = (before: DeletedRows, after: DeletedRows): DeletedRows =>
  Object.fromEntries(
    Object.entries(after)
      .map(([table, count]) => [table, count - (before[table] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  )
