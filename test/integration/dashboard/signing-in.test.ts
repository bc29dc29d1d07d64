import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { ask, Conversation, type GraphQLReply } from '../../support/harnesses/session-harness.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const VIEWER = '{ viewer { kind sessionId } vehicles(first: 1) { nodes { name } } }'

interface SignedIn {
  readonly expiresAt: string
}

describe('the sign-in to the dashboard', () => {
  let home: Home
  let service: ServiceProcess
  let cookie: string

  beforeAll(async () => {
    home = await makeHome('sqlite')
    service = await ServiceProcess.start(home, ['--fleet-size', '3'], { LOG_LEVEL: 'debug' })
    cookie = cookieOf(await signIn({ code: service.ready.signInCode }))
  })
  afterAll(async () => {
    await service.end()
    await home.remove()
  })

  const session = (method: string, headers: object, body?: unknown): Promise<Response> =>
    fetch(`${service.ready.url}/dashboard/session`, {
      method,
      headers: { ...JSON_TYPE, origin: service.ready.url, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

  const signIn = (body: unknown, headers: object = {}): Promise<Response> => session('POST', headers, body)

  async function query(text: string, headers: object): Promise<GraphQLReply & { readonly status: number }> {
    const answer = await fetch(service.ready.graphqlUrl, {
      method: 'POST',
      headers: { ...JSON_TYPE, origin: service.ready.url, ...headers },
      body: JSON.stringify({ query: text }),
    })
    return { status: answer.status, ...((await answer.json()) as GraphQLReply) }
  }

  const signInWithKey = async (): Promise<string> =>
    cookieOf(await signIn({ secretKey: service.ready.secretKey }))

  test('a link signs in once', async () => {
    const again = await signIn({ code: service.ready.signInCode })
    expect([again.status, await again.json()]).toEqual([
      401,
      {
        code: 'unauthorized',
        message: 'This sign-in link was used before, or it has expired.',
        detail: 'Ask for a new link, or sign in with a secret key.',
      },
    ])
    expect(again.headers.get('set-cookie')).toBeNull()
    expect((await query(VIEWER, { cookie })).data).toMatchObject({
      viewer: { kind: 'SESSION' },
      vehicles: { nodes: [{}] },
    })
  })

  test('a secret key signs in for a day, with a cookie that no script of a page can read', async () => {
    const answer = await signIn({ secretKey: service.ready.secretKey })
    const { expiresAt } = (await answer.json()) as SignedIn
    const seconds = (Date.parse(expiresAt) - Date.now()) / 1000
    expect(Math.round(seconds / 60)).toBe(24 * 60)
    expect(answer.headers.get('set-cookie')).toMatch(
      /^odograph_session=ses_tkn_[^;]+; Path=\/; Max-Age=86[34]\d\d; HttpOnly; SameSite=Strict$/,
    )
  })

  test('the cookie opens websockets', async () => {
    const socket = await Conversation.open(service, {}, { cookie, origin: service.ready.url })
    await socket.next('connection_ack')
    socket.subscribe('1', VIEWER)
    expect((await socket.next('next')).payload).toMatchObject({ data: { viewer: { kind: 'SESSION' } } })
    socket.end()
  })

  test('the credentials of the headers go before the cookie', async () => {
    const { data } = await query(VIEWER, { cookie, authorization: `Bearer ${service.ready.secretKey}` })
    expect(data).toMatchObject({ viewer: { kind: 'KEY' } })
  })

  test('the demo is for operators, and a secret key signs in with its own rights', async () => {
    const roleOf = async (headers: object) => (await query('{ viewer { role } }', headers)).data
    expect(await roleOf({ cookie })).toEqual({ viewer: { role: 'OPERATOR' } })
    expect(await roleOf({ cookie: await signInWithKey() })).toEqual({ viewer: { role: 'ADMIN' } })
    const { errors } = await query('mutation { createSession(input: {}) { token } }', { cookie })
    expect(errors?.[0]?.message).toBe('Your session as OPERATOR has no scope sessions:write.')
  })

  const foreign = [
    { origin: 'https://evil.example.com' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]

  test.each(foreign)('the cookie is ignored in a request of another page: %j', async (headers) => {
    const { status, errors } = await query(VIEWER, { cookie, ...headers })
    expect([status, errors?.[0]?.extensions?.code]).toEqual([401, 'UNAUTHENTICATED'])
  })

  test.each(foreign)('another page can sign nobody in or out: %j', async (headers) => {
    const own = await signInWithKey()
    const answers = [
      await signIn({ secretKey: service.ready.secretKey }, headers),
      await session('DELETE', { cookie: own, ...headers }),
    ]
    for (const answer of answers)
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null])
    expect((await query(VIEWER, { cookie: own })).status).toBe(200)
  })

  test('a sign-out ends the session and its sockets, and removes the cookie', async () => {
    const own = await signInWithKey()
    const socket = await Conversation.open(service, {}, { cookie: own, origin: service.ready.url })
    await socket.next('connection_ack')
    const out = await session('DELETE', { cookie: own })
    expect([out.status, out.headers.get('set-cookie')]).toEqual([
      204,
      'odograph_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    ])
    expect((await socket.closed).code).toBe(4403)
    const token = own.replace('odograph_session=', '')
    expect((await ask(service, token, VIEWER)).status).toBe(401)
  })

  test('the page can ask whether it is signed in', async () => {
    const own = await signInWithKey()
    const [signedIn, signedOut] = await Promise.all([session('GET', { cookie: own }), session('GET', {})])
    expect([signedIn.status, await signedIn.json()]).toEqual([200, { expiresAt: expect.any(String) }])
    expect(signedOut.status).toBe(204)
  })

  test('a sign-in ends the session that the browser had before', async () => {
    const own = await signInWithKey()
    const next = cookieOf(await signIn({ secretKey: service.ready.secretKey }, { cookie: own }))
    expect((await query(VIEWER, { cookie: own })).status).toBe(401)
    expect((await query(VIEWER, { cookie: next })).status).toBe(200)
  })

  test('files of another version are not found', async () => {
    const answer = await fetch(`${service.ready.url}/dashboard/assets/old/main.js`)
    expect(answer.status).toBe(404)
  })

  test.each([{}, { cookie: 'odograph_session=ses_tkn_unknown' }])(
    'a sign-out succeeds without a session: %j',
    async (headers) => {
      const out = await session('DELETE', headers)
      expect([out.status, out.headers.get('set-cookie')]).toEqual([
        204,
        expect.stringContaining('odograph_session=; '),
      ])
    },
  )

  const NEITHER = 'Send `code`, of a sign-in link, or `secretKey`.'
  const NO_LINK = 'This sign-in link was used before, or it has expired.'
  const NO_KEY = 'The request is not authenticated.'

  test.each([
    [{}, 400, NEITHER],
    [[], 400, NEITHER],
    ['sig_', 400, NEITHER],
    [{ code: 1 }, 400, NEITHER],
    [{ code: 'sig_x', secretKey: 'sk_prod_x' }, 400, NEITHER],
    [{ code: null, secretKey: null }, 400, NEITHER],
    [{ code: '' }, 401, NO_LINK],
    [{ code: `sig_${'0'.repeat(32)}` }, 401, NO_LINK],
    [{ secretKey: '' }, 401, NO_KEY],
    [{ secretKey: 'pk_prod_0' }, 401, NO_KEY],
    [{ secretKey: 'ses_tkn_0' }, 401, NO_KEY],
    [{ secretKey: 'a b' }, 401, NO_KEY],
  ])('%j is refused with %s', async (body, status, message) => {
    const answer = await signIn(body)
    expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining({ message })])
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  test('the page permits files of this server only', async () => {
    for (const path of ['/dashboard', '/dashboard/vehicles/vcl_0?day=2026-11-30']) {
      const answer = await fetch(service.ready.url + path)
      const policy = answer.headers.get('content-security-policy')
      expect([answer.status, policy]).toEqual([
        200,
        expect.stringContaining("script-src 'self'; style-src 'self'"),
      ])
      expect(policy).not.toMatch(/unsafe|https?:|\*/)
      const html = await answer.text()
      const links = [...html.matchAll(/ (?:href|src)="(\/[^"]*)/g)].map(([, link]) => link!)
      expect(links).toHaveLength(2)
      for (const link of links) {
        const file = await fetch(service.ready.url + link, { headers: { 'accept-encoding': 'br' } })
        expect([
          link,
          file.status,
          file.headers.get('cache-control'),
          file.headers.get('content-encoding'),
        ]).toEqual([link, 200, 'public, max-age=31536000, immutable', 'br'])
      }
    }
  })

  test('neither the log nor the request log has a code or a token', () => {
    expect(service.output()).toContain('/dashboard/session')
    expect(service.output()).not.toContain('ses_tkn_')
  })
})

const cookieOf = (answer: Response): string => answer.headers.get('set-cookie')?.split(';')[0] ?? ''
