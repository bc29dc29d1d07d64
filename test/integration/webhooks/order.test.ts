import { describe, expect, test } from 'vitest'
import { stores } from '../../support/stores.ts'
import { eventually } from '../../support/sync/sync-harness.ts'
import { WebhookInbox, type Receipt } from '../../support/webhooks/webhook-inbox.ts'
import { DeliveryHarness } from '../../support/webhooks/delivery-harness.ts'

/** How many messages came first after one of the same record that is later in the log. */
function outOfOrder(received: readonly Receipt[], logged: readonly string[]): number {
  const place = new Map(logged.map((id, index) => [id, index]))
  const newest = new Map<string, number>()
  const seen = new Set<string>()
  let wrong = 0
  for (const { id, event } of received) {
    if (seen.has(id)) continue
    seen.add(id)
    const { vehicle } = event.detail as { vehicle: { id: string } }
    const at = place.get(id) ?? -1
    if (at < (newest.get(vehicle.id) ?? -1)) wrong++
    newest.set(vehicle.id, Math.max(at, newest.get(vehicle.id) ?? -1))
  }
  return wrong
}

describe.each(stores)('an endpoint that wants the order of each record kept, on %s', (store) => {
  test('gets it, while one message in four fails once and one record fails for long', async () => {
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

  test('gets it across workers that take over from each other', async () => {
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

  test('gets it while hundreds wait behind one that is sent again, whoever takes over', async () => {
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
    // Its clock runs ahead of what is under way, so a lease may end under a post: that one comes once more.
    expect(inbox.firstReceipts).toHaveLength(1500)
    expect(inbox.doubled - failed.size).toBeLessThan(10)
  })
})
