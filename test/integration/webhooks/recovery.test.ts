import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY, dialects, type SeededApplication } from '../../support/factories.ts'
import { EndpointHarness } from '../../support/webhooks/endpoint-harness.ts'

const iso = (at: number) => new Date(at).toISOString()

interface Row {
  readonly eventId: string
  readonly status: string
  readonly nextAttemptAt: number | null
}

describe.each(dialects)('a recovery on %s', (dialect) => {
  let harness: EndpointHarness
  beforeAll(async () => void (harness = await EndpointHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  const recover = (seeded: SeededApplication, endpointId: string, since: number) =>
    harness.mutate(
      seeded.client,
      'recoverWebhookEndpoint',
      { endpointId, since: iso(since) },
      'events endpoint { id pendingDeliveries }',
    )

  const deliveriesOf = (endpointId: string) =>
    harness.rows<Row>('webhook_deliveries', '`endpointId` = ? ORDER BY `nextAttemptAt`, `id`', endpointId)

  test('sends failed, cancelled and missed events once, in the order of the log', async () => {
    const seeded = await harness.seed()
    const endpointId = await harness.endpoint(seeded.client)
    const since = harness.now
    const events = await harness.log(seeded, [
      { occurredAt: since - 1 },
      {},
      {},
      {},
      {},
      { type: 'vehicle.location_updated' },
      {},
    ])
    await harness.markDelivered(endpointId)
    const [early, failed, delivered, cancelled, pending, , missed] = events as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    await harness.delivery(seeded, endpointId, early, { status: 'failed' })
    await harness.delivery(seeded, endpointId, failed, { status: 'failed', attempts: 10 })
    await harness.delivery(seeded, endpointId, delivered)
    await harness.delivery(seeded, endpointId, cancelled, { status: 'cancelled' })
    await harness.delivery(seeded, endpointId, pending, {
      status: 'pending',
      nextAttemptAt: harness.now + DAY,
    })
    harness.now += DAY
    const before = harness.notifications
    const { payload } = await recover(seeded, endpointId, since)
    expect(payload).toEqual({ events: 3, endpoint: { id: endpointId, pendingDeliveries: 4 } })
    expect(harness.notifications).toBeGreaterThan(before)
    const due = (await deliveriesOf(endpointId)).filter(({ status }) => status === 'pending')
    expect(due.map(({ eventId }) => eventId)).toEqual([failed, cancelled, missed, pending])
    expect(due.slice(0, 3).every(({ nextAttemptAt }) => Number(nextAttemptAt) <= harness.now)).toBe(true)
    const [progress] = await harness.rows('webhook_progress', '`endpointId` = ?', endpointId)
    expect(progress).toMatchObject({ position: 7, wakeAt: harness.now })
    expect((await recover(seeded, endpointId, since)).payload.events).toBe(0)
  })

  test('leaves events after the position of the endpoint to the delivery worker', async () => {
    const seeded = await harness.seed()
    const endpointId = await harness.endpoint(seeded.client)
    const since = harness.now
    const [first] = await harness.log(seeded, [{}, {}, {}])
    await harness.run('UPDATE `webhook_progress` SET `position` = 1 WHERE `endpointId` = ?', endpointId)
    harness.now += DAY
    expect((await recover(seeded, endpointId, since)).payload.events).toBe(1)
    expect((await deliveriesOf(endpointId)).map(({ eventId }) => eventId)).toEqual([first])
  })

  test('includes events that were skipped, and events that an earlier filter left out', async () => {
    const seeded = await harness.seed()
    const { client } = seeded
    const endpointId = await harness.endpoint(client, { types: ['sync.completed'] })
    const since = harness.now
    await harness.mutate(client, 'disableWebhookEndpoint', { endpointId }, 'endpoint { id }')
    const [sync, vehicle] = await harness.log(seeded, [{ type: 'sync.completed' }, { type: 'vehicle.added' }])
    harness.now += DAY
    await harness.mutate(client, 'enableWebhookEndpoint', { endpointId, skipMissed: true }, 'endpoint { id }')
    expect((await recover(seeded, endpointId, since)).payload.events).toBe(1)
    await harness.mutate(client, 'updateWebhookEndpoint', { endpointId, types: ['*'] }, 'endpoint { id }')
    expect((await recover(seeded, endpointId, since)).payload.events).toBe(1)
    expect((await deliveriesOf(endpointId)).map(({ eventId }) => eventId)).toEqual([sync, vehicle])
  })

  test('reads a log longer than a batch, with removed entries', async () => {
    const seeded = await harness.seed()
    const endpointId = await harness.endpoint(seeded.client)
    const start = harness.now
    const entries = Array.from({ length: 6200 }, (_, at) => ({ occurredAt: start + at * 60_000 }))
    const ids = await harness.log(seeded, entries)
    await harness.markDelivered(endpointId)
    await harness.run(
      'DELETE FROM `events` WHERE `applicationId` = ? AND `position` BETWEEN 2000 AND 2999',
      seeded.id,
    )
    harness.now += 10 * DAY
    const { payload } = await recover(seeded, endpointId, start + 1500 * 60_000)
    const expected = ids.filter((_, at) => at >= 1500 && (at < 1999 || at >= 2999))
    expect(payload.events).toBe(expected.length)
    expect((await deliveriesOf(endpointId)).map(({ eventId }) => eventId)).toEqual(expected)
  })

  test('makes one delivery of each record due at a time with ordering by record', async () => {
    const seeded = await harness.seed()
    const endpointId = await harness.endpoint(seeded.client, { ordering: 'RESOURCE' })
    const since = harness.now
    const [one, two, three] = await harness.log(seeded, [
      { subjectId: 'vcl_1' },
      { subjectId: 'vcl_1' },
      { subjectId: 'vcl_2' },
    ])
    await harness.markDelivered(endpointId)
    harness.now += DAY
    expect((await recover(seeded, endpointId, since)).payload.events).toBe(3)
    const rows = await deliveriesOf(endpointId)
    const dueOf = (id?: string) => rows.find(({ eventId }) => eventId === id)?.nextAttemptAt
    expect([dueOf(one), dueOf(two), dueOf(three)]).toEqual([since, null, since + 2000])
  })

  test('follows the filters by tag and connection, and sends no data of an archived connection', async () => {
    const seeded = await harness.seed(2)
    const [mine, theirs] = seeded.connections.map(({ connection }) => connection.id) as [string, string]
    await harness.run(
      "UPDATE `connections` SET `tags` = '[\"east\"]', `status` = 'archived' WHERE `id` = ?",
      theirs,
    )
    const since = harness.now
    const inputs = [{}, { tags: ['west', 'north'] }, { connectionIds: [theirs] }, { tags: ['east'] }]
    const endpoints: string[] = []
    for (const input of inputs) endpoints.push(await harness.endpoint(seeded.client, input))
    const [added, updated] = await harness.log(seeded, [
      { type: 'vehicle.added', connectionId: mine },
      { type: 'connection.updated', connectionId: theirs },
      { type: 'vehicle.added', connectionId: theirs },
    ])
    harness.now += DAY
    const found: string[][] = []
    for (const endpointId of endpoints) {
      await harness.markDelivered(endpointId)
      await recover(seeded, endpointId, since)
      found.push((await deliveriesOf(endpointId)).map(({ eventId }) => eventId))
    }
    expect(found).toEqual([[added, updated], [added], [updated], [updated]])
  })

  test('needs a start in the past', async () => {
    const seeded = await harness.seed()
    const endpointId = await harness.endpoint(seeded.client)
    expect(await recover(seeded, endpointId, harness.now + 1000)).toMatchObject({
      code: 'BAD_USER_INPUT',
      path: 'input.since',
    })
    expect((await recover(seeded, endpointId, 0)).payload.events).toBe(0)
  })
})
