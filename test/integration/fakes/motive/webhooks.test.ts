import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { runMotive } from '../../../fakes/motive/harness.ts'
import { signatureOf } from '../../../fakes/motive/webhooks/deliveries.ts'

interface Received {
  readonly signature: unknown
  readonly body: string
}

async function startReceiver() {
  const received: Received[] = []
  const statuses: number[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    received.push({ signature: request.headers['x-kt-webhook-signature'], body })
    response.writeHead(statuses.shift() ?? 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return { url, received, statuses, [Symbol.asyncDispose]: async () => void server.close() }
}

interface CreatedWebhook {
  readonly company_webhook: { readonly id: number; readonly enabled: boolean; readonly secret: string }
}

const secret = 'not-a-secret-at-all!'
const actions = ['vehicle_location_updated']

test('the signature matches the published vector', () => {
  const vector = ['8cbd43f9', '8ba1e33c', '28c9'].join('')
  expect(signatureOf(vector, '{"action":"test"}')).toBe('5e1a966298ba4f3e91847aea8746198ca0530dd2')
})

test('a webhook is enabled after a successful test delivery', async () => {
  await using motive = await runMotive({ vehicles: 3, days: 5 })
  await using hook = await startReceiver()
  hook.statuses.push(500)
  const input = { url: hook.url, secret, actions, enabled: true }
  const created = await motive.send<CreatedWebhook>('POST', '/v1/company_webhooks', input)
  expect(created).toMatchObject({ status: 201, body: { company_webhook: { enabled: false, secret } } })

  const path = `/v1/company_webhooks/${created.body.company_webhook.id}`
  const changed = await motive.send<CreatedWebhook>('PUT', path, { enabled: true })
  expect(changed.body.company_webhook.enabled).toBe(true)
  const delivery = { signature: signatureOf(secret, '{"action":"test"}'), body: '{"action":"test"}' }
  expect(hook.received).toEqual([delivery, delivery])
  expect((await motive.send('DELETE', path, undefined)).body).toEqual({ success: true })
  expect((await motive.get(path)).status).toBe(404)
})

test('a failed delivery is retried on schedule, and a refused one is not', async () => {
  await using motive = await runMotive({ vehicles: 3, days: 5 })
  await using hook = await startReceiver()
  await motive.send('POST', '/v1/company_webhooks', { url: hook.url, secret, actions, enabled: true })
  const deliver = (values: object) =>
    motive.send('POST', '/_fake/deliveries', { action: actions[0], data: { vehicle_id: 9001 }, ...values })
  const retry = () => motive.send('POST', '/_fake/retries', {})

  hook.statuses.push(503, 404)
  expect((await deliver({})).body).toEqual([{ url: hook.url, status: 503, outcome: 'retry' }])
  expect((await retry()).body).toEqual([])
  await motive.fake.move({ advanceMilliseconds: 10_000 })
  expect((await retry()).body).toMatchObject([{ status: 404, outcome: 'retry' }])
  await motive.fake.move({ advanceMilliseconds: 59_000 })
  expect((await retry()).body).toEqual([])
  await motive.fake.move({ advanceMilliseconds: 1_000 })
  expect((await retry()).body).toMatchObject([{ status: 200, outcome: 'accepted' }])

  hook.statuses.push(403)
  expect((await deliver({ forged: true })).body).toMatchObject([{ outcome: 'refused' }])
  const forged = hook.received.at(-1) as Received
  expect(forged.signature).not.toBe(signatureOf(secret, forged.body))
  await motive.fake.move({ advanceMilliseconds: 86_400_000 })
  expect((await retry()).body).toEqual([])
  expect((await deliver({ action: 'fault_code_opened' })).body).toEqual([])
})

test('the payload is at the top level or in data', async () => {
  await using motive = await runMotive({ vehicles: 3, days: 5 })
  await using hook = await startReceiver()
  await motive.send('POST', '/v1/company_webhooks', { url: hook.url, secret, actions, enabled: true })
  for (const position of ['v1', 'v2']) {
    await motive.fake.behave({ webhookBody: position })
    await motive.send('POST', '/_fake/deliveries', { action: actions[0], data: { vehicle_id: 9001 } })
  }
  const [, first, second] = hook.received.map(({ body }) => JSON.parse(body) as object)
  expect(first).toEqual({ action: 'vehicle_location_updated', vehicle_id: 9001 })
  expect(second).toEqual({ action: 'vehicle_location_updated', data: { vehicle_id: 9001 } })
})

test('a new webhook does not replace an existing one after another is removed', async () => {
  await using motive = await runMotive({ vehicles: 3, days: 5 })
  const create = async (path: string) => {
    const input = { url: `http://127.0.0.1:9/${path}`, secret, actions }
    const { body } = await motive.send<CreatedWebhook>('POST', '/v1/company_webhooks', input)
    return body.company_webhook.id
  }
  const removed = await create('removed')
  const kept = await create('kept')
  await motive.send('DELETE', `/v1/company_webhooks/${removed}`, undefined)
  const added = await create('new')
  expect((await motive.all<{ id: number }>('/v1/company_webhooks')).map(({ id }) => id)).toEqual([
    kept,
    added,
  ])
})
