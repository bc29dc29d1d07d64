import { describe, expect, test } from 'vitest'
import { stores } from '../../support/database/stores.ts'
import { eventually } from '../../support/sync/sync-harness.ts'
import { WebhookInbox } from '../../support/webhooks/webhook-inbox.ts'
import { DeliveryHarness, SECRET } from '../../support/webhooks/delivery-harness.ts'

const SECOND = 1000
const DAY = 86_400 * SECOND

describe.each(stores)('an endpoint that rejects its messages, on %s', (store) => {
  test('gets retries on schedule with the same body and a new signature, and each attempt is recorded', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start({
      secrets: [SECRET],
      react: (_, { received }) =>
        received.length < 3
          ? { status: 500, headers: { 'x-why': 'broken' }, body: 'sorry' }
          : { status: 200 },
    })
    await harness.endpoint(inbox.url, { retrySeconds: [5, 60] })
    harness.startWorker()
    await harness.log(1)
    await inbox.until(({ received }) => received.length === 1)
    await eventually(async () => (await harness.statuses())['pending'] === 1)
    const [first] = await harness.deliveries()
    expect(first).toMatchObject({ status: 'pending', attempts: 1, lastStatusCode: 500 })
    for (const [wait, count] of [
      [7 * SECOND, 2],
      [80 * SECOND, 3],
    ] as const) {
      await eventually(async () => (await harness.deliveries())[0]?.attempts === count - 1)
      harness.moveClock(wait)
      await inbox.until(({ received }) => received.length === count)
    }
    await eventually(async () => (await harness.statuses())['delivered'] === 1)
    expect(new Set(inbox.received.map(({ id }) => id)).size).toBe(1)
    expect(new Set(inbox.received.map(({ body }) => body)).size).toBe(1)
    expect(inbox.forged).toEqual([])
    const attempts = await harness.db.rows<Record<string, unknown>>(
      'SELECT * FROM `webhook_attempts` ORDER BY `number`',
    )
    expect(attempts.map((one) => [one['number'], one['statusCode']])).toEqual([
      [1, 500],
      [2, 500],
      [3, 200],
    ])
    expect(attempts[0]?.['responseBody']).toBe('sorry')
    expect(JSON.parse(String(attempts[0]?.['responseHeaders']))).toMatchObject({ 'x-why': 'broken' })
    expect(JSON.parse(String(attempts[0]?.['requestHeaders']))).toHaveProperty('webhook-signature')
  })

  test('gets no message during its Retry-After', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start({
      react: () => ({ status: 503, headers: { 'retry-after': '3600' } }),
    })
    await harness.endpoint(inbox.url)
    harness.startWorker()
    await harness.log(1)
    await eventually(async () => (await harness.statuses())['pending'] === 1)
    const [{ nextAttemptAt, lastAttemptAt } = { nextAttemptAt: 0, lastAttemptAt: 0 }] =
      await harness.deliveries()
    expect(Number(nextAttemptAt) - Number(lastAttemptAt)).toBeGreaterThanOrEqual(3600 * SECOND)
  })

  test('is disabled at once if it responds 410, with one event', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start({ react: () => ({ status: 410 }) })
    await harness.endpoint(inbox.url, { concurrency: 1 })
    harness.startWorker()
    await harness.log(50)
    await eventually(
      async () =>
        (await harness.one<{ disabledReason: string }>('SELECT * FROM `webhook_endpoints`'))
          .disabledReason === 'gone',
    )
    await eventually(
      async () =>
        (await harness.one<{ leaseOwner: string | null }>('SELECT * FROM `webhook_progress`')).leaseOwner ===
        null,
    )
    const sent = inbox.received.length
    expect(sent).toBeLessThan(5)
    await harness.log(5)
    const reported = await harness.db.rows<{ detail: string }>(
      "SELECT `detail` FROM `events` WHERE `type` = 'webhook_endpoint.disabled'",
    )
    expect(reported).toHaveLength(1)
    inbox.react = () => ({ status: 200 })
    await harness.run('UPDATE `webhook_endpoints` SET `disabledAt` = NULL')
    await harness.run('UPDATE `webhook_progress` SET `wakeAt` = ?, `failures` = 0, `failingSince` = NULL', [
      harness.tools.clock.now(),
    ])
    await eventually(
      async () =>
        ((await harness.statuses())['delivered'] ?? 0) + ((await harness.statuses())['pending'] ?? 0) >= 55,
    )
    expect(new Set(inbox.firstReceipts).size).toBe(55)
  })

  test('is disabled after five days without a success, if enough attempts failed over more than a day', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start({ react: () => ({ status: 500 }) })
    await harness.endpoint(inbox.url, {
      retrySeconds: [100_000, 100_000, 100_000, 100_000, 100_000, 100_000],
    })
    harness.startWorker()
    await harness.log(12)
    const failures = async () =>
      (await harness.one<{ failures: number }>('SELECT * FROM `webhook_progress`')).failures
    const reason = async () =>
      (await harness.one<{ disabledReason: string | null }>('SELECT * FROM `webhook_endpoints`'))
        .disabledReason
    await eventually(async () => Number(await failures()) >= 12)
    harness.moveClock(1.5 * DAY)
    await eventually(async () => Number(await failures()) >= 20)
    harness.moveClock(3 * DAY)
    await eventually(async () => Number(await failures()) >= 21)
    expect(await reason()).toBeNull()
    harness.moveClock(DAY)
    await eventually(async () => (await reason()) === 'failing')
  })

  test('with an occasional success is never disabled', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start({
      react: (_, { received }) => ({ status: received.length % 5 === 0 ? 200 : 500 }),
    })
    await harness.endpoint(inbox.url, { retrySeconds: [1, 1] })
    harness.startWorker()
    for (let day = 0; day < 8; day++) {
      await harness.log(3)
      const before = inbox.received.length
      harness.moveClock(DAY)
      await inbox.until(({ received }) => received.length >= before + 2)
    }
    const endpoint = await harness.one<{ disabledAt: number | null }>(
      'SELECT `disabledAt` FROM `webhook_endpoints`',
    )
    expect(endpoint.disabledAt).toBeNull()
  })

  test('gets one message at a time after long failures; its backlog waits in the log and arrives later', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start({ react: () => ({ status: 500 }) })
    await harness.endpoint(inbox.url)
    harness.startWorker()
    await harness.log(300)
    const idle = async () =>
      (await harness.one<{ leaseOwner: string | null }>('SELECT * FROM `webhook_progress`')).leaseOwner ===
      null
    await inbox.until(({ received }) => received.length >= 20)
    await eventually(idle)
    await probed(harness, inbox, 11 * SECOND)
    const sent = inbox.received.length
    expect(sent).toBeLessThan(50)
    await probed(harness, inbox, 31 * SECOND)
    await eventually(idle)
    expect(inbox.received.length).toBe(sent + 1)
    inbox.react = () => ({ status: 200 })
    await eventually(async () => {
      harness.moveClock(60 * SECOND)
      return (await harness.statuses())['delivered'] === 300
    })
    expect(new Set(inbox.firstReceipts)).toEqual(new Set(await harness.logged()))
  })

  test('continues at once after a burst of broken connections of any length', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start()
    await harness.endpoint(inbox.url, { concurrency: 50 })
    harness.startWorker()
    await harness.log(500)
    await inbox.arrived(100)
    let resets = 25
    inbox.react = () => (resets-- > 0 ? 'reset' : { status: 200 })
    await harness.log(500)
    await eventually(async () => (await harness.statuses())['delivered'] === 1000)
    expect(resets).toBeLessThan(0)
  })
})

/** Waits until it gets one more message, some time later. */
async function probed(harness: DeliveryHarness, { received }: WebhookInbox, later: number): Promise<void> {
  const before = received.length
  harness.moveClock(later)
  await eventually(() => Promise.resolve(received.length > before))
}
