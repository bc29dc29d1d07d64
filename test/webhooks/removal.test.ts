import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteDueConnections } from '../../src/sync/removal/delete-data.ts'
import { removeOrphanedDeliveries } from '../../src/sync/removal/orphaned-deliveries.ts'
import { inProcessQueue } from '../../src/queue/in-process.ts'
import { tableOf } from '../../src/storage/table.ts'
import { registry } from '../../src/providers/registry.ts'
import { WebhookDelivery } from '../../src/subgraphs/events/webhooks/webhook-delivery.ts'
import { DAY, dialects, eventRow, type PlantedApplication } from '../factories.ts'
import { plantWebhooks } from '../graph/webhook-plants.ts'
import { EndpointsRig } from './endpoints-rig.ts'

describe.each(dialects)('what was sent, on %s', (dialect) => {
  let rig: EndpointsRig
  beforeAll(async () => void (rig = await EndpointsRig.start(dialect)))
  afterAll(() => rig[Symbol.asyncDispose]())

  const left = async ({ id }: PlantedApplication) =>
    Promise.all(
      ['webhook_deliveries', 'webhook_attempts'].map(
        async (table) => (await rig.rows(table, '`applicationId` = ?', id)).length,
      ),
    )

  test('to an endpoint goes once it is deleted, and nothing of the others', async () => {
    const planted = await rig.plantWith((owner) => ({ events: [eventRow(owner), eventRow(owner)] }))
    const { webhookEndpoint } = await plantWebhooks(rig.db, planted)
    const other = await rig.plantWith((owner) => ({ events: [eventRow(owner)] }))
    await plantWebhooks(rig.db, other)
    const [row] = await rig.rows('webhook_deliveries', '`endpointId` = ?', webhookEndpoint)
    const more = Array.from({ length: 1100 }, (_, at) => ({
      ...(row as unknown as WebhookDelivery),
      id: `whd_${String(at).padStart(26, '0')}`,
      eventId: `evt_${String(at).padStart(26, '0')}`,
    }))
    await rig.db.transaction((tx) => tx.insert(tableOf(WebhookDelivery), more))
    await removeOrphanedDeliveries({ db: rig.db })
    expect(await left(planted)).toEqual([1102, 2])
    await rig.mutate(planted.party, 'deleteWebhookEndpoint', { endpointId: webhookEndpoint }, 'endpointId')
    await removeOrphanedDeliveries({ db: rig.db })
    expect(await left(planted)).toEqual([0, 0])
    expect(await left(other)).toEqual([1, 1])
  })

  test('of a connection goes with its data, and its event says nothing any more', async () => {
    const planted = await rig.plantWith((owner) => ({ events: [eventRow(owner)] }))
    const { webhookDelivery } = await plantWebhooks(rig.db, planted)
    const { id } = planted.connections[0]!.connection
    const [kept] = await rig.rows('webhook_deliveries', '`id` = ?', webhookDelivery)
    await rig.run('UPDATE `webhook_deliveries` SET `connectionId` = ? WHERE `id` = ?', id, webhookDelivery)
    await rig.run(
      "UPDATE `connections` SET `status` = 'pending_deletion', `deletionRequestedAt` = ? WHERE `id` = ?",
      rig.now - 2 * DAY,
      id,
    )
    const queue = inProcessQueue({ onError: () => undefined })
    await deleteDueConnections({ db: rig.db, clock: { now: () => rig.now }, registry: registry([]), queue })
    expect(await left(planted)).toEqual([0, 0])
    const { endpointId, eventId } = kept as unknown as WebhookDelivery
    const told = await rig.mutate(planted.party, 'replayEvent', { endpointId, eventId }, 'delivery { id }')
    expect(told).toMatchObject({ code: 'NOT_FOUND' })
  })
})
