import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSigningSecret } from '../../../src/auth/keys.ts'
import { createOutboundHttp } from '../../../src/platform/outbound-http/outbound-http.ts'
import { signatureHeaders } from '../../../src/webhooks/attempts/signature.ts'
import { ExampleProcess } from '../../support/example-process.ts'

const file = readFileSync(new URL('../../examples/webhook-receiver.js', import.meta.url), 'utf8')
const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')

describe('the example receiver', () => {
  const secret = newSigningSecret()
  const client = createOutboundHttp({
    allowPrivate: ['127.0.0.1'],
    requireHttps: true,
    permittedBy: 'WEBHOOK_ALLOW',
  })
  let receiver: ExampleProcess

  beforeAll(async () => {
    receiver = await ExampleProcess.start('webhook-receiver.js', { WEBHOOK_SECRET: secret })
  })
  afterAll(async () => {
    await client.close()
    await receiver[Symbol.asyncDispose]()
  })

  const event = (id: string) => JSON.stringify({ id, type: 'vehicle.added', timestamp: '', detail: { n: 1 } })
  const deliver = (body: string, headers: Record<string, string>) =>
    client.post({ url: `http://127.0.0.1:${receiver.port}/`, headers, body })
  const signed = (id: string, at = Date.now()) =>
    signatureHeaders([secret], id, Math.floor(at / 1000), event(id))
  const lines = () => receiver.output.split('\n').filter((line) => line.startsWith('{'))

  test('accepts a signed message once', async () => {
    for (let times = 0; times < 3; times++)
      expect(await deliver(event('evt_1'), signed('evt_1'))).toMatchObject({ statusCode: 204 })
    expect(await deliver(event('evt_2'), signed('evt_2'))).toMatchObject({ statusCode: 204 })
    await expect
      .poll(lines)
      .toEqual(
        ['evt_1', 'evt_2'].map((id) => JSON.stringify({ id, type: 'vehicle.added', detail: { n: 1 } })),
      )
  })

  test('refuses an unsigned, a changed and an old message', async () => {
    const before = lines()
    expect(await deliver(event('evt_3'), {})).toMatchObject({ statusCode: 401 })
    expect(await deliver(event('evt_4'), signed('evt_3'))).toMatchObject({ statusCode: 401 })
    expect(await deliver(event('evt_3'), signed('evt_3', Date.now() - 600_000))).toMatchObject({
      statusCode: 401,
    })
    expect(lines()).toEqual(before)
  })

  test('appears unchanged in the documentation', () => {
    expect(page).toContain(`\`\`\`js\n${file}\`\`\``)
    expect(file.split('\n').length).toBeLessThanOrEqual(51)
  })
})
