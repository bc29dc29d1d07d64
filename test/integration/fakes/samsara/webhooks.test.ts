import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { runSamsara } from '../../../fakes/samsara/harness.ts'

interface Subscription {
  readonly id: string
  readonly name: string
  readonly secretKey: string
}

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

async function startReceiver() {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return { url, received, [Symbol.asyncDispose]: async () => void server.close() }
}

const expectedSignature = ({ headers, body }: Received, secretKey: string) =>
  `v1=${createHmac('sha256', Buffer.from(secretKey, 'base64')).update(`v1:${headers['x-samsara-timestamp']}:${body}`).digest('hex')}`

test('a subscription gets its event types, signed with its secret, until it is removed', async () => {
  await using samsara = await runSamsara()
  await using hook = await startReceiver()
  const input = { name: 'hints', url: hook.url, eventTypes: ['VehicleUpdated'], version: '2021-06-09' }
  const { body: created } = await samsara.send<Subscription>('POST', '/webhooks', input)
  expect((await samsara.get<{ data: Subscription[] }>('/webhooks')).body.data).toEqual([
    { ...created, customHeaders: [] },
  ])

  const deliver = (delivery: object) => samsara.send<object[]>('POST', '/_fake/deliveries', delivery)
  expect((await deliver({ eventType: 'VehicleUpdated', data: { vehicle: { id: '1' } } })).body).toEqual([
    { url: hook.url, status: 200 },
  ])
  expect((await deliver({ eventType: 'DriverUpdated' })).body).toEqual([])
  const [first] = hook.received as [Received]
  expect(first.headers['x-samsara-signature']).toBe(expectedSignature(first, created.secretKey))
  expect(JSON.parse(first.body)).toMatchObject({
    eventType: 'VehicleUpdated',
    eventMs: expect.any(Number),
    webhookId: created.id,
    data: { vehicle: { id: '1' } },
  })

  await samsara.fake.behave({ webhookTime: 'eventTime' })
  await deliver({ eventType: 'VehicleUpdated', eventId: 'the same', forged: true, agedSeconds: 600 })
  const [, forged] = hook.received as [Received, Received]
  expect(forged.headers['x-samsara-signature']).not.toBe(expectedSignature(forged, created.secretKey))
  expect(JSON.parse(forged.body)).toMatchObject({ eventId: 'the same', eventTime: expect.any(String) })
  const [late, early] = [first, forged].map(({ headers }) => Number(headers['x-samsara-timestamp']))
  expect((late as number) - (early as number)).toBe(600)

  await samsara.send('PATCH', `/webhooks/${created.id}`, { eventTypes: ['DriverUpdated'] })
  expect((await deliver({ eventType: 'VehicleUpdated' })).body).toEqual([])
  expect((await samsara.send('DELETE', `/webhooks/${created.id}`, {})).status).toBe(204)
  expect((await samsara.send('GET', `/webhooks/${created.id}`, undefined)).status).toBe(404)
})

test('a new subscription does not replace an existing one after another is removed', async () => {
  await using samsara = await runSamsara()
  const create = async (name: string) =>
    (await samsara.send<Subscription>('POST', '/webhooks', { name, url: 'http://127.0.0.1:9/hook' })).body
  const removed = await create('removed')
  await create('kept')
  await samsara.send('DELETE', `/webhooks/${removed.id}`, undefined)
  await create('new')
  const { data } = (await samsara.get<{ data: Subscription[] }>('/webhooks')).body
  expect(data.map(({ name }) => name)).toEqual(['kept', 'new'])
})
