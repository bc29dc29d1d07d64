import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tableOf } from '../../src/storage/table.ts'
import { WebhookAttempt } from '../../src/subgraphs/events/webhooks/webhook-attempt.ts'
import { DAY, dialects, type PlantedApplication, unknownId } from '../factories.ts'
import { EndpointsRig, RECEIVER } from './endpoints-rig.ts'

const iso = (at: number) => new Date(at).toISOString()

describe.each(dialects)('a delivery on %s', (dialect) => {
  let rig: EndpointsRig
  beforeAll(async () => void (rig = await EndpointsRig.start(dialect)))
  afterAll(() => rig[Symbol.asyncDispose]())

  const attemptRow = (
    planted: PlantedApplication,
    endpointId: string,
    deliveryId: string,
  ): WebhookAttempt => ({
    id: `wha_${deliveryId.slice(4)}`,
    applicationId: planted.id,
    endpointId,
    deliveryId,
    number: 1,
    attemptedAt: rig.now,
    durationMs: 12,
    outcome: 'answered',
    statusCode: 503,
    error: null,
    url: RECEIVER,
    requestHeaders: { 'webhook-id': 'evt_1' },
    responseHeaders: { server: 'nginx' },
    responseBody: 'later',
  })

  test('shows its event, what was sent and what was answered, the newest first', async () => {
    const planted = await rig.plant()
    const { party } = planted
    const endpointId = await rig.endpoint(party, { types: ['safety_event.added'] })
    const [eventId, second] = await rig.log(planted, [
      { type: 'safety.added', detail: { safetyEvent: { id: 'one' } } },
      { type: 'safety.added' },
    ])
    const type = 'safety_event.added'
    const failed = { type, status: 'failed' as const, lastStatusCode: 503 }
    const deliveryId = await rig.delivery(planted, endpointId, eventId!, failed)
    const newer = await rig.delivery(planted, endpointId, second!, { type })
    await rig.db.transaction((tx) =>
      tx.insert(tableOf(WebhookAttempt), [attemptRow(planted, endpointId, deliveryId)]),
    )
    const { data } = await rig.ask(
      party,
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
      timestamp: iso(rig.now),
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
        lastAttemptAt: iso(rig.now),
        lastStatusCode: 503,
        createdAt: iso(rig.now),
        event: {
          id: eventId,
          type: 'safety.added',
          connection: { id: planted.connections[0]!.connection.id },
        },
        attempts: [
          {
            number: 1,
            attemptedAt: iso(rig.now),
            durationMs: 12,
            outcome: 'ANSWERED',
            error: null,
            request: { url: RECEIVER, headers: { 'webhook-id': 'evt_1' }, body: JSON.stringify(body) },
            response: { statusCode: 503, headers: { server: 'nginx' }, body: 'later' },
          },
        ],
      },
    })
    const listed = await rig.ask(
      party,
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

  test('of an event that the log no longer has says so, and cannot be made again', async () => {
    const planted = await rig.plant()
    const endpointId = await rig.endpoint(planted.party)
    const [eventId] = await rig.log(planted, [{}])
    const deliveryId = await rig.delivery(planted, endpointId, eventId!)
    await rig.db.transaction((tx) =>
      tx.insert(tableOf(WebhookAttempt), [attemptRow(planted, endpointId, deliveryId)]),
    )
    await rig.run('DELETE FROM `events` WHERE `id` = ?', eventId)
    const { data } = await rig.ask(
      planted.party,
      'query ($id: ID!) { webhookDelivery(id: $id) { event { id } attempts { request { body } } } }',
      { id: deliveryId },
    )
    expect(data).toEqual({ webhookDelivery: { event: null, attempts: [{ request: { body: null } }] } })
    const told = await rig.mutate(planted.party, 'replayDelivery', { deliveryId }, 'delivery { id }')
    expect(told).toMatchObject({ code: 'UNPROCESSABLE_ENTITY' })
  })

  test('is made again by a replay, of whatever state, under the same id', async () => {
    const planted = await rig.plant()
    const endpointId = await rig.endpoint(planted.party)
    const [eventId] = await rig.log(planted, [{}])
    await rig.told(endpointId)
    const deliveryId = await rig.delivery(planted, endpointId, eventId!)
    for (const status of ['delivered', 'failed', 'cancelled', 'pending'] as const) {
      await rig.run(
        'UPDATE `webhook_deliveries` SET `status` = ?, `nextAttemptAt` = ? WHERE `id` = ?',
        status,
        status === 'pending' ? rig.now + DAY : null,
        deliveryId,
      )
      await rig.run('UPDATE `webhook_progress` SET `wakeAt` = NULL WHERE `endpointId` = ?', endpointId)
      const before = rig.rings
      rig.now += 1000
      const selection = 'delivery { id eventId status attemptCount nextAttemptAt }'
      const { payload } = await rig.mutate(planted.party, 'replayDelivery', { deliveryId }, selection)
      expect([status, payload.delivery]).toEqual([
        status,
        { id: deliveryId, eventId, status: 'PENDING', attemptCount: 1, nextAttemptAt: iso(rig.now) },
      ])
      expect(rig.rings).toBe(before + 1)
      expect(await rig.rows('webhook_progress', '`endpointId` = ?', endpointId)).toMatchObject([
        { wakeAt: rig.now, position: 1 },
      ])
    }
  })

  test('of any event of the log is made by its id, once', async () => {
    const planted = await rig.plant()
    const endpointId = await rig.endpoint(planted.party, { types: ['sync.completed'] })
    const [eventId, ahead] = await rig.log(planted, [{ type: 'vehicle.location_updated' }, {}])
    await rig.run('UPDATE `webhook_progress` SET `position` = 1 WHERE `endpointId` = ?', endpointId)
    const replay = (id: string) =>
      rig.mutate(
        planted.party,
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
    expect(await rig.rows('webhook_deliveries', '`endpointId` = ?', endpointId)).toMatchObject([
      { position: 1, connectionId: planted.connections[0]!.connection.id, eventId },
    ])
    expect(await replay(ahead!)).toMatchObject({ code: 'UNPROCESSABLE_ENTITY' })
    expect(await replay(unknownId('event'))).toMatchObject({ code: 'NOT_FOUND' })
    const theirs = await rig.plant()
    const [foreign] = await rig.log(theirs, [{}])
    expect(await replay(foreign!)).toEqual(await replay(unknownId('event')))
  })

  test('of another application is nothing to a replay', async () => {
    const [mine, theirs] = [await rig.plant(), await rig.plant()]
    const endpointId = await rig.endpoint(theirs.party)
    const [eventId] = await rig.log(theirs, [{}])
    const deliveryId = await rig.delivery(theirs, endpointId, eventId!)
    const selection = 'delivery { id }'
    const foreign = await rig.mutate(mine.party, 'replayDelivery', { deliveryId }, selection)
    const unknown = { deliveryId: unknownId('webhookDelivery') }
    expect(foreign).toEqual(await rig.mutate(mine.party, 'replayDelivery', unknown, selection))
    expect(foreign.code).toBe('NOT_FOUND')
    expect(await rig.mutate(theirs.narrowed(0), 'replayDelivery', { deliveryId }, selection)).toMatchObject({
      code: 'FORBIDDEN',
    })
    expect(await rig.rows('webhook_deliveries', '`id` = ?', deliveryId)).toMatchObject([
      { status: 'delivered' },
    ])
  })

  test('waits for the earlier one of its record, where the order is kept', async () => {
    const planted = await rig.plant()
    const endpointId = await rig.endpoint(planted.party, { ordering: 'RESOURCE' })
    const [first, second, other] = await rig.log(planted, [
      { subjectId: 'vcl_1' },
      { subjectId: 'vcl_1' },
      { subjectId: 'vcl_2' },
    ])
    await rig.told(endpointId)
    await rig.delivery(planted, endpointId, first!, { status: 'pending', nextAttemptAt: rig.now + DAY })
    const due = async (eventId: string) => {
      const deliveryId = await rig.delivery(planted, endpointId, eventId, { status: 'failed' })
      const selection = 'delivery { status nextAttemptAt }'
      return (await rig.mutate(planted.party, 'replayDelivery', { deliveryId }, selection)).payload.delivery
    }
    expect(await due(second!)).toEqual({ status: 'PENDING', nextAttemptAt: null })
    expect(await due(other!)).toEqual({ status: 'PENDING', nextAttemptAt: iso(rig.now) })
  })
})

describe.each(dialects)('a test event on %s', (dialect) => {
  let rig: EndpointsRig
  beforeAll(async () => void (rig = await EndpointsRig.start(dialect)))
  afterAll(() => rig[Symbol.asyncDispose]())

  test('is a delivery of an event that is in no log, by the name that was asked for', async () => {
    const { party } = await rig.plant()
    const endpointId = await rig.endpoint(party, { types: ['sync.completed'] })
    const { payload } = await rig.mutate(
      party,
      'sendTestEvent',
      { endpointId, type: 'safety_event.added' },
      'delivery { id eventId type status nextAttemptAt event { id } }',
    )
    const { id, eventId, ...rest } = payload.delivery
    expect(rest).toEqual({
      type: 'safety_event.added',
      status: 'PENDING',
      nextAttemptAt: iso(rig.now),
      event: null,
    })
    const [row] = await rig.rows('webhook_deliveries', '`id` = ?', id)
    expect(row).toMatchObject({ position: null, resourceId: null, connectionId: null })
    expect(JSON.parse(String(row?.['body']))).toMatchObject({
      id: eventId,
      type: 'safety_event.added',
      timestamp: iso(rig.now),
      detail: { connection: { provider: { code: 'sandbox' } }, safetyEvent: { type: 'harsh_brake' } },
    })
    const again = await rig.mutate(party, 'replayDelivery', { deliveryId: id }, 'delivery { eventId status }')
    expect(again.payload.delivery).toEqual({ eventId, status: 'PENDING' })
  })

  test('is of one type that there is, and goes to an endpoint that is enabled', async () => {
    const { party } = await rig.plant()
    const endpointId = await rig.endpoint(party)
    const send = (type: string) => rig.mutate(party, 'sendTestEvent', { endpointId, type }, 'delivery { id }')
    for (const type of ['*', 'vehicle.exploded', ''])
      expect([type, await send(type)]).toMatchObject([type, { code: 'BAD_USER_INPUT', path: 'input.type' }])
    await rig.mutate(party, 'disableWebhookEndpoint', { endpointId }, 'endpoint { id }')
    expect(await send('vehicle.added')).toMatchObject({ code: 'UNPROCESSABLE_ENTITY' })
  })
})
