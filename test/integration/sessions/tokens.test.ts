import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { ask, Conversation, CREATE, createSession, REVOKE } from '../../support/harnesses/session-harness.ts'

const VEHICLES = '{ vehicles(first: 2) { nodes { id name } } }'

describe('a session', () => {
  let home: Home
  let service: ServiceProcess

  beforeAll(async () => {
    home = await makeHome('sqlite')
    service = await ServiceProcess.start(home, ['--fleet-size', '3'], { LOG_LEVEL: 'debug', METRICS: 'on' })
  })
  afterAll(async () => {
    await service.end()
    await home.remove()
  })

  test('reads over HTTP and over a websocket with only its token', async () => {
    const { token, session } = await createSession(service)
    expect(token).toMatch(/^ses_tkn_/)
    expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(900_000)
    const own = await ask(service, service.ready.secretKey, VEHICLES)
    expect(await ask(service, token, VEHICLES)).toEqual(own)
    const socket = await Conversation.open(service, { authorization: `Bearer ${token}` })
    await socket.next('connection_ack')
    socket.subscribe('1', VEHICLES)
    expect((await socket.next('next')).payload).toEqual({ data: own.data })
    socket.end()
  })

  test('is refused by REST', async () => {
    const { token } = await createSession(service)
    for (const path of ['/vehicles', '/connections', '/providers']) {
      const answer = await fetch(service.ready.restUrl + path, {
        headers: { authorization: `Bearer ${token}` },
      })
      expect([path, answer.status]).toEqual([path, 403])
      expect(await answer.json()).toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('GraphQL'),
      })
    }
  })

  test('cannot create or revoke a session', async () => {
    const { token, session } = await createSession(service)
    for (const [text, variables] of [
      [CREATE, { input: {} }],
      [REVOKE, { id: session.id }],
    ] as const) {
      const { data, errors } = await ask(service, token, text, variables)
      expect(data ?? null).toBeNull()
      expect(errors?.[0]?.extensions?.code).toBe('FORBIDDEN')
    }
    expect((await ask(service, token, VEHICLES)).errors).toBeUndefined()
  })

  test('is accepted as a query parameter only for streams, unlike a secret key', async () => {
    const { token } = await createSession(service)
    const { graphqlUrl, secretKey } = service.ready
    const stream = (parameters: Readonly<Record<string, string>>, init: RequestInit = {}) =>
      fetch(`${graphqlUrl}?${new URLSearchParams({ query: VEHICLES, ...parameters }).toString()}`, {
        headers: { accept: 'text/event-stream' },
        ...init,
      })
    for (const name of ['token', 'access_token']) {
      expect(await (await stream({ [name]: token })).text()).toContain('vehicles')
      expect((await stream({ [name]: secretKey })).status).toBe(401)
      expect((await stream({ [name]: token }, { headers: { 'apollo-require-preflight': '1' } })).status).toBe(
        401,
      )
      const post = { method: 'POST', body: JSON.stringify({ query: VEHICLES }) }
      const headers = { accept: 'text/event-stream', 'content-type': 'application/json' }
      expect((await stream({ [name]: token }, { ...post, headers })).status).toBe(401)
    }
  })

  test('is in no log line and no metric, for every transport and error', async () => {
    const { token, session } = await createSession(service)
    const { url, graphqlUrl, restUrl, secretKey } = service.ready
    const query = new URLSearchParams({ query: VEHICLES, access_token: token }).toString()
    const stream = { headers: { accept: 'text/event-stream' } }
    for (const address of [
      `${graphqlUrl}?${query}`,
      `${graphqlUrl}?access_token=${token}`,
      `${graphqlUrl}?${query}&variables=x`,
    ])
      await (await fetch(address, stream)).text()
    for (const address of [
      `${url}/nothing?${query}`,
      `${restUrl}/vehicles?${query}`,
      `${url}/%ff?${query}`,
      `${graphqlUrl}?${query}`,
    ])
      await (await fetch(address)).text()
    await ask(service, token, '{ nothing }')
    await ask(service, token, VEHICLES, {}, { 'content-type': 'application/json; charset=utf-7' }).catch(
      () => null,
    )
    const socket = await Conversation.open(service, { authorization: `Bearer ${token}` })
    await socket.next('connection_ack')
    socket.subscribe('1', 'subscription { nothing }')
    await socket.next('error')
    await ask(service, secretKey, REVOKE, { id: session.id })
    expect((await socket.closed).code).toBe(4403)
    await ask(service, token, VEHICLES)
    const metrics = await (await fetch(`${url}/metrics`)).text()
    expect(metrics).toContain('odograph')
    const [, payload = '', signature = ''] = token.split('.')
    for (const text of [service.output(), metrics])
      for (const part of [token, payload, signature]) expect(text).not.toContain(part)
    expect(service.output()).toContain('"route":"/graphql"')
  })
})
