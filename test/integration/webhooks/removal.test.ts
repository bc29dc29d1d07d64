import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteDueConnectionData } from '../../../src/sync/retention/delete-connection-data.ts'
import { purgeOrphanedDeliveries } from '../../../src/sync/retention/purge-orphaned-deliveries.ts'
import { inProcessQueue } from '../../../src/queue/in-process-queue.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { registry } from '../../../src/providers/registry.ts'
import { WebhookDelivery } from '../../../src/subgraphs/events/webhooks/webhook-delivery.ts'
import { DAY, dialects, eventRow, type SeededApplication } from '../../support/factories.ts'
import { silent } from '../../support/graph/graph-harness.ts'
import { seedWebhooks } from '../../support/graph/webhook-rows.ts'
import { EndpointHarness } from '../../support/webhooks/endpoint-harness.ts'

describe.each(dialects)('the removal of deliveries, on %s', (dialect) => {
  let harness: EndpointHarness
  beforeAll(async () => void (harness = await EndpointHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  const remaining = async ({ id }: SeededApplication) =>
    Promise.all(
      ['webhook_deliveries', 'webhook_attempts'].map(
        async (table) => (await harness.rows(table, '`applicationId` = ?', id)).length,
      ),
    )

  test('covers those of a deleted endpoint only', async () => {
    const seeded = await harness.seedRecords((owner) => ({ events: [eventRow(owner), eventRow(owner)] }))
    const { webhookEndpoint } = await seedWebhooks(harness.db, seeded)
    const other = await harness.seedRecords((owner) => ({ events: [eventRow(owner)] }))
    await seedWebhooks(harness.db, other)
    const [row] = await harness.rows('webhook_deliveries', '`endpointId` = ?', webhookEndpoint)
    const more = Array.from({ length: 1100 }, (_, at) => ({
      ...(row as unknown as WebhookDelivery),
      id: `whd_${String(at).padStart(26, '0')}`,
      eventId: `evt_${String(at).padStart(26, '0')}`,
    }))
    await harness.db.transaction((tx) => tx.insert(tableOf(WebhookDelivery), more))
    await purgeOrphanedDeliveries({ db: harness.db })
    expect(await remaining(seeded)).toEqual([1102, 2])
    await harness.mutate(
      seeded.client,
      'deleteWebhookEndpoint',
      { endpointId: webhookEndpoint },
      'endpointId',
    )
    await purgeOrphanedDeliveries({ db: harness.db })
    expect(await remaining(seeded)).toEqual([0, 0])
    expect(await remaining(other)).toEqual([1, 1])
  })

  test('covers those of a connection whose data are deleted, and their events are not found', async () => {
    const seeded = await harness.seedRecords((owner) => ({ events: [eventRow(owner)] }))
    const { webhookDelivery } = await seedWebhooks(harness.db, seeded)
    const { id } = seeded.connections[0]!.connection
    const [kept] = await harness.rows('webhook_deliveries', '`id` = ?', webhookDelivery)
    await harness.run(
      'UPDATE `webhook_deliveries` SET `connectionId` = ? WHERE `id` = ?',
      id,
      webhookDelivery,
    )
    await harness.run(
      "UPDATE `connections` SET `status` = 'pending_deletion', `deletionRequestedAt` = ? WHERE `id` = ?",
      harness.now - 2 * DAY,
      id,
    )
    const queue = inProcessQueue({ onError: () => undefined })
    await deleteDueConnectionData({
      db: harness.db,
      clock: { now: () => harness.now },
      registry: registry([]),
      queue,
      log: silent,
    })
    expect(await remaining(seeded)).toEqual([0, 0])
    const { endpointId, eventId } = kept as unknown as WebhookDelivery
    const result = await harness.mutate(
      seeded.client,
      'replayEvent',
      { endpointId, eventId },
      'delivery { id }',
    )
    expect(result).toMatchObject({ code: 'NOT_FOUND' })
  })
})
