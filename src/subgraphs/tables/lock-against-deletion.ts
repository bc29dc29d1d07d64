import type { Transaction } from '../../storage/database.ts'
import { forUpdate } from '../../storage/sql/dialect.ts'
import { hasStatusFlag } from './connection-states.ts'

/**
 * Locks a connection against its deletion until the transaction ends. Returns false if its data is being deleted: a row
 * that is written then would stay.
 */
export async function lockAgainstDeletion(
  tx: Transaction,
  { id, applicationId }: { readonly id: string; readonly applicationId: string },
): Promise<boolean> {
  const [connection] = await tx.rows<{ status: string }>(
    `SELECT \`status\` FROM \`connections\` WHERE \`id\` = ? AND \`applicationId\` = ?${forUpdate(tx.dialect)}`,
    [id, applicationId],
  )
  return connection !== undefined && !hasStatusFlag(connection.status, 'isDeleted')
}
