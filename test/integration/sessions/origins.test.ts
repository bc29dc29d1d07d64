import { request } from 'node:http'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Home, makeHome, ServiceProcess } from '../../prove/service-process.ts'
import { Conversation } from '../../support/session-harness.ts'

const OURS = 'https://app.example.com'
const OTHERS = 'https://evil.example.com'

describe.each([
  ['no origin is allowed', '', []],
  ['some origins are allowed', `${OURS},http://localhost:3000`, [OURS, 'http://localhost:3000']],
  ['any origin is allowed', '*', [OURS, OTHERS]],
])('where %s', (_, setting, allowed) => {
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

  const allowance = ({ headers }: Response) => headers.get('access-control-allow-origin')

  test.each(origins)('a page of %s reads over HTTP only if it is', async (origin) => {
    const expected = setting === '*' ? '*' : (allowed as string[]).includes(origin) ? origin : null
    const { graphqlUrl, restUrl } = service.ready
    for (const url of [graphqlUrl, `${restUrl}/vehicles`]) {
      const method = url === graphqlUrl ? 'POST' : 'GET'
      const asked = await fetch(url, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization,content-type',
        },
      })
      expect([url, 'preflight', allowance(asked)]).toEqual([url, 'preflight', expected])
      if (expected) {
        expect(asked.status).toBe(204)
        expect(asked.headers.get('access-control-allow-headers')).toContain('authorization')
      }
      const answer = await fetch(url, {
        method,
        headers: { ...service.headers(), origin, 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: '{"query":"{ connection { id } }"}' } : {}),
      })
      expect([url, answer.status, allowance(answer)]).toEqual([url, 200, expected])
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
      if (setting.includes(',')) expect(answer.headers.get('vary')).toContain('Origin')
    }
    const stream = await fetch(`${graphqlUrl}?query=%7Bconnection%7Bid%7D%7D`, {
      headers: { ...service.headers(), origin, accept: 'text/event-stream' },
    })
    expect([stream.headers.get('content-type'), allowance(stream)]).toEqual([
      'text/event-stream; charset=utf-8',
      expected,
    ])
    await stream.text()
  })

  test.each(origins)('a page of %s opens a websocket only if it is', async (origin) => {
    const { status } = await upgraded(service, { origin })
    expect(status).toBe(setting === '*' || (allowed as string[]).includes(origin) ? 101 : 403)
  })

  test('pages of the service itself, and what is no browser, open a websocket', async () => {
    const { url, secretKey } = service.ready
    expect(await upgraded(service, { origin: url })).toEqual({ status: 101 })
    const socket = await Conversation.open(service, { authorization: `Bearer ${secretKey}` })
    await socket.next('connection_ack')
    socket.end()
  })

  test('a form of another page is refused: it asks nobody first', async () => {
    const form = await fetch(service.ready.graphqlUrl, {
      method: 'POST',
      headers: { ...service.headers(), 'content-type': 'text/plain', origin: OURS },
      body: '{"query":"{ connection { id } }"}',
    })
    expect(form.status).toBeGreaterThanOrEqual(400)
  })

  test('GraphiQL and the document of REST are served as ever', async () => {
    const page = await fetch(service.ready.graphqlUrl, { headers: { accept: 'text/html' } })
    expect(page.headers.get('content-type')).toMatch('text/html')
    expect((await fetch(`${service.ready.restUrl}/openapi.json`)).status).toBe(200)
  })
})

/** What an upgrade is answered, before anything is said on the socket. */
async function upgraded({ ready }: ServiceProcess, headers: Readonly<Record<string, string>>) {
  const asked = request(ready.graphqlUrl, {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16, 1).toString('base64'),
      'sec-websocket-protocol': 'graphql-transport-ws',
      ...headers,
    },
  })
  asked.end()
  const [answer] = (await Promise.race([once(asked, 'upgrade'), once(asked, 'response')])) as [
    IncomingMessage,
  ]
  answer.destroy()
  return { status: answer.statusCode }
}
