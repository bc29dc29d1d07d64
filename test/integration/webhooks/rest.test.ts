import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SeededApplication, seedApplication, unknownId } from '../../support/factories.ts'
import { seedWebhooks } from '../../support/graph/webhook-rows.ts'
import { type RestHarness, startRest } from '../../support/rest/rest-harness.ts'
import { eventRow } from '../../support/factories.ts'

let rest: RestHarness
let seeded: SeededApplication

beforeAll(async () => {
  rest = await startRest()
  seeded = await seedApplication(rest.db, [(owner) => ({ events: [eventRow(owner), eventRow(owner)] })])
})
afterAll(() => rest[Symbol.asyncDispose]())

const RECEIVER = 'https://receiver.example.com/hook'

test('an endpoint is created, read, changed, tested, rotated, disabled, enabled and deleted', async () => {
  const { client } = seeded
  const input = { url: RECEIVER, types: ['safety_event.added'], ordering: 'resource', tags: ['west'] }
  const created = await rest.write('POST', '/webhook-endpoints', client, input)
  expect(created.status).toBe(201)
  const { secret, ...endpoint } = created.body
  expect(secret).toMatch(/^whsec_/)
  expect(endpoint).toMatchObject({ ...input, status: 'enabled', concurrency: 10, backlog: 0 })
  expect(endpoint).not.toHaveProperty('connectionIds')
  const at = `/webhook-endpoints/${endpoint.id}`
  expect((await rest.get(at, client)).body).toEqual(endpoint)
  expect((await rest.get('/webhook-endpoints', client)).body).toEqual({ results: [endpoint] })

  const changed = await rest.write('PATCH', at, client, { types: ['*'], tags: null, concurrency: 3 })
  expect([changed.status, changed.body]).toMatchObject([200, { types: ['*'], concurrency: 3 }])
  expect(changed.body).not.toHaveProperty('tags')

  const sent = await rest.write('POST', `${at}/test`, client, { type: 'sync.completed' })
  expect([sent.status, sent.body]).toMatchObject([
    202,
    { type: 'sync.completed', status: 'pending', attempts: [] },
  ])
  const rotated = await rest.write('POST', `${at}/rotate-secret`, client, { overlapSeconds: 60 })
  expect([rotated.status, rotated.body.secrets.length]).toEqual([200, 2])
  expect(rotated.body.secret).not.toBe(secret)

  const disabled = await rest.write('POST', `${at}/disable`, client)
  expect([disabled.status, disabled.body]).toMatchObject([
    200,
    { status: 'disabled', disabledReason: 'asked' },
  ])
  expect((await rest.write('POST', `${at}/test`, client, { type: 'sync.completed' })).status).toBe(422)
  const enabled = await rest.write('POST', `${at}/enable`, client, { skipMissed: true })
  expect([enabled.status, enabled.body.status]).toEqual([200, 'enabled'])
  const recovered = await rest.write('POST', `${at}/recover`, client, { since: '2026-01-01' })
  expect([recovered.status, recovered.body]).toMatchObject([202, { id: endpoint.id, events: 0 }])

  expect((await rest.write('DELETE', at, client)).body).toEqual({ id: endpoint.id })
  expect((await rest.get(at, client)).status).toBe(404)
  expect((await rest.write('DELETE', at, client)).status).toBe(404)
})

test('deliveries are listed by page, and replayed only under their own endpoint', async () => {
  const { client } = seeded
  const { webhookEndpoint, webhookDelivery } = await seedWebhooks(rest.db, seeded)
  const at = `/webhook-endpoints/${webhookEndpoint}/deliveries`
  const first = await rest.get(`${at}?limit=1&status=delivered`, client)
  const second = await rest.get(`${at}?limit=1&status=delivered&cursor=${first.body.next}`, client)
  expect([first.body.results.length, second.body.results[0].id, second.body.next]).toEqual([
    1,
    webhookDelivery,
    undefined,
  ])
  expect(second.body.results[0]).toMatchObject({
    status: 'delivered',
    attempts: [
      {
        outcome: 'answered',
        request: { headers: {}, body: expect.stringContaining('evt_') },
        response: { statusCode: 200, body: 'thank you' },
      },
    ],
  })
  expect((await rest.get(`${at}?status=failed`, client)).body).toEqual({ results: [] })
  const again = await rest.write('POST', `${at}/${webhookDelivery}/replay`, client)
  expect([again.status, again.body]).toMatchObject([202, { id: webhookDelivery, status: 'pending' }])
  const other = (await rest.get('/webhook-endpoints?limit=1', client)).body.results[0].id
  const wrongPath = `/webhook-endpoints/${other}/deliveries/${webhookDelivery}/replay`
  expect((await rest.write('POST', wrongPath, client)).status).toBe(404)
})

test('headers are given when an endpoint is created or changed, and returned masked', async () => {
  const { client } = seeded
  const headers = [{ name: 'X-Api-Key', value: 'planted-key-of-a-gateway' }]
  const masked = [{ name: 'X-Api-Key', maskedValue: '••••••••eway' }]
  const url = 'https://fleet:planted-pass@receiver.example.com/hook'
  const created = await rest.write('POST', '/webhook-endpoints', client, { url, headers })
  const authorization = { name: 'authorization', maskedValue: '••••••••' }
  expect(created.body).toMatchObject({ url: RECEIVER, headers: [...masked, authorization] })
  const at = `/webhook-endpoints/${created.body.id}`
  expect((await rest.get(at, client)).body.headers).toEqual([...masked, authorization])
  expect((await rest.write('PATCH', at, client, { description: 'x' })).body.headers).toHaveLength(2)
  expect((await rest.write('PATCH', at, client, { headers })).body.headers).toEqual(masked)
  const all = (await rest.get('/webhook-endpoints?limit=100', client)).body.results
  expect(all.find(({ id }: { id: string }) => id === created.body.id).headers).toEqual(masked)
  for (const [member, refused] of [
    ['headers', { headers: [{ name: 'Host', value: 'planted-value' }] }],
    ['headers.0.value', { headers: [{ name: 'x-a' }] }],
    ['headers.0.value', { headers: [{ name: 'x-a', value: 1 }] }],
  ] as const) {
    const { status, body } = await rest.write('PATCH', at, client, refused)
    expect([status, body.detail[0].path]).toEqual([400, `{requestBody}.${member}`])
    expect(JSON.stringify(body)).not.toContain('planted-value')
  }
  expect((await rest.get(at, client)).body.headers).toEqual(masked)
  for (const removed of [null, []]) {
    await rest.write('PATCH', at, client, { headers })
    expect((await rest.write('PATCH', at, client, { headers: removed })).body.headers).toEqual([])
  }
})

test('errors name the member of the body', async () => {
  const { client } = seeded
  const refused = await rest.write('POST', '/webhook-endpoints', client, { url: 'http://a.example.com' })
  expect([refused.status, refused.body.detail[0].path]).toEqual([400, '{requestBody}.url'])
  const input = { url: RECEIVER, connectionIds: [unknownId('connection')] }
  const unknown = await rest.write('POST', '/webhook-endpoints', client, input)
  expect([unknown.status, unknown.body.detail[0].path]).toEqual([400, '{requestBody}.connectionIds'])
})
