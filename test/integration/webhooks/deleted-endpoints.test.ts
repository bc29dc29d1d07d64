import { describe, expect, test } from 'vitest'
import { keyHolder } from '../../../src/auth/caller.ts'
import { deleteEndpoint } from '../../../src/subgraphs/events/webhooks/endpoints/delete-endpoint.ts'
import { stores } from '../../support/database/stores.ts'
import { eventually } from '../../support/sync/sync-harness.ts'
import { WebhookInbox } from '../../support/webhooks/webhook-inbox.ts'
import { DeliveryHarness } from '../../support/webhooks/delivery-harness.ts'

const MINUTE = 60_000

describe.each(stores)('a pending delivery, on %s', (store) => {
  test.each(['none', 'resource'] as const)(
    'fails once its event is removed, and later events are delivered, with ordering %s',
    async (ordering) => {
      await using harness = await DeliveryHarness.start(store)
      await using inbox = await WebhookInbox.start({ react: () => ({ status: 500 }) })
      await harness.endpoint(inbox.url, { ordering, retrySeconds: [60] })
      harness.startWorker()
      await harness.log(5, { vehicles: 1 })
      await eventually(async () => (await harness.statuses())['pending'] === 5)
      const receivedBefore = inbox.received.length
      await harness.run('DELETE FROM `events`')
      inbox.react = () => ({ status: 200 })
      await harness.log(3, { vehicles: 1 })
      harness.moveClock(2 * MINUTE)
      await eventually(async () => {
        const { failed, delivered } = await harness.statuses()
        return failed === 5 && delivered === 3
      })
      expect(new Set(inbox.received.slice(receivedBefore).map(({ id }) => id))).toEqual(
        new Set(await harness.logged()),
      )
      const blocked = await harness.db.rows<{ error: string; n: number }>(
        "SELECT `error`, COUNT(*) AS n FROM `webhook_attempts` WHERE `outcome` = 'blocked' GROUP BY `error`",
      )
      expect(blocked.map(({ error, n }) => [error, Number(n)])).toEqual([
        ['The event is no longer in the event log.', 5],
      ])
    },
  )

  test('to a deleted endpoint is not sent, and other endpoints receive their events', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start()
    await using other = await WebhookInbox.start()
    const { id: endpointId } = await harness.endpoint(inbox.url, { ratePerSecond: 100 })
    await harness.endpoint(other.url)
    const worker = harness.startWorker()
    await harness.log(1000)
    await inbox.arrived(5)
    await deleteEndpoint(harness.tools, keyHolder(harness.applicationId), { endpointId })
    await harness.log(10)
    await other.arrived(1010)
    await worker.close()
    expect(inbox.received.length).toBeLessThan(1000)
    const remaining = await harness.one<{ n: number }>('SELECT COUNT(*) AS n FROM `webhook_progress`')
    expect(Number(remaining.n)).toBe(1)
  })

  test('to a deleted endpoint is not retried', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start({ react: () => ({ status: 500 }) })
    await using other = await WebhookInbox.start()
    const { id: endpointId } = await harness.endpoint(inbox.url, { retrySeconds: [60, 60] })
    await harness.endpoint(other.url)
    harness.startWorker()
    await harness.log(3)
    await eventually(async () => (await harness.statuses())['pending'] === 3)
    await deleteEndpoint(harness.tools, keyHolder(harness.applicationId), { endpointId })
    harness.moveClock(2 * MINUTE)
    await harness.log(3)
    await other.arrived(6)
    expect(inbox.received).toHaveLength(3)
  })

  test.each([
    ['for the first time', []],
    ['again', [1, 60]],
  ] as const)(
    'that is sent %s leaves no rows if the data of its connection are deleted meanwhile',
    async (_when, retrySeconds) => {
      await using harness = await DeliveryHarness.start(store)
      const refusals = retrySeconds.length === 0 ? 0 : 1
      const inbox = await WebhookInbox.start({
        react: (_receipt, { received }) => (received.length > refusals ? 'hang' : { status: 500 }),
      })
      await harness.endpoint(inbox.url, { retrySeconds: [...retrySeconds, 60] })
      harness.startWorker()
      await harness.log(1)
      await inbox.until(({ unanswered }) => unanswered === 1)
      await harness.run("UPDATE `connections` SET `status` = 'deleting'")
      await harness.run('DELETE FROM `webhook_deliveries`')
      await harness.run('DELETE FROM `webhook_attempts`')
      await harness.run(
        "UPDATE `events` SET `connectionId` = '', `type` = '', `subjectId` = NULL, `detail` = '{}'",
      )
      await inbox[Symbol.asyncDispose]()
      await harness.run("UPDATE `connections` SET `status` = 'deleted'")
      await harness.log(1, { type: 'connection.deleted' })
      await eventually(async () => {
        harness.moveClock(MINUTE)
        return (await harness.deliveries()).some(
          ({ type, attempts }) => type === 'connection.deleted' && attempts > 0,
        )
      })
      expect((await harness.deliveries()).map(({ type }) => type)).toEqual(['connection.deleted'])
      const foreign = await harness.one<{ n: number }>(
        'SELECT COUNT(*) AS n FROM `webhook_attempts` WHERE `deliveryId` NOT IN (SELECT `id` FROM `webhook_deliveries`)',
      )
      expect(Number(foreign.n)).toBe(0)
    },
  )
})
