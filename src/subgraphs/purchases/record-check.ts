import { sha256 } from '../../domain/sha256.ts'
import type { Database, Rows } from '../../storage/database.ts'
import { isDuplicateKey } from '../../storage/duplicate-key.ts'
import { appendEvents } from '../../storage/outbox.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { type EventConnection, eventsOf } from './events.ts'
import { PurchaseCheck } from './purchase-check.ts'

const table = tableOf(PurchaseCheck)

/** Returns the hash of an idempotency key of an application. */
export const keyHashOf = (
  { applicationId }: Pick<PurchaseCheck, 'applicationId'>,
  idempotencyKey: string,
): string => sha256(`${applicationId} ${idempotencyKey}`)

/** Returns the check with an idempotency key of an application; undefined if there is none. */
export async function findByKey(
  db: Rows,
  { applicationId }: Pick<PurchaseCheck, 'applicationId'>,
  keyHash: string,
): Promise<PurchaseCheck | undefined> {
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`purchase_checks\` WHERE \`applicationId\` = ? AND \`keyHash\` = ?`,
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
export async function recordCheck(
  db: Pick<Database, 'rows' | 'transaction'>,
  check: PurchaseCheck,
  { published, connection, isLate }: Recording,
): Promise<PurchaseCheck> {
  const origin = { applicationId: check.applicationId, connectionId: connection.id, at: check.checkedAt }
  try {
    await db.transaction(async (tx) => {
      await tx.insert(table, [check])
      await appendEvents(tx, origin, eventsOf(published, connection))
      if (isLate()) throw new Error('the deadline of the purchase check is over')
    }, 'idempotent')
    return check
  } catch (error) {
    const stored = isDuplicateKey(error) ? await findByKey(db, check, check.keyHash) : undefined
    if (!stored) throw error
    return stored
  }
}
