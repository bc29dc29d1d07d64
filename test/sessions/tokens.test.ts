import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Home, makeHome, ServiceProcess } from '../prove/service-process.ts'
import { ask, Conversation, CREATE, createSession, REVOKE } from './rig.ts'

const VEHICLES = '{ vehicles(first: 2) { nodes { id name } } }'

describe('a session', () => {
  let home: Home
  let service: ServiceProcess

  beforeAll(async () => {
    home = await makeHome('sqlite')
    service = await ServiceProcess.start(home, ['--fleet-size', '3'])
  }, 120_000)
  afterAll(async () => {
    await service.end()
    await home.remove()
  })

  test('reads over HTTP and over a websocket, with its token alone', async () => {
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

  test('makes no session and ends none', async () => {
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
})
