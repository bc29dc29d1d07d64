import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { WebhookAttempt } from '../../../src/subgraphs/events/webhooks/webhook-attempt.ts'
import { DAY, dialects, type SeededApplication, unknownId } from '../../support/factories.ts'
import { EndpointHarness, RECEIVER } from '../../support/webhooks/endpoint-harness.ts'

const iso = (at: number) => new Date(at).toISOString()

describe.each(dialects)('a delivery on %s', (dialect) => {
  let harness: EndpointHarness
  beforeAll(async () => void (harness = await EndpointHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  const attemptRow = (seeded: SeededApplication, endpointId: string, deliveryId: string): WebhookAttempt => ({
    id: `wha_${deliveryId.slice(4)}`,
    applicationId: seeded.id,
    endpointId,
    deliveryId,
    number: 1,
    attemptedAt: harness.now,
    durationMs: 12,
    outcome: 'answered',
    statusCode: 503,
    error: null,
    url: RECEIVER,
    requestHeaders: { 'webhook-id': 'evt_1' },
    responseHeaders: { server: 'nginx' },
    responseBody: 'later',
  })

  test('shows its event, requests and responses, and is listed newest first', async () => {
    const seeded = await harness.seed()
    const { client } = seeded
    const endpointId = await harness.endpoint(client, { types: ['safety_event.added'] })
    const [eventId, second] = await harness.log(seeded, [
      { type: 'safety.added', detail: { safetyEvent: { id: 'one' } } },
      { type: 'safety.added' },
    ])
    const type = 'safety_event.added'
    const failed = { type, status: 'failed' as const, lastStatusCode: 503 }
    const deliveryId = await harness.delivery(seeded, endpointId, eventId!, failed)
    const newer = await harness.delivery(seeded, endpointId, second!, { type })
    await harness.db.transaction((tx) =>
      tx.insert(tableOf(WebhookAttempt), [attemptRow(seeded, endpointId, deliveryId)]),
    )
    const { data } = await harness.ask(
      client,
      `query ($id: ID!) { webhookDelivery(id: $id) {
        id endpointId eventId type status attemptCount nextAttemptAt lastAttemptAt lastStatusCode createdAt
        event { id type connection { id } }
        attempts { number attemptedAt durationMs outcome error request { url headers body } response { statusCode headers body } }
      } }`,
      { id: deliveryId },
    )
    const body = {
      id: eventId,
      type: 'safety_event.added',
      timestamp: iso(harness.now),
      detail: { safetyEvent: { id: 'one' } },
    }
    expect(data).toEqual({
      webhookDelivery: {
        id: deliveryId,
        endpointId,
        eventId,
        type: 'safety_event.added',
        status: 'FAILED',
        attemptCount: 1,
        nextAttemptAt: null,
        lastAttemptAt: iso(harness.now),
        lastStatusCode: 503,
        createdAt: iso(harness.now),
        event: {
          id: eventId,
          type: 'safety.added',
          connection: { id: seeded.connections[0]!.connection.id },
        },
        attempts: [
          {
            number: 1,
            attemptedAt: iso(harness.now),
            durationMs: 12,
            outcome: 'ANSWERED',
            error: null,
            request: { url: RECEIVER, headers: { 'webhook-id': 'evt_1' }, body: JSON.stringify(body) },
            response: { statusCode: 503, headers: { server: 'nginx' }, body: 'later' },
          },
        ],
      },
    })
    const listed = await harness.ask(
      client,
      'query ($id: ID!) { webhookEndpoint(id: $id) { all: deliveries { totalCount nodes { id } } failed: deliveries(status: FAILED) { nodes { id } } } }',
      { id: endpointId },
    )
    expect(listed.data).toEqual({
      webhookEndpoint: {
        all: { totalCount: 2, nodes: [{ id: newer }, { id: deliveryId }] },
        failed: { nodes: [{ id: deliveryId }] },
      },
    })
  })

  test('of an event that the log no longer has is shown without it, and cannot be replayed', async () => {
    const seeded = await harness.seed()
    const endpointId = await harness.endpoint(seeded.client)
    const [eventId] = await harness.log(seeded, [{}])
    const deliveryId = await harness.delivery(seeded, endpointId, eventId!)
    await harness.db.transaction((tx) =>
      tx.insert(tableOf(WebhookAttempt), [attemptRow(seeded, endpointId, deliveryId)]),
    )
    await harness.run('DELETE FROM `events` WHERE `id` = ?', eventId)
    const { data } = await harness.ask(
      seeded.client,
      'query ($id: ID!) { webhookDelivery(id: $id) { event { id } attempts { request { body } } } }',
      { id: deliveryId },
    )
    expect(data).toEqual({ webhookDelivery: { event: null, attempts: [{ request: { body: null } }] } })
    const result = await harness.mutate(seeded.client, 'replayDelivery', { deliveryId }, 'delivery { id }')
    expect(result).toMatchObject({ code: 'UNPROCESSABLE_ENTITY' })
  })

  test('is replayed from any status, under the same id', async () => {
    const seeded = await harness.seed()
    const endpointId = await harness.endpoint(seeded.client)
    const [eventId] = await harness.log(seeded, [{}])
    await harness.markDelivered(endpointId)
    const deliveryId = await harness.delivery(seeded, endpointId, eventId!)
    for (const status of ['delivered', 'failed', 'cancelled', 'pending'] as const) {
      await harness.run(
        'UPDATE `webhook_deliveries` SET `status` = ?, `nextAttemptAt` = ? WHERE `id` = ?',
        status,
        status === 'pending' ? harness.now + DAY : null,
        deliveryId,
      )
      await harness.run('UPDATE `webhook_progress` SET `wakeAt` = NULL WHERE `endpointId` = ?', endpointId)
      const before = harness.notifications
      harness.now += 1000
      const selection = 'delivery { id eventId status attemptCount nextAttemptAt }'
      const { payload } = await harness.mutate(seeded.client, 'replayDelivery', { deliveryId }, selection)
      expect([status, payload.delivery]).toEqual([
        status,
        { id: deliveryId, eventId, status: 'PENDING', attemptCount: 1, nextAttemptAt: iso(harness.now) },
      ])
      expect(harness.notifications).toBe(before + 1)
      expect(await harness.rows('webhook_progress', '`endpointId` = ?', endpointId)).toMatchObject([
        { wakeAt: harness.now, position: 1 },
      ])
    }
  })

  test('of any event of the log is created once by the event id', async () => {
    const seeded = await harness.seed()
    const endpointId = await harness.endpoint(seeded.client, { types: ['sync.completed'] })
    const [eventId, ahead] = await harness.log(seeded, [{ type: 'vehicle.location_updated' }, {}])
    await harness.run('UPDATE `webhook_progress` SET `position` = 1 WHERE `endpointId` = ?', endpointId)
    const replay = (id: string) =>
      harness.mutate(
        seeded.client,
        'replayEvent',
        { endpointId, eventId: id },
        'delivery { id type status attemptCount }',
      )
    const { payload } = await replay(eventId!)
    expect(payload.delivery).toMatchObject({
      type: 'vehicle.location_updated',
      status: 'PENDING',
      attemptCount: 0,
    })
    expect((await replay(eventId!)).payload.delivery.id).toBe(payload.delivery.id)
    expect(await harness.rows('webhook_deliveries', '`endpointId` = ?', endpointId)).toMatchObject([
      { position: 1, connectionId: seeded.connections[0]!.connection.id, eventId },
    ])
    expect(await replay(ahead!)).toMatchObject({ code: 'UNPROCESSABLE_ENTITY' })
    expect(await replay(unknownId('event'))).toMatchObject({ code: 'NOT_FOUND' })
    const theirs = await harness.seed()
    const [foreign] = await harness.log(theirs, [{}])
    expect(await replay(foreign!)).toEqual(await replay(unknownId('event')))
  })

  test('of another application is not found by a replay', async () => {
    const [mine, theirs] = [await harness.seed(), await harness.seed()]
    const endpointId = await harness.endpoint(theirs.client)
    const [eventId] = await harness.log(theirs, [{}])
    const deliveryId = await harness.delivery(theirs, endpointId, eventId!)
    const selection = 'delivery { id }'
    const foreign = await harness.mutate(mine.client, 'replayDelivery', { deliveryId }, selection)
    const unknown = { deliveryId: unknownId('webhookDelivery') }
    expect(foreign).toEqual(await harness.mutate(mine.client, 'replayDelivery', unknown, selection))
    expect(foreign.code).toBe('NOT_FOUND')
    expect(
      await harness.mutate(theirs.narrowed(0), 'replayDelivery', { deliveryId }, selection),
    ).toMatchObject({
      code: 'FORBIDDEN',
    })
    expect(await harness.rows('webhook_deliveries', '`id` = ?', deliveryId)).toMatchObject([
      { status: 'delivered' },
    ])
  })

  test('waits for the earlier one of its record with ordering by record', async () => {
    const seeded = await harness.seed()
    const endpointId = await harness.endpoint(seeded.client, { ordering: 'RESOURCE' })
    const [first, second, other] = await harness.log(seeded, [
      { subjectId: 'vcl_1' },
      { subjectId: 'vcl_1' },
      { subjectId: 'vcl_2' },
    ])
    await harness.markDelivered(endpointId)
    await harness.delivery(seeded, endpointId, first!, {
      status: 'pending',
      nextAttemptAt: harness.now + DAY,
    })
    const due = async (eventId: string) => {
      const deliveryId = await harness.delivery(seeded, endpointId, eventId, { status: 'failed' })
      const selection = 'delivery { status nextAttemptAt }'
      return (await harness.mutate(seeded.client, 'replayDelivery', { deliveryId }, selection)).payload
        .delivery
    }
    expect(await due(second!)).toEqual({ status: 'PENDING', nextAttemptAt: null })
    expect(await due(other!)).toEqual({ status: 'PENDING', nextAttemptAt: iso(harness.now) })
  })
})

describe.each(dialects)('a test event on %s', (dialect) => {
  let harness: EndpointHarness
  beforeAll(async () => void (harness = await EndpointHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  test('is a delivery of the requested type, without an event in the log', async () => {
    const { client } = await harness.seed()
    const endpointId = await harness.endpoint(client, { types: ['sync.completed'] })
    const { payload } = await harness.mutate(
      client,
      'sendTestEvent',
      { endpointId, type: 'safety_event.added' },
      'delivery { id eventId type status nextAttemptAt event { id } }',
    )
    const { id, eventId, ...rest } = payload.delivery
    expect(rest).toEqual({
      type: 'safety_event.added',
      status: 'PENDING',
      nextAttemptAt: iso(harness.now),
      event: null,
    })
    const [row] = await harness.rows('webhook_deliveries', '`id` = ?', id)
    expect(row).toMatchObject({ position: null, resourceId: null, connectionId: null })
    expect(JSON.parse(String(row?.['body']))).toMatchObject({
      id: eventId,
      type: 'safety_event.added',
      timestamp: iso(harness.now),
      detail: { connection: { provider: { code: 'sandbox' } }, safetyEvent: { type: 'harsh_brake' } },
    })
    const again = await harness.mutate(
      client,
      'replayDelivery',
      { deliveryId: id },
      'delivery { eventId status }',
    )
    expect(again.payload.delivery).toEqual({ eventId, status: 'PENDING' })
  })

  test('needs a known type and an enabled endpoint', async () => {
    const { client } = await harness.seed()
    const endpointId = await harness.endpoint(client)
    const send = (type: string) =>
      harness.mutate(client, 'sendTestEvent', { endpointId, type }, 'delivery { id }')
    for (const type of ['*', 'vehicle.exploded', ''])
      expect([type, await send(type)]).toMatchObject([type, { code: 'BAD_USER_INPUT', path: 'input.type' }])
    await harness.mutate(client, 'disableWebhookEndpoint', { endpointId }, 'endpoint { id }')
    expect(await send('vehicle.added')).toMatchObject({ code: 'UNPROCESSABLE_ENTITY' })
  })
})
