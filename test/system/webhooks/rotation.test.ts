import { describe, expect, test } from 'vitest'
import { keyHolder } from '../../../src/auth/caller.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import { rotateSecret } from '../../../src/subgraphs/events/webhooks/endpoints/rotate-secret.ts'
import { stores } from '../../support/database/stores.ts'
import { WebhookInbox } from '../../support/webhooks/webhook-inbox.ts'
import { DeliveryHarness, SECRET } from '../../support/webhooks/delivery-harness.ts'

const EVENTS = 900
const MAX_AT_ONCE = 10

describe.each(stores)('a secret that is rotated during delivery, on %s', (store) => {
  test('is the only one a receiver needs once the call returns, and the earlier one expires as returned', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start({ secrets: [SECRET] })
    const endpoint = await harness.endpoint(inbox.url, { ratePerSecond: 80, concurrency: MAX_AT_ONCE })
    // A worker without notifications.
    harness.startWorker({ notifier: createInProcessNotifier() })
    await harness.log(EVENTS)
    const rotate = async (overlapSeconds: number): Promise<void> => {
      const rotation = { endpointId: endpoint.id, overlapSeconds }
      const { secret } = await rotateSecret(harness.tools, keyHolder(harness.applicationId), rotation)
      inbox.secrets = [secret]
    }
    await inbox.arrived(50)
    await rotate(1)
    await signaturesOf(inbox, 1)
    await rotate(0)
    await signaturesOf(inbox, 1)
    const ended = inbox.received.length
    await inbox.arrived(EVENTS)
    expect(inbox.forged).toEqual([])
    const afterwards = inbox.received.slice(ended + MAX_AT_ONCE)
    expect(afterwards.length).toBeGreaterThan(0)
    expect(new Set(afterwards.map(({ headers }) => signatures(headers)))).toEqual(new Set([1]))
    expect(inbox.received.some(({ headers }) => signatures(headers) === 2)).toBe(true)
  })
})

const signatures = (headers: Readonly<Record<string, string>>): number =>
  String(headers['webhook-signature']).split(' ').length

/** Waits for messages with this many signatures. */
const signaturesOf = (inbox: WebhookInbox, count: number): Promise<void> =>
  inbox.until(({ received }) => signatures(received.at(-1)?.headers ?? {}) === count)
