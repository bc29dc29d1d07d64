import type { Transaction } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import type { WorkerDeps } from '../sync-context.ts'

const ROWS_PER_BATCH = 500
const BATCHES_PER_RUN = 400

/** Steps from endpoint to endpoint along the index, however many deliveries each has. */
const GONE = `
  WITH RECURSIVE known (id) AS (
    SELECT MIN(\`endpointId\`) FROM \`webhook_deliveries\`
    UNION ALL
    SELECT (SELECT MIN(d.\`endpointId\`) FROM \`webhook_deliveries\` AS d WHERE d.\`endpointId\` > known.id)
      FROM known WHERE known.id IS NOT NULL
  )
  SELECT known.id FROM known LEFT JOIN \`webhook_endpoints\` AS e ON e.\`id\` = known.id
    WHERE known.id IS NOT NULL AND e.\`id\` IS NULL`

/** Removes what was sent to endpoints that are deleted, a bounded part of it at a time. */
export async function purgeOrphanedDeliveries(
  { db }: Pick<WorkerDeps, 'db'>,
  signal?: AbortSignal,
): Promise<void> {
  let batches = BATCHES_PER_RUN
  for (const { id } of await db.rows<{ id: string }>(GONE))
    for (let removed = ROWS_PER_BATCH; removed === ROWS_PER_BATCH && batches > 0; batches--) {
      signal?.throwIfAborted()
      const deliveries = await db.rows<{ id: string }>(
        `SELECT \`id\` FROM \`webhook_deliveries\` WHERE \`endpointId\` = ? LIMIT ${ROWS_PER_BATCH}`,
        [id],
      )
      removed = deliveries.length
      const ids = deliveries.map((delivery) => delivery.id)
      if (removed > 0) await db.transaction((tx) => removeThese(tx, ids), 'repeatable')
    }
}

async function removeThese(tx: Transaction, ids: readonly string[]): Promise<void> {
  await removeAttempts(tx, ids)
  await tx.run(`DELETE FROM \`webhook_deliveries\` WHERE \`id\` IN (${placeholders(ids.length)})`, ids)
}

/** What was sent and answered in the course of deliveries. */
export const removeAttempts = (tx: Transaction, deliveryIds: readonly unknown[]): Promise<number> =>
  tx.run(
    `DELETE FROM \`webhook_attempts\` WHERE \`deliveryId\` IN (${placeholders(deliveryIds.length)})`,
    deliveryIds,
  )
