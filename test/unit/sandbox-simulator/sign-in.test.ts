import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Options } from '../../../src/providers/sandbox/simulator/options.ts'
import { runSimulator } from '../../support/simulator/simulator.ts'

type Running = Awaited<ReturnType<typeof runSimulator>>

const CALLBACK = 'http://127.0.0.1:4000/back'
const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')

const authorizeParams = (changes: Readonly<Record<string, string>> = {}) =>
  new URLSearchParams({
    response_type: 'code',
    client_id: 'odograph',
    redirect_uri: CALLBACK,
    state: 'as it was & is',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  })

const post = (simulator: Running, path: string, body: URLSearchParams | string) =>
  fetch(simulator.origin + path, { method: 'POST', body, redirect: 'manual' })

/** Submits the consent page. Returns the URL of the redirect. */
async function consent(simulator: Running, user: string, changes: Readonly<Record<string, string>> = {}) {
  const response = await post(
    simulator,
    '/oauth/authorize',
    authorizeParams({ user, decision: 'allow', ...changes }),
  )
  expect(response.status).toBe(303)
  return new URL(response.headers.get('location') ?? '')
}

interface Issued {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
  readonly error?: string
}

async function token(simulator: Running, form: Readonly<Record<string, string>>) {
  const response = await post(simulator, '/oauth/token', new URLSearchParams(form))
  return { status: response.status, body: (await response.json()) as Issued }
}

async function exchange(simulator: Running, code: string, changes: Readonly<Record<string, string>> = {}) {
  const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, client_id: 'odograph' }
  return token(simulator, { ...form, code_verifier: verifier, ...changes })
}

const refresh = (simulator: Running, refreshToken: string) =>
  token(simulator, { grant_type: 'refresh_token', refresh_token: refreshToken })

async function issueTokens(simulator: Running, user: string): Promise<Issued> {
  const code = (await consent(simulator, user)).searchParams.get('code') ?? ''
  const { status, body } = await exchange(simulator, code)
  expect(status).toBe(200)
  return body
}

const runControlledSimulator = (options: Partial<Options> = {}) =>
  runSimulator({ controls: true, ...options })

describe('user and password', () => {
  const signIn = async (simulator: Running, user: string, password: string) => {
    const response = await post(simulator, '/sessions', JSON.stringify({ user, password }))
    return {
      status: response.status,
      body: (await response.json()) as { session: string; expiresAt: string },
    }
  }

  test('give access to the account of the key with the name of the user', async () => {
    await using simulator = await runSimulator()
    const { status, body } = await signIn(simulator, 'sandbox-3-1', 'whatever')
    expect(status).toBe(200)
    const [byKey, bySession] = [
      await simulator.get('/account', 'sandbox-3-1'),
      await simulator.get('/account', body.session),
    ]
    expect([bySession.status, bySession.body]).toEqual([200, byKey.body])
  })

  test.each([
    ['ada', 'wrong horse', 401],
    ['noscope-1', 'x', 403],
    ['down-1', 'x', 503],
    ['', 'x', 400],
  ])('%s with %s returns %i', async (user, password, status) => {
    await using simulator = await runSimulator()
    expect((await signIn(simulator, user, password)).status).toBe(status)
  })

  test('create a session that expires', async () => {
    await using simulator = await runControlledSimulator({ tokenSeconds: 60 })
    const { session } = (await signIn(simulator, 'ada', 'x')).body
    await simulator.control('clock', { offsetMs: 59_000 })
    expect((await simulator.get('/account', session)).status).toBe(200)
    await simulator.control('clock', { offsetMs: 61_000 })
    expect((await simulator.get('/account', session)).status).toBe(401)
  })
})

