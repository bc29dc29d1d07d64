import { describe, expect, test } from 'vitest'
import { keyHolder } from '../../../src/auth/caller.ts'
import type { OutboundResult } from '../../../src/platform/outbound-http/request.ts'
import { replayDelivery } from '../../../src/subgraphs/events/webhooks/deliveries/replay-delivery.ts'
import { stores } from '../../support/database/stores.ts'
import { eventually } from '../../support/sync/sync-harness.ts'
import { DeliveryHarness } from '../../support/webhooks/delivery-harness.ts'

const answer = (values: Partial<OutboundResult> = {}): OutboundResult =>
  ({
    outcome: 'answered',
    statusCode: 204,
    headers: {},
    body: '',
    durationMs: 1,
    ...values,
  }) as OutboundResult

/** A receiver that answers each request when the test resolves it. */
class Receiver {
  readonly ids: string[] = []
  /** Answers at once with these; later requests wait for `release`. */
  private readonly waiting: ((result: OutboundResult) => void)[] = []

  constructor(private readonly planned: OutboundResult[] = []) {}

  readonly outboundHttp = {
    post: ({ headers }: { readonly headers: Readonly<Record<string, string>> }): Promise<OutboundResult> => {
      this.ids.push(String(headers['webhook-id']))
      const next = this.planned.shift()
      if (next) return Promise.resolve(next)
      return new Promise((resolve) => this.waiting.push(resolve))
    },
  }

  requests(count: number): Promise<void> {
    return eventually(() => Promise.resolve(this.ids.length >= count))
  }

  release(): void {
    this.waiting.shift()?.(answer())
  }
}

describe.each(stores)('a replay during an attempt, on %s', (store) => {
  test('is sent after the attempt', async () => {
    await using harness = await DeliveryHarness.start(store)
    await harness.endpoint('http://127.0.0.1:1/')
    const receiver = new Receiver([answer()])
    harness.startWorker(receiver)
    await harness.log(1)
    await eventually(async () => (await harness.statuses())['delivered'] === 1)
    const deliveryId = (await harness.deliveries())[0]!.id
    const replay = () => replayDelivery(harness.silentDeps, keyHolder(harness.applicationId), { deliveryId })
    await replay()
    await receiver.requests(2)
    await replay()
    receiver.release()
    await receiver.requests(3)
    receiver.release()
    await eventually(async () => (await harness.statuses())['delivered'] === 1)
    expect(await harness.deliveries()).toMatchObject([{ attempts: 3, replays: 2 }])
  })

  test('is sent after the attempt if the delivery waited for an earlier event', async () => {
    await using harness = await DeliveryHarness.start(store)
    await harness.endpoint('http://127.0.0.1:1/', { ordering: 'resource', retrySeconds: [1] })
    const receiver = new Receiver([answer({ statusCode: 500 } as Partial<OutboundResult>), answer()])
    harness.startWorker(receiver)
    await harness.log(2, { vehicles: 1 })
    await receiver.requests(3)
    const [, second] = await harness.deliveries()
    expect(second).toMatchObject({ status: 'pending', nextAttemptAt: null, eventId: receiver.ids[2] })
    await replayDelivery(harness.silentDeps, keyHolder(harness.applicationId), { deliveryId: second!.id })
    receiver.release()
    await receiver.requests(4)
    expect(receiver.ids[3]).toBe(second!.eventId)
    receiver.release()
    await eventually(async () => (await harness.statuses())['delivered'] === 2)
  })
})

describe.each(stores)('a result that the database refuses, on %s', (store) => {
  test.each(['none', 'resource'] as const)(
    'ends as a failure with its reason, with the ordering %s',
    async (ordering) => {
      await using harness = await DeliveryHarness.start(store)
      await harness.endpoint('http://127.0.0.1:1/', { ordering })
      const planned = Array.from({ length: 9 }, () => answer())
      const receiver = new Receiver([answer(), answer({ durationMs: NaN }), ...planned])
      harness.startWorker(receiver)
      await harness.log(5, { vehicles: 1 })
      await harness.reachedEnd()
      // A lease that nobody releases would expire, and the next one would send the event again.
      for (const ms of [20_000, 20_000]) harness.moveClock(ms)
      await harness.log(1, { vehicles: 1 })
      await harness.reachedEnd()
      expect(await harness.statuses()).toEqual({ delivered: 5, failed: 1 })
      expect(receiver.ids).toHaveLength(6)
      const failed = (await harness.deliveries()).find(({ status }) => status === 'failed')
      expect(failed).toMatchObject({ eventId: receiver.ids[1], attempts: 1, nextAttemptAt: null })
      expect(
        await harness.one('SELECT `error`, `outcome` FROM `webhook_attempts` WHERE `deliveryId` = ?', [
          failed?.id,
        ]),
      ).toEqual({ error: 'The database refused the result of this attempt.', outcome: 'answered' })
    },
  )

  test('of a retry ends as a failure, and is not sent again', async () => {
    await using harness = await DeliveryHarness.start(store)
    await harness.endpoint('http://127.0.0.1:1/', { retrySeconds: [1, 1, 1] })
    const failing = { statusCode: 500 } as Partial<OutboundResult>
    const receiver = new Receiver([answer(failing), answer({ ...failing, durationMs: NaN }), answer()])
    harness.startWorker(receiver)
    await harness.log(1)
    await eventually(async () => (await harness.statuses())['failed'] === 1)
    for (const ms of [20_000, 20_000]) harness.moveClock(ms)
    await harness.log(1)
    await harness.reachedEnd()
    expect(await harness.statuses()).toEqual({ delivered: 1, failed: 1 })
    expect(receiver.ids).toHaveLength(3)
  })
})
