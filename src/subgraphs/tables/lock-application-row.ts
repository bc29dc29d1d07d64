import type { Transaction } from '../../storage/database.ts'
import { forUpdate } from '../../storage/sql/dialect.ts'

/** Locks an application until the transaction ends, so that concurrent requests count or number its records in turn. */
export async function lockApplicationRow(tx: Transaction, applicationId: string): Promise<void> {
  await tx.rows(`SELECT 1 FROM \`applications\` WHERE \`id\` = ?${forUpdate(tx.dialect)}`, [applicationId])
}
