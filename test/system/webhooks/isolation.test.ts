import { describe, expect, test } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { WebhookSecret } from '../../../src/subgraphs/events/webhooks/webhook-secret.ts'
import type { DeliveryWorkerDeps } from '../../../src/webhooks/worker/delivery-worker.ts'
import { stores } from '../../support/database/stores.ts'
import { eventually } from '../../support/sync/sync-harness.ts'
import { WebhookInbox } from '../../support/webhooks/webhook-inbox.ts'
import { DeliveryHarness, SECRET } from '../../support/webhooks/delivery-harness.ts'

describe.each(stores)('concurrent endpoints, on %s', (store) => {
  test('get everything while half of them never respond', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using hanging = await WebhookInbox.start({ react: () => 'hang' })
    await using healthy = await WebhookInbox.start()
    const paths = Array.from({ length: 20 }, (_, index) => `/${index}`)
    await harness.log(100)
    await harness.endpoints(paths.map((path) => hanging.url + path))
    await harness.endpoints(paths.map((path) => healthy.url + path))
    harness.startWorker({ drainMs: 0, outboundHttp: patient(harness.tools.outboundHttp) })
    await healthy.until(({ received }) => received.length === 2000)
    expect(hanging.unanswered).toBeGreaterThanOrEqual(20)
    expect(hanging.received).toHaveLength(hanging.unanswered)
    const each = new Map<string, number>()
    for (const { path } of healthy.received) each.set(path, (each.get(path) ?? 0) + 1)
    expect([...each.values()]).toEqual(Array(20).fill(100))
  })

  test('each get everything once if two workers share them', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start()
    harness.startWorker()
    harness.startWorker()
    await harness.endpoints(Array.from({ length: 30 }, (_, index) => `${inbox.url}/${index}`))
    for (let batch = 0; batch < 5; batch++) await harness.log(20)
    await eventually(async () => (await harness.statuses())['delivered'] === 3000)
    expect(inbox.received).toHaveLength(3000)
  })

  test("take turns if there are more than a worker's capacity", async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start()
    await harness.log(10)
    await harness.endpoints(Array.from({ length: 12 }, (_, index) => `${inbox.url}/${index}`))
    harness.startWorker({ maxEndpoints: 3 })
    await inbox.until(({ received }) => received.length === 120)
    expect(inbox.received).toHaveLength(120)
  })

  test('get nothing after they are disabled, and all of it after they are enabled again', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start()
    const { id } = await harness.endpoint(inbox.url, { ratePerSecond: 100 })
    harness.startWorker()
    await harness.log(300)
    await inbox.arrived(5)
    await harness.run('UPDATE `webhook_endpoints` SET `disabledAt` = 1, `modifiedAt` = 1')
    await eventually(
      async () =>
        (await harness.one<{ leaseOwner: string | null }>('SELECT * FROM `webhook_progress`')).leaseOwner ===
        null,
    )
    const sent = inbox.received.length
    expect(sent).toBeLessThan(300)
    await harness.log(10)
    expect(inbox.received).toHaveLength(sent)
    await harness.run('UPDATE `webhook_endpoints` SET `disabledAt` = NULL')
    await harness.run('UPDATE `webhook_progress` SET `wakeAt` = 1 WHERE `endpointId` = ?', [id])
    await inbox.arrived(310)
    expect(inbox.doubled).toBe(0)
  })

  test('get pending messages by their new settings', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using before = await WebhookInbox.start()
    await using after = await WebhookInbox.start()
    await harness.endpoint(before.url, { ratePerSecond: 50 })
    harness.startWorker()
    await harness.log(100)
    await before.arrived(3)
    await harness.run('UPDATE `webhook_endpoints` SET `url` = ?, `ratePerSecond` = NULL', [after.url])
    await eventually(async () => (await harness.statuses())['delivered'] === 100)
    expect(new Set([...before.firstReceipts, ...after.firstReceipts]).size).toBe(100)
    expect(after.received.length).toBeGreaterThan(0)
  })

  test('get only what they subscribe to: types by the name they used, connections, tags', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start()
    await harness.endpoint(`${inbox.url}/alias`, { types: ['safety_event.added'] })
    await harness.endpoint(`${inbox.url}/elsewhere`, { connectionIds: [newId('connection')] })
    await harness.endpoint(`${inbox.url}/north`, { tags: ['south', 'north'] })
    await harness.endpoint(`${inbox.url}/south`, { tags: ['south'] })
    harness.startWorker()
    await harness.log(5)
    await harness.log(3, { type: 'safety.added' })
    await inbox.until(({ received }) => received.length === 11)
    const reported = inbox.received.map(({ path, event }) => `${path} ${event.type}`)
    expect(new Set(reported)).toEqual(
      new Set([
        '/hooks/alias safety_event.added',
        '/hooks/north vehicle.modified',
        '/hooks/north safety.added',
      ]),
    )
    await eventually(
      async () =>
        Number(
          (await harness.one<{ n: number }>('SELECT MIN(`position`) AS n FROM `webhook_progress`')).n,
        ) === 8,
    )
    expect(inbox.received).toHaveLength(11)
  })

  test('get no more data of an archived connection', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start()
    await harness.endpoint(inbox.url, { types: ['*'] })
    await harness.run("UPDATE `connections` SET `status` = 'archived'")
    harness.startWorker()
    await harness.log(5)
    await harness.log(1, { type: 'connection.updated' })
    await inbox.arrived(1)
    expect(inbox.received.map(({ event }) => event.type)).toEqual(['connection.updated'])
  })

  test('verify every message during repeated rotations of their secret', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start({ secrets: [SECRET] })
    const endpoint = await harness.endpoint(inbox.url)
    harness.startWorker()
    for (let turn = 0; turn < 4; turn++) {
      const next = `whsec_${Buffer.from(`not a real secret, number ${turn}`).toString('base64')}`
      await harness.run('UPDATE `webhook_secrets` SET `expiresAt` = ? WHERE `expiresAt` IS NULL', [
        Date.now() + 5000,
      ])
      await harness.db.transaction((tx) =>
        tx.insert(tableOf(WebhookSecret), [harness.secretRow(endpoint, next)]),
      )
      await harness.log(100)
      inbox.secrets.push(next)
      await inbox.arrived((turn + 1) * 100)
    }
    expect(inbox.forged).toEqual([])
    await eventually(async () => {
      harness.moveClock(2000)
      await harness.log(1)
      await inbox.until(({ received }) => received.length > 400)
      return !inbox.received.at(-1)?.headers['webhook-signature']?.includes(' ')
    })
  })

  test('continue after an event without a payload', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start()
    await harness.log(3)
    await harness.log(1, { type: 'connection.updated' })
    await harness.log(3)
    await harness.run("UPDATE `connections` SET `tokenSealed` = 'nonsense'")
    await harness.endpoint(inbox.url)
    harness.startWorker()
    await inbox.arrived(6)
    await eventually(
      async () => (await harness.deliveries()).filter(({ attempts }) => attempts > 0).length === 7,
    )
    expect(await harness.statuses()).toEqual({ delivered: 6, failed: 1 })
    expect(
      await harness.one('SELECT `outcome`, `error` FROM `webhook_attempts` WHERE `outcome` = ?', ['blocked']),
    ).toEqual({
      outcome: 'blocked',
      error: 'The payload of this event could not be built.',
    })
  })
})

/** Returns an outbound request that waits as long as the test may take. */
const patient = ({ post }: DeliveryWorkerDeps['outboundHttp']): DeliveryWorkerDeps['outboundHttp'] => ({
  post: (request, signal) => post({ ...request, timeoutMs: 600_000 }, signal),
})