describe('the authorize page', () => {
  test('asks for consent, and returns the code and the unchanged state', async () => {
    await using simulator = await runSimulator()
    const page = await fetch(`${simulator.origin}/oauth/authorize?${authorizeParams()}`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain('<strong>odograph</strong>')
    const redirect = await consent(simulator, 'ada')
    expect(redirect.origin + redirect.pathname).toBe(CALLBACK)
    const { code = '', ...others } = Object.fromEntries(redirect.searchParams)
    expect(others).toEqual({ state: 'as it was & is' })
    expect((await exchange(simulator, code)).status).toBe(200)
  })

  test('returns access_denied if the fleet refuses', async () => {
    await using simulator = await runSimulator()
    const redirect = await consent(simulator, 'ada', { decision: 'deny' })
    expect(Object.fromEntries(redirect.searchParams)).toEqual({
      error: 'access_denied',
      state: 'as it was & is',
    })
  })

  test.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge: '' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
  ])('returns the error of %j', async (changes, error) => {
    await using simulator = await runSimulator()
    const response = await fetch(`${simulator.origin}/oauth/authorize?${authorizeParams(changes)}`, {
      redirect: 'manual',
    })
    expect(new URL(response.headers.get('location') ?? '').searchParams.get('error')).toBe(error)
  })

  test.each([
    ['https://evil.example/back', 400],
    ['https://link.example.com.evil.example/', 400],
    ['https://link.example.com/oauth/back', 200],
    ['http://localhost:9/back', 200],
    ['http://localhost:9/#back', 400],
    ['javascript:alert(1)', 400],
    ['nowhere', 400],
  ])('redirects only to registered URLs: %s returns %i', async (redirect_uri, status) => {
    await using simulator = await runSimulator({ redirectPrefix: 'https://link.example.com' })
    const url = `${simulator.origin}/oauth/authorize?${authorizeParams({ redirect_uri })}`
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(status)
  })

  test('forbids framing, to prevent clickjacking', async () => {
    await using simulator = await runSimulator()
    const { headers } = await fetch(`${simulator.origin}/oauth/authorize?${authorizeParams()}`)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test('escapes parameters', async () => {
    await using simulator = await runSimulator()
    const client_id = '"><script>alert(1)</script>'
    const page = await fetch(`${simulator.origin}/oauth/authorize?${authorizeParams({ client_id })}`)
    expect(await page.text()).not.toContain('<script>')
  })
})

describe('the token endpoint', () => {
  test('issues tokens for a code, which give access to the account of the user', async () => {
    await using simulator = await runControlledSimulator({ tokenSeconds: 60 })
    const issued = await issueTokens(simulator, 'sandbox-3-1')
    expect(issued).toMatchObject({ expires_in: 60, token_type: 'bearer', user: 'sandbox-3-1' })
    const byKey = await simulator.get('/account', 'sandbox-3-1')
    expect((await simulator.get('/account', issued.access_token)).body).toEqual(byKey.body)
    expect((await simulator.get('/account', issued.refresh_token)).status).toBe(401)
    await simulator.control('clock', { offsetMs: 61_000 })
    expect((await simulator.get('/account', issued.access_token)).status).toBe(401)
  })

  test.each([
    [{ code_verifier: randomBytes(32).toString('base64url') }],
    [{ redirect_uri: 'http://127.0.0.1:4001/back' }],
    [{ client_id: 'another' }],
  ])('refuses a code with %j, and does not accept it again', async (changes) => {
    await using simulator = await runSimulator()
    const code = (await consent(simulator, 'ada')).searchParams.get('code') ?? ''
    const errorOf = async (form: object) =>
      (await exchange(simulator, code, form as Record<string, string>)).body.error
    expect(await errorOf(changes)).toBe('invalid_grant')
    expect(await errorOf({})).toBe('invalid_grant')
  })

  test('accepts a code once, and revokes its tokens if it is used again', async () => {
    await using simulator = await runSimulator()
    const code = (await consent(simulator, 'ada')).searchParams.get('code') ?? ''
    const { access_token, refresh_token } = (await exchange(simulator, code)).body
    expect(await exchange(simulator, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await simulator.get('/account', access_token)).status).toBe(401)
    expect((await refresh(simulator, refresh_token)).status).toBe(400)
  })

  test('accepts a code for a minute', async () => {
    await using simulator = await runControlledSimulator()
    const code = (await consent(simulator, 'ada')).searchParams.get('code') ?? ''
    await simulator.control('clock', { offsetMs: 61_000 })
    expect((await exchange(simulator, code)).status).toBe(400)
  })

  test('rotates refresh tokens: reuse works within the grace period, and later revokes the family', async () => {
    await using simulator = await runControlledSimulator({ refreshGraceSeconds: 5 })
    await simulator.control('clock', { offsetMs: 0, stands: true })
    const first = await issueTokens(simulator, 'ada')
    const second = (await refresh(simulator, first.refresh_token)).body
    const again = (await refresh(simulator, first.refresh_token)).body
    expect(again.error).toBeUndefined()
    const third = (await refresh(simulator, again.refresh_token)).body
    expect((await simulator.get('/account', third.access_token)).status).toBe(200)
    await simulator.control('clock', { offsetMs: 6_000, stands: true })
    expect((await refresh(simulator, second.refresh_token)).body.error).toBe('invalid_grant')
    expect((await refresh(simulator, third.refresh_token)).body.error).toBe('invalid_grant')
    expect((await simulator.get('/account', third.access_token)).status).toBe(401)
  })

  test('accepts its own tokens after a restart', async () => {
    const before = await runSimulator({ seed: 5 })
    const { access_token, refresh_token } = await issueTokens(before, 'ada')
    await before[Symbol.asyncDispose]()
    await using after = await runSimulator({ seed: 5 })
    expect((await after.get('/account', access_token)).status).toBe(200)
    expect((await refresh(after, refresh_token)).status).toBe(200)
    await using other = await runSimulator({ seed: 6 })
    expect((await other.get('/account', access_token)).status).toBe(401)
  })

  test.each([
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{ grant_type: 'refresh_token', refresh_token: 'refresh.e30.AAAA' }, 'invalid_grant'],
    [{ grant_type: 'authorization_code', code: 'ada' }, 'invalid_grant'],
  ])('refuses %j with %s', async (form, error) => {
    await using simulator = await runSimulator()
    expect(await token(simulator, form as Record<string, string>)).toMatchObject({
      status: 400,
      body: { error },
    })
  })
})

