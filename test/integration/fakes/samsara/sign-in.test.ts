import { afterAll, beforeAll, expect, test } from 'vitest'
import { runSamsara, type FakeHarness } from '../../../fakes/samsara/harness.ts'

interface Pair {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
}

const redirectUri = 'http://127.0.0.1:1/back'
const basic = { authorization: `Basic ${Buffer.from('fake-client:fake-client-secret').toString('base64')}` }
const parameters = new URLSearchParams({
  client_id: 'fake-client',
  response_type: 'code',
  redirect_uri: redirectUri,
  state: 'a state',
})

let samsara: FakeHarness
beforeAll(async () => {
  samsara = await runSamsara({ accounts: 2 })
})
afterAll(() => samsara[Symbol.asyncDispose]())

async function consent(answer: string, organization = '2'): Promise<URL> {
  const form = new URLSearchParams({ answer, organization }).toString()
  const { status, headers } = await samsara.send('POST', `/oauth2/authorize?${parameters}`, form, {})
  expect(status).toBe(302)
  return new URL(headers.get('location') ?? '')
}

const grant = (form: Record<string, string>, headers: Record<string, string> = basic) =>
  samsara.send<Pair>('POST', '/oauth2/token', new URLSearchParams(form).toString(), headers)

async function signIn(): Promise<{ code: string; pair: Pair }> {
  const code = (await consent('allow')).searchParams.get('code') ?? ''
  const { body } = await grant({ grant_type: 'authorization_code', code, redirect_uri: redirectUri })
  return { code, pair: body }
}

const renew = (refresh_token: string) => grant({ grant_type: 'refresh_token', refresh_token })

test('a refused consent redirects with access_denied and the state', async () => {
  const page = await samsara.send('GET', `/oauth2/authorize?${parameters}`, undefined)
  expect(page.text).toContain('<button name="answer" value="allow">')
  expect(Object.fromEntries((await consent('deny')).searchParams)).toEqual({
    error: 'access_denied',
    state: 'a state',
  })
})

test('a code can be exchanged once, only by the application, for a token of the consenting organization', async () => {
  const { code, pair } = await signIn()
  expect(pair.expires_in).toBe(3600)
  const { body } = await samsara.get<{ data: { name: string } }>('/me', pair.access_token)
  const other = await samsara.get<{ data: { name: string } }>('/me')
  expect(body.data.name).not.toBe(other.body.data.name)
  const again = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
  expect((await grant(again)).status).toBe(400)
  expect((await grant(again, {})).status).toBe(401)
})

test('an access token expires, and a refresh token is valid once', async () => {
  const { pair } = await signIn()
  await samsara.fake.move({ advanceMilliseconds: 3_600_000 })
  expect((await samsara.get('/me', pair.access_token)).status).toBe(401)
  const next = await renew(pair.refresh_token)
  expect(next.body.refresh_token).not.toBe(pair.refresh_token)
  expect((await samsara.get('/me', next.body.access_token)).status).toBe(200)
  const spent = await renew(pair.refresh_token)
  expect([spent.status, spent.body]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })])
  expect((await samsara.get('/me', next.body.access_token)).status).toBe(200)
})

test('switches change the error body, and make reuse revoke the whole family', async () => {
  await samsara.fake.behave({ tokenErrors: 'samsara', reuseEndsFamily: 'yes', tokenSeconds: '300' })
  const { pair } = await signIn()
  const next = await renew(pair.refresh_token)
  expect([pair.expires_in, next.status]).toEqual([300, 200])
  const spent = await renew(pair.refresh_token)
  expect([spent.status, spent.body]).toEqual([
    400,
    { message: expect.any(String), requestId: expect.any(String) },
  ])
  expect((await samsara.get('/me', next.body.access_token)).status).toBe(401)
  await samsara.fake.behave({ tokenErrors: 'oauth', reuseEndsFamily: 'no', tokenSeconds: '3600' })
})

test('a revocation by the application or the organization ends all tokens', async () => {
  const { pair } = await signIn()
  const form = new URLSearchParams({ token: pair.refresh_token }).toString()
  expect((await samsara.send('POST', '/oauth2/revoke', form, basic)).status).toBe(200)
  expect((await samsara.get('/me', pair.access_token)).status).toBe(401)
  expect((await renew(pair.refresh_token)).status).toBe(400)
  const other = await signIn()
  await samsara.send('POST', '/_fake/revocation', { organization: 2 })
  expect((await samsara.get('/me', other.pair.access_token)).status).toBe(401)
  expect((await renew(other.pair.refresh_token)).status).toBe(400)
  expect((await samsara.get('/me', 'fake-token-2')).status).toBe(401)
  expect((await samsara.get('/me')).status).toBe(200)
})

test('a token can read only what its scopes allow', async () => {
  const narrow = { token: 'fake-narrow', organization: 1, scopes: ['Read Vehicles'] }
  await samsara.send('POST', '/_fake/tokens', narrow)
  expect((await samsara.get('/fleet/vehicles', 'fake-narrow')).status).toBe(200)
  expect((await samsara.get('/fleet/drivers', 'fake-narrow')).status).toBe(403)
  await samsara.fake.behave({ missingScope: '401' })
  expect((await samsara.get('/fleet/drivers', 'fake-narrow')).status).toBe(401)
})
