import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dialects, masterEncryption, NOON, unknownId } from '../../support/factories.ts'
import { EndpointHarness, RECEIVER } from '../../support/webhooks/endpoint-harness.ts'
import { decryptedColumn } from '../../support/secrets/decrypted-column.ts'

const WHOLE =
  'id url description types connectionIds tags ordering concurrency ratePerSecond retrySeconds headers { name maskedValue } status disabledReason disabledAt createdAt modifiedAt backlog pendingDeliveries lastSuccessAt failingSince secrets { id createdAt expiresAt } deliveries { totalCount nodes { id } }'

describe.each(dialects)('an endpoint on %s', (dialect) => {
  let harness: EndpointHarness
  beforeAll(async () => void (harness = await EndpointHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  test('is created with default values, and is listed', async () => {
    const { client } = await harness.seed()
    const before = harness.notifications
    const { payload } = await harness.mutate(
      client,
      'createWebhookEndpoint',
      { url: RECEIVER },
      `endpoint { ${WHOLE} } secret`,
    )
    const at = new Date(NOON).toISOString()
    expect(payload.endpoint).toMatchObject({
      url: RECEIVER,
      description: null,
      types: ['*'],
      connectionIds: null,
      tags: null,
      ordering: 'NONE',
      concurrency: 10,
      ratePerSecond: null,
      retrySeconds: null,
      headers: [],
      status: 'ENABLED',
      disabledAt: null,
      createdAt: at,
      modifiedAt: at,
      backlog: 0,
      pendingDeliveries: 0,
      lastSuccessAt: null,
      failingSince: null,
      secrets: [{ createdAt: at, expiresAt: null }],
      deliveries: { totalCount: 0, nodes: [] },
    })
    expect(payload.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(harness.notifications).toBe(before + 1)
    const { data } = await harness.ask(client, `{ webhookEndpoints { totalCount nodes { ${WHOLE} } } }`)
    expect(data).toEqual({ webhookEndpoints: { totalCount: 1, nodes: [payload.endpoint] } })
    const one = await harness.ask(client, `query ($id: ID!) { webhookEndpoint(id: $id) { ${WHOLE} } }`, {
      id: payload.endpoint.id,
    })
    expect(one.data).toEqual({ webhookEndpoint: payload.endpoint })
  })

  test('has the values of the input, and its secret encrypted for its row', async () => {
    const seeded = await harness.seed(2)
    const input = {
      url: 'https://receiver.example.com/a?b=c',
      description: 'trips',
      types: ['vehicle.added', 'safety_event.added'],
      connectionIds: [seeded.connections[1]!.connection.id],
      tags: ['west'],
      ordering: 'RESOURCE',
      concurrency: 3,
      ratePerSecond: 0.5,
      retrySeconds: [5, 60],
    }
    const own = `whsec_${Buffer.from('not a real secret, but long enough').toString('base64')}`
    const { payload } = await harness.mutate(
      seeded.client,
      'createWebhookEndpoint',
      { ...input, secret: own },
      `endpoint { ${WHOLE} } secret`,
    )
    expect(payload.endpoint).toMatchObject(input)
    expect(payload.secret).toBe(own)
    const [row] = await harness.rows('webhook_secrets', '`endpointId` = ?', payload.endpoint.id)
    expect(decryptedColumn(masterEncryption, 'webhook_secrets.secretSealed', row!)).toBe(own)
    expect(JSON.stringify(await harness.rows('webhook_secrets'))).not.toContain(own)
  })

  test('receives events from its creation on', async () => {
    const { client, id } = await harness.seed()
    await harness.run('INSERT INTO `log_heads` (`applicationId`, `position`) VALUES (?, 41)', id)
    const endpointId = await harness.endpoint(client)
    const [progress] = await harness.rows('webhook_progress', '`endpointId` = ?', endpointId)
    expect(progress).toMatchObject({ position: 41, wakeAt: NOON, leaseOwner: null, failures: 0 })
    await harness.run('UPDATE `log_heads` SET `position` = 44 WHERE `applicationId` = ?', id)
    const { data } = await harness.ask(client, '{ webhookEndpoints { nodes { backlog } } }')
    expect(data).toEqual({ webhookEndpoints: { nodes: [{ backlog: 3 }] } })
  })

  const tooLong = 'x'.repeat(256)
  const refusals: readonly (readonly [string, Record<string, unknown>])[] = [
    ['url', { url: 'ftp://receiver.example.com' }],
    ['url', { url: 'receiver.example.com' }],
    ['url', { url: 'http://receiver.example.com' }],
    ['url', { url: `https://receiver.example.com/${'x'.repeat(2048)}` }],
    ['description', { description: tooLong }],
    ['types', { types: [] }],
    ['types', { types: ['vehicle.exploded'] }],
    ['types', { types: Array.from({ length: 101 }, () => 'vehicle.added') }],
    ['connectionIds', { connectionIds: [] }],
    ['connectionIds', { connectionIds: [unknownId('connection')] }],
    ['connectionIds', { connectionIds: Array.from({ length: 101 }, () => unknownId('connection')) }],
    ['tags', { tags: [''] }],
    ['tags', { tags: [tooLong] }],
    ['concurrency', { concurrency: 0 }],
    ['concurrency', { concurrency: 101 }],
    ['ratePerSecond', { ratePerSecond: 0 }],
    ['ratePerSecond', { ratePerSecond: 10_001 }],
    ['retrySeconds', { retrySeconds: [0] }],
    ['retrySeconds', { retrySeconds: Array.from({ length: 21 }, () => 5) }],
    ['secret', { secret: 'whsec_short' }],
    ['secret', { secret: Buffer.alloc(32).toString('base64') }],
    ['secret', { secret: `whsec_${Buffer.alloc(65).toString('base64')}` }],
  ]
  test.each(refusals)('is refused for its %s: %o', async (member, input) => {
    const { client } = await harness.seed()
    const result = await harness.mutate(
      client,
      'createWebhookEndpoint',
      { url: RECEIVER, ...input },
      'secret',
    )
    expect(result).toMatchObject({ payload: null, code: 'BAD_USER_INPUT', path: `input.${member}` })
    expect(result.message).not.toContain('x'.repeat(200))
    expect(await harness.rows('webhook_endpoints', '`applicationId` = ?', client.applicationId)).toEqual([])
  })

  test('is refused with a connection of another application', async () => {
    const [mine, theirs] = [await harness.seed(), await harness.seed()]
    const input = { url: RECEIVER, connectionIds: [theirs.connections[0]!.connection.id] }
    const result = await harness.mutate(mine.client, 'createWebhookEndpoint', input, 'secret')
    expect(result).toMatchObject({ payload: null, code: 'BAD_USER_INPUT', path: 'input.connectionIds' })
  })

  test('is one of fifty at most, also with concurrent creations', async () => {
    const { client, id } = await harness.seed()
    const created = await Promise.allSettled(Array.from({ length: 53 }, () => harness.endpoint(client)))
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(50)
    expect(await harness.rows('webhook_endpoints', '`applicationId` = ?', id)).toHaveLength(50)
    expect(await harness.mutate(client, 'createWebhookEndpoint', { url: RECEIVER }, 'secret')).toMatchObject({
      code: 'UNPROCESSABLE_ENTITY',
    })
    expect(await harness.endpoint((await harness.seed()).client)).toMatch(/^whe_/)
  })

  test('is refused to a connection token', async () => {
    const seeded = await harness.seed()
    const id = await harness.endpoint(seeded.client)
    const narrowed = seeded.narrowed(0)
    const { data, errors } = await harness.ask(
      narrowed,
      'query ($id: ID!, $delivery: ID!) { webhookEndpoint(id: $id) { id } webhookDelivery(id: $delivery) { id } }',
      { id, delivery: unknownId('webhookDelivery') },
    )
    expect(data).toEqual({ webhookEndpoint: null, webhookDelivery: null })
    expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['FORBIDDEN', 'FORBIDDEN'])
    const listed = await harness.ask(narrowed, '{ webhookEndpoints { nodes { id } } }')
    expect(listed.errors?.[0]?.extensions?.code).toBe('FORBIDDEN')
    expect(
      await harness.mutate(narrowed, 'createWebhookEndpoint', { url: RECEIVER }, 'secret'),
    ).toMatchObject({
      payload: null,
      code: 'FORBIDDEN',
    })
  })
})
