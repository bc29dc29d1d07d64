import { describe, expect, test } from 'vitest'
import { stores } from '../../support/database/stores.ts'
import { eventually } from '../../support/sync/sync-harness.ts'
import { WebhookInbox } from '../../support/webhooks/webhook-inbox.ts'
import { DeliveryHarness, SECRET } from '../../support/webhooks/delivery-harness.ts'

describe.each(stores)('the delivery worker, on %s', (store) => {
  test('delivers each event of the log once, signed, and records the deliveries', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start({ secrets: [SECRET] })
    await harness.endpoint(inbox.url)
    harness.startWorker()
    await harness.log(700)
    await inbox.arrived(700)
    expect(inbox.forged).toEqual([])
    expect(inbox.doubled).toBe(0)
    expect(new Set(inbox.firstReceipts)).toEqual(new Set(await harness.logged()))
    await eventually(async () => (await harness.statuses())['delivered'] === 700)
    await eventually(
      async () =>
        (await harness.one<{ position: number }>('SELECT `position` FROM `webhook_progress`')).position ===
        700,
    )
    await harness.log(5)
    await inbox.arrived(705)
  })

  test('stores a response with NUL characters without them, and not cut', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start({
      secrets: [SECRET],
      react: () => ({ status: 200, body: 'a\0b\0\0c' }),
    })
    await harness.endpoint(inbox.url)
    harness.startWorker()
    await harness.log(1)
    await eventually(async () => (await harness.statuses())['delivered'] === 1)
    const { responseBody } = await harness.one<{ responseBody: string }>(
      'SELECT `responseBody` FROM `webhook_attempts`',
    )
    expect(responseBody).toBe('abc')
  })
})
