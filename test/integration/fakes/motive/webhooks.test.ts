import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { runMotive } from '../../../fakes/motive/rig.ts'
import { signatureOf } from '../../../fakes/motive/webhooks/deliveries.ts'

interface Received {
  readonly signature: unknown
  readonly body: string
}

async function inbox() {
  const received: Received[] = []
  const answers: number[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    received.push({ signature: request.headers['x-kt-webhook-signature'], body })
    response.writeHead(answers.shift() ?? 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return { url, received, answers, [Symbol.asyncDispose]: async () => void server.close() }
}

interface Made {
  readonly company_webhook: { readonly id: number; readonly enabled: boolean; readonly secret: string }
}

const secret = 'not-a-secret-at-all!'
const actions = ['vehicle_location_updated']

test('the published vector is signed as it is published', () => {
  const vector = ['8cbd43f9', '8ba1e33c', '28c9'].join('')
  expect(signatureOf(vector, '{"action":"test"}')).toBe('5e1a966298ba4f3e91847aea8746198ca0530dd2')
})

test('a webhook is on once its test is answered well', async () => {
  await using motive = await runMotive({ vehicles: 3, days: 5 })
  await using hook = await inbox()
  hook.answers.push(500)
  const wanted = { url: hook.url, secret, actions, enabled: true }
  const made = await motive.send<Made>('POST', '/v1/company_webhooks', wanted)
  expect(made).toMatchObject({ status: 201, body: { company_webhook: { enabled: false, secret } } })

  const path = `/v1/company_webhooks/${made.body.company_webhook.id}`
  const changed = await motive.send<Made>('PUT', path, { enabled: true })
  expect(changed.body.company_webhook.enabled).toBe(true)
  const tried = { signature: signatureOf(secret, '{"action":"test"}'), body: '{"action":"test"}' }
  expect(hook.received).toEqual([tried, tried])
  expect((await motive.send('DELETE', path, undefined)).body).toEqual({ success: true })
  expect((await motive.get(path)).status).toBe(404)
})

test('what is not taken is told again in time, and not what is refused', async () => {
  await using motive = await runMotive({ vehicles: 3, days: 5 })
  await using hook = await inbox()
  await motive.send('POST', '/v1/company_webhooks', { url: hook.url, secret, actions, enabled: true })
  const tell = (telling: object) =>
    motive.send('POST', '/_fake/deliveries', { action: actions[0], data: { vehicle_id: 9001 }, ...telling })
  const again = () => motive.send('POST', '/_fake/retries', {})

  hook.answers.push(503, 404)
  expect((await tell({})).body).toEqual([{ url: hook.url, status: 503, outcome: 'retry' }])
  expect((await again()).body).toEqual([])
  await motive.fake.move({ advanceMilliseconds: 10_000 })
  expect((await again()).body).toMatchObject([{ status: 404, outcome: 'retry' }])
  await motive.fake.move({ advanceMilliseconds: 59_000 })
  expect((await again()).body).toEqual([])
  await motive.fake.move({ advanceMilliseconds: 1_000 })
  expect((await again()).body).toMatchObject([{ status: 200, outcome: 'accepted' }])

  hook.answers.push(403)
  expect((await tell({ forged: true })).body).toMatchObject([{ outcome: 'refused' }])
  const forged = hook.received.at(-1) as Received
  expect(forged.signature).not.toBe(signatureOf(secret, forged.body))
  await motive.fake.move({ advanceMilliseconds: 86_400_000 })
  expect((await again()).body).toEqual([])
  expect((await tell({ action: 'fault_code_opened' })).body).toEqual([])
})

test('the facts stand beside the action or in data', async () => {
  await using motive = await runMotive({ vehicles: 3, days: 5 })
  await using hook = await inbox()
  await motive.send('POST', '/v1/company_webhooks', { url: hook.url, secret, actions, enabled: true })
  for (const position of ['v1', 'v2']) {
    await motive.fake.behave({ webhookBody: position })
    await motive.send('POST', '/_fake/deliveries', { action: actions[0], data: { vehicle_id: 9001 } })
  }
  const [, first, second] = hook.received.map(({ body }) => JSON.parse(body) as object)
  expect(first).toEqual({ action: 'vehicle_location_updated', vehicle_id: 9001 })
  expect(second).toEqual({ action: 'vehicle_location_updated', data: { vehicle_id: 9001 } })
})
