import { request } from 'node:http'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { Conversation } from '../../support/harnesses/session-harness.ts'

const OURS = 'https://app.example.com'
const OTHERS = 'https://evil.example.com'

describe.each([
  ['no origin', '', []],
  ['some origins', `${OURS},http://localhost:3000`, [OURS, 'http://localhost:3000']],
  ['any origin', '*', [OURS, OTHERS]],
])('with %s allowed', (_, setting, allowed) => {
  let home: Home
  let service: ServiceProcess

  beforeAll(async () => {
    home = await makeHome('sqlite')
    service = await ServiceProcess.start(home, ['--fleet-size', '1'], { CORS_ORIGINS: setting })
  })
  afterAll(async () => {
    await service.end()
    await home.remove()
  })

  const origins = [OURS, OTHERS, 'http://localhost:3000', `${OURS}.evil.example.com`, 'null', `${OURS}:8443`]

  const allowedOrigin = ({ headers }: Response) => headers.get('access-control-allow-origin')

  test.each(origins)('a page of %s reads over HTTP only if its origin is allowed', async (origin) => {
    const expected = setting === '*' ? '*' : (allowed as string[]).includes(origin) ? origin : null
    const { graphqlUrl, restUrl } = service.ready
    for (const url of [graphqlUrl, `${restUrl}/vehicles`]) {
      const method = url === graphqlUrl ? 'POST' : 'GET'
      const preflight = await fetch(url, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization,content-type',
        },
      })
      expect([url, 'preflight', allowedOrigin(preflight)]).toEqual([url, 'preflight', expected])
      if (expected) {
        expect(preflight.status).toBe(204)
        expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
      }
      const answer = await fetch(url, {
        method,
        headers: { ...service.headers(), origin, 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: '{"query":"{ connection { id } }"}' } : {}),
      })
      expect([url, answer.status, allowedOrigin(answer)]).toEqual([url, 200, expected])
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
      if (setting.includes(',')) expect(answer.headers.get('vary')).toContain('Origin')
    }
    const stream = await fetch(`${graphqlUrl}?query=%7Bconnection%7Bid%7D%7D`, {
      headers: { ...service.headers(), origin, accept: 'text/event-stream' },
    })
    expect([stream.headers.get('content-type'), allowedOrigin(stream)]).toEqual([
      'text/event-stream; charset=utf-8',
      expected,
    ])
    await stream.text()
  })

  test.each(origins)('a page of %s opens a websocket only if its origin is allowed', async (origin) => {
    const { status } = await upgrade(service, { origin })
    expect(status).toBe(setting === '*' || (allowed as string[]).includes(origin) ? 101 : 403)
  })

  test('pages of the service and clients without an origin open a websocket', async () => {
    const { url, secretKey } = service.ready
    expect(await upgrade(service, { origin: url })).toEqual({ status: 101 })
    const socket = await Conversation.open(service, { authorization: `Bearer ${secretKey}` })
    await socket.next('connection_ack')
    socket.end()
  })

  test('a form post of another page is refused, as it has no preflight', async () => {
    const form = await fetch(service.ready.graphqlUrl, {
      method: 'POST',
      headers: { ...service.headers(), 'content-type': 'text/plain', origin: OURS },
      body: '{"query":"{ connection { id } }"}',
    })
    expect(form.status).toBeGreaterThanOrEqual(400)
  })

  test('GraphiQL and the OpenAPI document are served', async () => {
    const page = await fetch(service.ready.graphqlUrl, { headers: { accept: 'text/html' } })
    expect(page.headers.get('content-type')).toMatch('text/html')
    expect((await fetch(`${service.ready.restUrl}/openapi.json`)).status).toBe(200)
  })
})

/** Requests an upgrade to a websocket and returns the status of the response. */
async function upgrade({ ready }: ServiceProcess, headers: Readonly<Record<string, string>>) {
  const upgradeRequest = request(ready.graphqlUrl, {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16, 1).toString('base64'),
      'sec-websocket-protocol': 'graphql-transport-ws',
      ...headers,
    },
  })
  upgradeRequest.end()
  const [answer] = (await Promise.race([
    once(upgradeRequest, 'upgrade'),
    once(upgradeRequest, 'response'),
  ])) as [IncomingMessage]
  answer.destroy()
  return { status: answer.statusCode }
}
