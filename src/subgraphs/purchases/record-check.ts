import type { Database, Rows, Transaction } from '../../storage/database.ts'
import { appendEvents } from '../../storage/outbox.ts'
import { forUpdate, insertIfAbsentSql } from '../../storage/sql/dialect.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { type EventConnection, eventsOf } from './events.ts'
import { PurchaseCheck } from './purchase-check.ts'

const table = tableOf(PurchaseCheck)

/** Returns the check with an idempotency key of an application; undefined if there is none. */
export async function findByKey(
  db: Rows,
  { applicationId }: Pick<PurchaseCheck, 'applicationId'>,
  keyHash: string,
  suffix = '',
): Promise<PurchaseCheck | undefined> {
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`purchase_checks\` WHERE \`applicationId\` = ? AND \`keyHash\` = ?${suffix}`,
    [applicationId, keyHash],
  )
  return row && table.toRow(row)
}

interface Recording {
  /** The check as its events contain it. */
  readonly published: PurchaseCheck
  readonly connection: EventConnection
  /** Whether the caller no longer waits. The check is then not stored, because its caller got UNKNOWN. */
  isLate(): boolean
}

/**
 * Stores a check with its events in one transaction. Returns the check that then has the key: of concurrent requests
 * with one key, the first one stores its check.
 */
export const recordCheck = (
  db: Pick<Database, 'transaction'>,
  check: PurchaseCheck,
  { published, connection, isLate }: Recording,
): Promise<PurchaseCheck> =>
  db.transaction(async (tx) => {
    const stored = await insertUnlessStored(tx, check)
    if (stored.id === check.id)
      await appendEvents(
        tx,
        { applicationId: check.applicationId, connectionId: connection.id, at: check.checkedAt },
        eventsOf(published, connection),
      )
    if (isLate()) throw new Error('the deadline of the purchase check is over')
    return stored
  })

async function insertUnlessStored(tx: Transaction, check: PurchaseCheck): Promise<PurchaseCheck> {
  await tx.run(insertIfAbsentSql(tx.dialect, table.name, table.columns, 'keyHash'), table.toValues(check))
  // Usually it is the new row: its columns need not be read again.
  const [stored] = await tx.rows<Pick<PurchaseCheck, 'id'>>(
    `SELECT \`id\` FROM \`purchase_checks\` WHERE \`applicationId\` = ? AND \`keyHash\` = ?${forUpdate(tx.dialect)}`,
    [check.applicationId, check.keyHash],
  )
  if (!stored || stored.id === check.id) return check
  return (await findByKey(tx, check, check.keyHash, forUpdate(tx.dialect))) ?? check
}
