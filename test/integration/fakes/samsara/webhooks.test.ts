import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { runSamsara } from '../../../fakes/samsara/rig.ts'

interface Subscription {
  readonly id: string
  readonly name: string
  readonly secretKey: string
}

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

async function inbox() {
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

const expected = ({ headers, body }: Received, secretKey: string) =>
  `v1=${createHmac('sha256', Buffer.from(secretKey, 'base64')).update(`v1:${headers['x-samsara-timestamp']}:${body}`).digest('hex')}`

test('a subscription is told what it wants, signed with its own secret, until it is removed', async () => {
  await using samsara = await runSamsara()
  await using hook = await inbox()
  const given = { name: 'hints', url: hook.url, eventTypes: ['VehicleUpdated'], version: '2021-06-09' }
  const { body: made } = await samsara.send<Subscription>('POST', '/webhooks', given)
  expect((await samsara.get<{ data: Subscription[] }>('/webhooks')).body.data).toEqual([
    { ...made, customHeaders: [] },
  ])

  const tell = (telling: object) => samsara.send<object[]>('POST', '/_fake/deliveries', telling)
  expect((await tell({ eventType: 'VehicleUpdated', data: { vehicle: { id: '1' } } })).body).toEqual([
    { url: hook.url, status: 200 },
  ])
  expect((await tell({ eventType: 'DriverUpdated' })).body).toEqual([])
  const [first] = hook.received as [Received]
  expect(first.headers['x-samsara-signature']).toBe(expected(first, made.secretKey))
  expect(JSON.parse(first.body)).toMatchObject({
    eventType: 'VehicleUpdated',
    eventMs: expect.any(Number),
    webhookId: made.id,
    data: { vehicle: { id: '1' } },
  })

  await samsara.fake.behave({ webhookTime: 'eventTime' })
  await tell({ eventType: 'VehicleUpdated', eventId: 'the same', forged: true, agedSeconds: 600 })
  const [, forged] = hook.received as [Received, Received]
  expect(forged.headers['x-samsara-signature']).not.toBe(expected(forged, made.secretKey))
  expect(JSON.parse(forged.body)).toMatchObject({ eventId: 'the same', eventTime: expect.any(String) })
  const [late, early] = [first, forged].map(({ headers }) => Number(headers['x-samsara-timestamp']))
  expect((late as number) - (early as number)).toBe(600)

  await samsara.send('PATCH', `/webhooks/${made.id}`, { eventTypes: ['DriverUpdated'] })
  expect((await tell({ eventType: 'VehicleUpdated' })).body).toEqual([])
  expect((await samsara.send('DELETE', `/webhooks/${made.id}`, {})).status).toBe(204)
  expect((await samsara.send('GET', `/webhooks/${made.id}`, undefined)).status).toBe(404)
})
