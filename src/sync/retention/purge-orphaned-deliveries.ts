import type { Transaction } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import type { WorkerDeps } from '../sync-context.ts'

const ROWS_PER_BATCH = 500
const BATCHES_PER_RUN = 400

/**
 * Query for deleted endpoints that still have deliveries. It steps through the index from endpoint to endpoint, and
 * does not read all deliveries.
 */
const ORPHANED_ENDPOINTS = `
  WITH RECURSIVE known (id) AS (
    SELECT MIN(\`endpointId\`) FROM \`webhook_deliveries\`
    UNION ALL
    SELECT (SELECT MIN(d.\`endpointId\`) FROM \`webhook_deliveries\` AS d WHERE d.\`endpointId\` > known.id)
      FROM known WHERE known.id IS NOT NULL
  )
  SELECT known.id FROM known LEFT JOIN \`webhook_endpoints\` AS e ON e.\`id\` = known.id
    WHERE known.id IS NOT NULL AND e.\`id\` IS NULL`

/** Deletes the deliveries of deleted endpoints. One call deletes at most `BATCHES_PER_RUN` batches. */
export async function purgeOrphanedDeliveries(
  { db }: Pick<WorkerDeps, 'db'>,
  signal?: AbortSignal,
): Promise<void> {
  let batches = BATCHES_PER_RUN
  for (const { id } of await db.rows<{ id: string }>(ORPHANED_ENDPOINTS))
    for (let removed = ROWS_PER_BATCH; removed === ROWS_PER_BATCH && batches > 0; batches--) {
      signal?.throwIfAborted()
      const deliveries = await db.rows<{ id: string }>(
        `SELECT \`id\` FROM \`webhook_deliveries\` WHERE \`endpointId\` = ? LIMIT ${ROWS_PER_BATCH}`,
        [id],
      )
      removed = deliveries.length
      const ids = deliveries.map((delivery) => delivery.id)
      if (removed > 0) await db.transaction((tx) => removeDeliveries(tx, ids), 'idempotent')
    }
}

async function removeDeliveries(tx: Transaction, ids: readonly string[]): Promise<void> {
  await removeAttempts(tx, ids)
  await tx.run(`DELETE FROM \`webhook_deliveries\` WHERE \`id\` IN (${placeholders(ids.length)})`, ids)
}

/** Deletes the attempts of deliveries. */
export const removeAttempts = (tx: Transaction, deliveryIds: readonly unknown[]): Promise<number> =>
  tx.run(
    `DELETE FROM \`webhook_attempts\` WHERE \`deliveryId\` IN (${placeholders(deliveryIds.length)})`,
    deliveryIds,
  )
