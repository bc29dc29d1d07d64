import { PublicError } from '../../../domain/errors.ts'
import type { Rows, Transaction } from '../../../storage/database.ts'
import { forUpdate } from '../../../storage/sql/dialect.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { Application } from './application.ts'

const table = tableOf(Application)

/**
 * Locks an application for the rest of a transaction. The lock serializes changes of the application and its
 * keys.
 */
export const lockApplication = (tx: Transaction, id: string): Promise<Application> =>
  findApplication(tx, id, forUpdate(tx.dialect))

export async function findApplication(db: Rows, id: string, lockClause = ''): Promise<Application> {
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`applications\` WHERE \`id\` = ?${lockClause}`,
    [id],
  )
  if (!row) throw new PublicError('not_found', 'There is no such application.')
  return table.toRow(row)
}