describe('the controls', () => {
  test('revoke an account for every kind of sign-in, and restore it unchanged', async () => {
    await using simulator = await runControlledSimulator()
    const { access_token, refresh_token } = await issueTokens(simulator, 'ada')
    await simulator.control('sign-ins', { key: 'ada', revoked: true })
    const statuses = async () => [
      (await simulator.get('/account', 'ada')).status,
      (await simulator.get('/account', access_token)).status,
      (await post(simulator, '/sessions', '{"user":"ada","password":"x"}')).status,
    ]
    expect(await statuses()).toEqual([401, 401, 401])
    expect((await refresh(simulator, refresh_token)).body.error).toBe('invalid_grant')
    expect((await simulator.get('/account', 'bob')).status).toBe(200)
    await simulator.control('sign-ins', { key: 'ada', revoked: false })
    expect(await statuses()).toEqual([200, 200, 200])
    expect((await refresh(simulator, refresh_token)).status).toBe(200)
  })

  test('end the access tokens of an account, or all of its tokens', async () => {
    await using simulator = await runControlledSimulator()
    const first = await issueTokens(simulator, 'ada')
    await simulator.control('sign-ins', { key: 'ada', end: 'access' })
    expect((await simulator.get('/account', first.access_token)).status).toBe(401)
    const second = (await refresh(simulator, first.refresh_token)).body
    expect((await simulator.get('/account', second.access_token)).status).toBe(200)
    await simulator.control('sign-ins', { key: 'ada', end: 'all' })
    expect((await simulator.get('/account', second.access_token)).status).toBe(401)
    expect((await refresh(simulator, second.refresh_token)).body.error).toBe('invalid_grant')
    await issueTokens(simulator, 'ada')
  })

  test('refuse a reused refresh token and keep the consent, if the options say so', async () => {
    await using simulator = await runControlledSimulator({ refreshGraceSeconds: 0, keepsReusedConsent: true })
    const first = await issueTokens(simulator, 'ada')
    const second = (await refresh(simulator, first.refresh_token)).body
    await simulator.control('clock', { offsetMs: 1_000 })
    expect((await refresh(simulator, first.refresh_token)).body.error).toBe('invalid_grant')
    expect((await simulator.get('/account', second.access_token)).status).toBe(200)
    expect((await refresh(simulator, second.refresh_token)).status).toBe(200)
  })

  test('fail the token endpoint, and drop its response after the rotation', async () => {
    await using simulator = await runControlledSimulator({ refreshGraceSeconds: 0 })
    const { refresh_token } = await issueTokens(simulator, 'ada')
    const fault = { key: 'ada', path: '/oauth/token' }
    await simulator.control('faults', { ...fault, status: 503 })
    expect((await refresh(simulator, refresh_token)).status).toBe(503)
    await simulator.control('faults', { ...fault, status: 0, late: true })
    await expect(refresh(simulator, refresh_token)).rejects.toThrow('fetch failed')
    await simulator.control('clock', { offsetMs: 1_000 })
    expect((await refresh(simulator, refresh_token)).body.error).toBe('invalid_grant')
    const { body } = await simulator.get('/control/requests')
    expect(body).toMatchObject({ ada: { '/oauth/token': 4 } })
  })
})
