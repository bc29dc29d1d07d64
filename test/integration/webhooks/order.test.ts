import { describe, expect, test } from 'vitest'
import { stores } from '../../support/database/stores.ts'
import { eventually } from '../../support/sync/sync-harness.ts'
import { WebhookInbox, type Receipt } from '../../support/webhooks/webhook-inbox.ts'
import { DeliveryHarness } from '../../support/webhooks/delivery-harness.ts'

/** Returns the number of messages whose first receipt is after a later message of the same record. */
function outOfOrder(received: readonly Receipt[], logged: readonly string[]): number {
  const positions = new Map(logged.map((id, index) => [id, index]))
  const newest = new Map<string, number>()
  const seen = new Set<string>()
  let outOfOrderCount = 0
  for (const { id, event } of received) {
    if (seen.has(id)) continue
    seen.add(id)
    const { vehicle } = event.detail as { vehicle: { id: string } }
    const at = positions.get(id) ?? -1
    if (at < (newest.get(vehicle.id) ?? -1)) outOfOrderCount++
    newest.set(vehicle.id, Math.max(at, newest.get(vehicle.id) ?? -1))
  }
  return outOfOrderCount
}

describe.each(stores)('an endpoint with ordering by record, on %s', (store) => {
  test('receives each record in order, with random failures and one record that fails for long', async () => {
    await using harness = await DeliveryHarness.start(store)
    const failed = new Set<string>()
    let isBroken = true
    await using inbox = await WebhookInbox.start({
      react({ id, event }) {
        const { vehicle } = event.detail as { vehicle: { id: string } }
        if (isBroken && vehicle.id.endsWith('07')) return { status: 500 }
        if (failed.size > 60 || failed.has(id) || Math.random() > 0.25) return { status: 200 }
        failed.add(id)
        return { status: 500 }
      },
    })
    await harness.endpoint(inbox.url, { ordering: 'resource', retrySeconds: Array(9).fill(1) as number[] })
    harness.startWorker()
    await harness.log(400, { vehicles: 20 })
    await eventually(async () => {
      harness.moveClock(1000)
      return (await harness.statuses())['delivered'] === 380
    })
    expect(await harness.statuses()).toMatchObject({ delivered: 380 })
    isBroken = false
    await eventually(async () => {
      // An attempt that was in flight when the receiver recovered can still be the last one.
      await harness.run(
        "UPDATE `webhook_deliveries` SET `attempts` = 1, `nextAttemptAt` = 1, `status` = 'pending' WHERE `status` = 'failed'",
      )
      await harness.run('UPDATE `webhook_progress` SET `wakeAt` = 1')
      harness.moveClock(1000)
      return (await harness.statuses())['delivered'] === 400
    })
    expect(inbox.firstReceipts).toHaveLength(400)
    expect(outOfOrder(inbox.received, await harness.logged())).toBe(0)
  })

  test('receives each record in order from successive workers', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start()
    await harness.endpoint(inbox.url, { ordering: 'resource' })
    await harness.log(600, { vehicles: 10 })
    for (let done = 0; done < 600;) {
      const worker = harness.startWorker()
      const until = Math.min(600, inbox.firstReceipts.length + 90)
      await inbox.arrived(until)
      await worker.close()
      done = inbox.firstReceipts.length
    }
    expect(outOfOrder(inbox.received, await harness.logged())).toBe(0)
    expect(inbox.doubled).toBe(0)
  })

  test('receives each record in order while hundreds of messages wait for a retry', async () => {
    await using harness = await DeliveryHarness.start(store)
    const failed = new Set<string>()
    await using inbox = await WebhookInbox.start({
      react({ id }) {
        if (failed.has(id) || Math.random() > 0.1) return { status: 200 }
        failed.add(id)
        return { status: 500 }
      },
    })
    await harness.endpoint(inbox.url, { ordering: 'resource', retrySeconds: Array(9).fill(1) as number[] })
    await harness.log(1500, { vehicles: 2 })
    for (let done = 0; done < 1500;) {
      const worker = harness.startWorker()
      await eventually(async () => {
        harness.moveClock(1000)
        return ((await harness.statuses())['delivered'] ?? 0) >= Math.min(1500, done + 400)
      })
      await worker.close()
      done = (await harness.statuses())['delivered'] ?? 0
    }
    expect(outOfOrder(inbox.received, await harness.logged())).toBe(0)
    // The clock runs ahead of running requests. A lease can end during a request, which is then sent again.
    expect(inbox.firstReceipts).toHaveLength(1500)
    expect(inbox.doubled - failed.size).toBeLessThan(10)
  })
})
