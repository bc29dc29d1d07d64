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

  const recover = (planted: SeededApplication, endpointId: string, since: number) =>
    harness.mutate(
      planted.party,
      'recoverWebhookEndpoint',
      { endpointId, since: iso(since) },
      'events endpoint { id pendingDeliveries }',
    )

  const deliveriesOf = (endpointId: string) =>
    harness.rows<Row>('webhook_deliveries', '`endpointId` = ? ORDER BY `nextAttemptAt`, `id`', endpointId)

  test('sends what was given up and what was never offered, in the order of the log, and nothing twice', async () => {
    const planted = await harness.plant()
    const endpointId = await harness.endpoint(planted.party)
    const since = harness.now
    const events = await harness.log(planted, [
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
    await harness.delivery(planted, endpointId, early, { status: 'failed' })
    await harness.delivery(planted, endpointId, failed, { status: 'failed', attempts: 10 })
    await harness.delivery(planted, endpointId, delivered)
    await harness.delivery(planted, endpointId, cancelled, { status: 'cancelled' })
    await harness.delivery(planted, endpointId, pending, {
      status: 'pending',
      nextAttemptAt: harness.now + DAY,
    })
    harness.now += DAY
    const before = harness.notifications
    const { payload } = await recover(planted, endpointId, since)
    expect(payload).toEqual({ events: 3, endpoint: { id: endpointId, pendingDeliveries: 4 } })
    expect(harness.notifications).toBeGreaterThan(before)
    const due = (await deliveriesOf(endpointId)).filter(({ status }) => status === 'pending')
    expect(due.map(({ eventId }) => eventId)).toEqual([failed, cancelled, missed, pending])
    expect(due.slice(0, 3).every(({ nextAttemptAt }) => Number(nextAttemptAt) <= harness.now)).toBe(true)
    const [progress] = await harness.rows('webhook_progress', '`endpointId` = ?', endpointId)
    expect(progress).toMatchObject({ position: 7, wakeAt: harness.now })
    expect((await recover(planted, endpointId, since)).payload.events).toBe(0)
  })

  test('leaves to the courier what it has not come to yet', async () => {
    const planted = await harness.plant()
    const endpointId = await harness.endpoint(planted.party)
    const since = harness.now
    const [first] = await harness.log(planted, [{}, {}, {}])
    await harness.run('UPDATE `webhook_progress` SET `position` = 1 WHERE `endpointId` = ?', endpointId)
    harness.now += DAY
    expect((await recover(planted, endpointId, since)).payload.events).toBe(1)
    expect((await deliveriesOf(endpointId)).map(({ eventId }) => eventId)).toEqual([first])
  })

  test('finds what was left out when it was enabled, and what filters left out before they were changed', async () => {
    const planted = await harness.plant()
    const { party } = planted
    const endpointId = await harness.endpoint(party, { types: ['sync.completed'] })
    const since = harness.now
    await harness.mutate(party, 'disableWebhookEndpoint', { endpointId }, 'endpoint { id }')
    const [sync, vehicle] = await harness.log(planted, [
      { type: 'sync.completed' },
      { type: 'vehicle.added' },
    ])
    harness.now += DAY
    await harness.mutate(party, 'enableWebhookEndpoint', { endpointId, skipMissed: true }, 'endpoint { id }')
    expect((await recover(planted, endpointId, since)).payload.events).toBe(1)
    await harness.mutate(party, 'updateWebhookEndpoint', { endpointId, types: ['*'] }, 'endpoint { id }')
    expect((await recover(planted, endpointId, since)).payload.events).toBe(1)
    expect((await deliveriesOf(endpointId)).map(({ eventId }) => eventId)).toEqual([sync, vehicle])
  })

  test('goes through a log that is longer than a batch, of which some entries are gone', async () => {
    const planted = await harness.plant()
    const endpointId = await harness.endpoint(planted.party)
    const start = harness.now
    const entries = Array.from({ length: 6200 }, (_, at) => ({ occurredAt: start + at * 60_000 }))
    const ids = await harness.log(planted, entries)
    await harness.markDelivered(endpointId)
    await harness.run(
      'DELETE FROM `events` WHERE `applicationId` = ? AND `position` BETWEEN 2000 AND 2999',
      planted.id,
    )
    harness.now += 10 * DAY
    const { payload } = await recover(planted, endpointId, start + 1500 * 60_000)
    const expected = ids.filter((_, at) => at >= 1500 && (at < 1999 || at >= 2999))
    expect(payload.events).toBe(expected.length)
    expect((await deliveriesOf(endpointId)).map(({ eventId }) => eventId)).toEqual(expected)
  })

  test('has one of each record at a time, where the order is kept', async () => {
    const planted = await harness.plant()
    const endpointId = await harness.endpoint(planted.party, { ordering: 'RESOURCE' })
    const since = harness.now
    const [one, two, three] = await harness.log(planted, [
      { subjectId: 'vcl_1' },
      { subjectId: 'vcl_1' },
      { subjectId: 'vcl_2' },
    ])
    await harness.markDelivered(endpointId)
    harness.now += DAY
    expect((await recover(planted, endpointId, since)).payload.events).toBe(3)
    const rows = await deliveriesOf(endpointId)
    const dueOf = (id?: string) => rows.find(({ eventId }) => eventId === id)?.nextAttemptAt
    expect([dueOf(one), dueOf(two), dueOf(three)]).toEqual([since, null, since + 2000])
  })

  test('sends what its tags and connections want, and no data of a connection that is archived', async () => {
    const planted = await harness.plant(2)
    const [mine, theirs] = planted.connections.map(({ connection }) => connection.id) as [string, string]
    await harness.run(
      "UPDATE `connections` SET `tags` = '[\"east\"]', `status` = 'archived' WHERE `id` = ?",
      theirs,
    )
    const since = harness.now
    const wishes = [{}, { tags: ['west', 'north'] }, { connectionIds: [theirs] }, { tags: ['east'] }]
    const endpoints: string[] = []
    for (const input of wishes) endpoints.push(await harness.endpoint(planted.party, input))
    const [added, updated] = await harness.log(planted, [
      { type: 'vehicle.added', connectionId: mine },
      { type: 'connection.updated', connectionId: theirs },
      { type: 'vehicle.added', connectionId: theirs },
    ])
    harness.now += DAY
    const found: string[][] = []
    for (const endpointId of endpoints) {
      await harness.markDelivered(endpointId)
      await recover(planted, endpointId, since)
      found.push((await deliveriesOf(endpointId)).map(({ eventId }) => eventId))
    }
    expect(found).toEqual([[added, updated], [added], [updated], [updated]])
  })

  test('is of the past', async () => {
    const planted = await harness.plant()
    const endpointId = await harness.endpoint(planted.party)
    expect(await recover(planted, endpointId, harness.now + 1000)).toMatchObject({
      code: 'BAD_USER_INPUT',
      path: 'input.since',
    })
    expect((await recover(planted, endpointId, 0)).payload.events).toBe(0)
  })
})
