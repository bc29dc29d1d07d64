import { expect, test } from 'vitest'
import { query, type FakeHarness, runMotive } from '../../../fakes/motive/harness.ts'

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
}

const redirectUri = 'https://fleet.example/done'
const application = { client_id: 'fake-client', client_secret: 'fake-client-secret' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const smallFleet = { vehicles: 3, days: 5 }

async function codeFor(motive: FakeHarness, scope: string, answer = 'allow'): Promise<URL> {
  const parameters = {
    client_id: 'fake-client',
    redirect_uri: redirectUri,
    response_type: 'code',
    state: 'xyz',
    scope,
  }
  const page = `/oauth/authorize?${query(parameters)}`
  expect((await motive.get(page)).text).toContain('Allow')
  const response = await motive.send('POST', page, query({ company: 1, answer }), form)
  return new URL(response.headers.get('location') ?? '')
}

const grant = (motive: FakeHarness, fields: Record<string, string>) =>
  motive.send<Tokens>(
    'POST',
    '/oauth/token',
    query({ redirect_uri: redirectUri, ...application, ...fields }),
    form,
  )

async function tokensFor(motive: FakeHarness, scope = 'companies.read vehicles.read'): Promise<Tokens> {
  const code = (await codeFor(motive, scope)).searchParams.get('code') ?? ''
  return (await grant(motive, { grant_type: 'authorization_code', code })).body
}

const statusFor = async (motive: FakeHarness, path: string, token: string): Promise<number> => {
  const response = await fetch(motive.fake.url + path, { headers: { authorization: `Bearer ${token}` } })
  await response.arrayBuffer()
  return response.status
}

test('a key can read everything, and an unknown or revoked key nothing', async () => {
  await using motive = await runMotive(smallFleet)
  const { body } = await motive.get('/v1/companies')
  expect(body['companies']).toMatchObject([
    { company: { id: 1007, time_zone: 'Central Time (US & Canada)' } },
  ])
  expect((await motive.get('/v1/companies', { 'x-api-key': 'fake-key-2' })).status).toBe(401)
  await motive.send('POST', '/_fake/revocation', { account: 1 })
  expect((await motive.get('/v1/companies')).status).toBe(401)
})

test('a code is valid once, only for its redirect URI', async () => {
  await using motive = await runMotive(smallFleet)
  const redirect = await codeFor(motive, 'companies.read')
  expect(redirect.searchParams.get('state')).toBe('xyz')
  const fields = { grant_type: 'authorization_code', code: redirect.searchParams.get('code') ?? '' }
  const { body } = await grant(motive, fields)
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 7200 })
  expect(await statusFor(motive, '/v1/companies', body.access_token)).toBe(200)
  expect((await grant(motive, fields)).status).toBe(400)
  expect((await grant(motive, { ...fields, client_secret: 'another' })).status).toBe(401)
  const other = (await codeFor(motive, 'companies.read')).searchParams.get('code') ?? ''
  const otherRedirect = { ...fields, code: other, redirect_uri: 'https://other.example/' }
  expect((await grant(motive, otherRedirect)).status).toBe(400)
  const denied = await codeFor(motive, 'companies.read', 'deny')
  expect(denied.searchParams.get('error')).toBe('access_denied')
})

test('a refresh needs the redirect URI, and returns a new pair of tokens', async () => {
  await using motive = await runMotive(smallFleet)
  const first = await tokensFor(motive)
  const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token }
  expect((await grant(motive, { ...refresh, redirect_uri: '' })).status).toBe(400)
  const second = (await grant(motive, refresh)).body
  expect(second.refresh_token).not.toBe(first.refresh_token)
  expect((await grant(motive, refresh)).status).toBe(400)

  await motive.fake.behave({ refreshTokens: 'last' })
  const secondRefresh = { grant_type: 'refresh_token', refresh_token: second.refresh_token }
  expect((await grant(motive, secondRefresh)).body.refresh_token).toBe(second.refresh_token)
  expect((await grant(motive, secondRefresh)).status).toBe(200)
})

test('a token expires after expires_in', async () => {
  await using motive = await runMotive(smallFleet)
  for (const seconds of [7200, 900]) {
    await motive.fake.behave({ tokenSeconds: String(seconds) })
    const { access_token, expires_in } = await tokensFor(motive)
    expect(expires_in).toBe(seconds)
    await motive.fake.move({ advanceMilliseconds: (seconds - 1) * 1000 })
    expect(await statusFor(motive, '/v1/companies', access_token)).toBe(200)
    await motive.fake.move({ advanceMilliseconds: 1000 })
    expect(await statusFor(motive, '/v1/companies', access_token)).toBe(401)
  }
})

test('a token can read only what its scopes allow', async () => {
  await using motive = await runMotive(smallFleet)
  const { access_token } = await tokensFor(motive, 'companies.read vehicles.read')
  expect(await statusFor(motive, '/v1/vehicles', access_token)).toBe(200)
  expect(await statusFor(motive, '/v1/users', access_token)).toBe(403)
  await motive.fake.behave({ missingScope: '401' })
  expect(await statusFor(motive, '/v1/users', access_token)).toBe(401)
})

test('a revocation ends all tokens of the same consent', async () => {
  await using motive = await runMotive(smallFleet)
  const { access_token, refresh_token } = await tokensFor(motive)
  const revoked = await motive.send(
    'POST',
    '/oauth/revoke',
    query({ ...application, token: refresh_token }),
    form,
  )
  expect(revoked.status).toBe(200)
  expect(await statusFor(motive, '/v1/companies', access_token)).toBe(401)
  expect((await grant(motive, { grant_type: 'refresh_token', refresh_token })).status).toBe(400)
})

test('a refused grant has an OAuth error, or the error body of other endpoints', async () => {
  await using motive = await runMotive(smallFleet)
  const fields = { grant_type: 'refresh_token', refresh_token: 'nothing' }
  expect((await grant(motive, fields)).body).toMatchObject({ error: 'invalid_grant' })
  await motive.fake.behave({ tokenErrors: 'as_elsewhere' })
  expect((await grant(motive, fields)).body).toEqual({ error_message: 'invalid_grant' })
})
