import type { Transaction } from '../../../../storage/database.ts'
import { placeholders } from '../../../../storage/loaders/order-by-keys.ts'
import { tableOf } from '../../../../storage/sql/table.ts'
import type { Instant } from '../../../../domain/time.ts'
import { WebhookDelivery } from '../webhook-delivery.ts'
import type { WebhookEndpoint } from '../webhook-endpoint.ts'

/** Delivery to enqueue, and the time since which it is due. */
export interface DueDelivery {
  readonly delivery: WebhookDelivery
  readonly isNew: boolean
  readonly dueAt: Instant
}

/**
 * Enqueues deliveries in their order. The transaction must hold the lock on the endpoint's progress. With ordering by
 * resource, a delivery waits while an earlier event of its record is pending.
 */
export async function enqueueDeliveries(
  tx: Transaction,
  { ordering }: Pick<WebhookEndpoint, 'ordering'>,
  dues: readonly DueDelivery[],
): Promise<WebhookDelivery[]> {
  if (dues.length === 0) return []
  const busy = ordering === 'resource' ? await pendingResources(tx, dues) : new Set<string>()
  const enqueued = dues.map(({ delivery, dueAt }): WebhookDelivery => {
    const { resourceId } = delivery
    const waits = ordering === 'resource' && resourceId !== null && busy.has(resourceId)
    if (resourceId !== null) busy.add(resourceId)
    return { ...delivery, status: 'pending', nextAttemptAt: waits ? null : dueAt }
  })
  await tx.insert(
    tableOf(WebhookDelivery),
    enqueued.filter((_, at) => dues[at]?.isNew),
  )
  await update(
    tx,
    enqueued.filter((_, at) => !dues[at]?.isNew),
  )
  return enqueued
}

/** Returns the records that have a due delivery other than the given ones. */
async function pendingResources(tx: Transaction, dues: readonly DueDelivery[]): Promise<Set<string>> {
  const resources = [...new Set(dues.flatMap(({ delivery }) => delivery.resourceId ?? []))]
  const endpointId = dues[0]?.delivery.endpointId
  if (resources.length === 0) return new Set()
  const rows = await tx.rows<{ id: string; resourceId: string }>(
    `SELECT \`id\`, \`resourceId\` FROM \`webhook_deliveries\` WHERE \`endpointId\` = ? AND \`status\` = 'pending'
      AND \`nextAttemptAt\` IS NOT NULL AND \`resourceId\` IN (${placeholders(resources.length)})`,
    [endpointId, ...resources],
  )
  const requestedIds = new Set(dues.map(({ delivery }) => String(delivery.id)))
  return new Set(rows.filter(({ id }) => !requestedIds.has(id)).map(({ resourceId }) => resourceId))
}

async function update(tx: Transaction, rows: readonly WebhookDelivery[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const cases = rows.map(() => 'WHEN ? THEN ?').join(' ')
  await tx.run(
    `UPDATE \`webhook_deliveries\` SET \`status\` = 'pending', \`replays\` = \`replays\` + 1, \`nextAttemptAt\` = CASE \`id\` ${cases} END
      WHERE \`id\` IN (${placeholders(rows.length)}) AND \`applicationId\` = ?`,
    [
      ...rows.flatMap(({ id, nextAttemptAt }) => [id, nextAttemptAt]),
      ...rows.map(({ id }) => id),
      first.applicationId,
    ],
  )
}
