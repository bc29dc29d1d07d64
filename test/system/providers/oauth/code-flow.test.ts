import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unlimited } from '../../../../src/providers/rate-limit/rate-limiter.ts'
import { oauth } from '../../../../src/providers/oauth.ts'
import type { ProviderAdapter, ProviderCredentials } from '../../../../src/providers/provider.ts'
import { sandboxAdapter } from '../../../../src/providers/sandbox/adapter.ts'
import { type Simulator, startSimulator } from '../../../../src/providers/sandbox/simulator/server.ts'
import { cameBack, codeOf, REDIRECT_URI, unstopped } from '../../../support/providers/oauth-harness.ts'

let simulator: Simulator
let adapter: ProviderAdapter
const accounts: string[] = []
beforeAll(async () => {
  simulator = await startSimulator()
  adapter = sandboxAdapter(`http://127.0.0.1:${simulator.port}`, ({ account }) => {
    accounts.push(account)
    return unlimited
  })
})
afterAll(() => simulator.close())

const verifier = randomBytes(32).toString('base64url')

const exchanged = (code: string, by = verifier) =>
  adapter.oauth?.exchange({ code, verifier: by, redirectUri: REDIRECT_URI }, unstopped())

describe('signing in by OAuth', () => {
  test('opens the account of the key and the password of this name, with one shared rate limit', async () => {
    const byOAuth = await exchanged(await codeOf(adapter, 'sandbox-3-1', verifier))
    const ways = [byOAuth, { apiKey: 'sandbox-3-1' }, { user: 'sandbox-3-1', password: 'x' }]
    accounts.length = 0
    const found = await Promise.all(
      ways.map((credentials) => adapter.identify(adapter.api(credentials ?? {}, unstopped()), {})),
    )
    expect(new Set(found.map(({ sourceId }) => sourceId)).size).toBe(1)
    expect(accounts).toEqual(['sandbox-3-1', 'sandbox-3-1', 'sandbox-3-1'])
  })

  test('returns the state, or the refusal of the fleet', async () => {
    expect((await cameBack(adapter, 'ada', verifier)).get('state')).toBe('the state')
    const denied = await cameBack(adapter, 'ada', verifier, 'deny')
    expect(Object.fromEntries(denied)).toEqual({ error: 'access_denied', state: 'the state' })
  })

  test('rejects a verifier that does not match the challenge', async () => {
    const code = await codeOf(adapter, 'ada', verifier)
    await expect(exchanged(code, randomBytes(32).toString('base64url'))).rejects.toMatchObject({
      kind: 'invalid_credentials',
    })
  })

  test('rejects a reused code', async () => {
    const code = await codeOf(adapter, 'ada', verifier)
    await exchanged(code)
    await expect(exchanged(code)).rejects.toMatchObject({ kind: 'invalid_credentials' })
  })

  test('distinguishes a provider that is down from a refused fleet', async () => {
    const code = await codeOf(adapter, 'down-1', verifier)
    await expect(exchanged(code)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test.each([
    [{ user: 'ada', password: 'wrong' }, 'invalid_credentials'],
    [{ user: 'noscope-1', password: 'x' }, 'scope_missing'],
    [{ user: 'down-1', password: 'x' }, 'unavailable'],
  ])('reports why %j does not sign in: %s', async (credentials, kind) => {
    const api = adapter.api(credentials, unstopped())
    await expect(api.get('/account')).rejects.toMatchObject({ kind })
  })

  test("redirects browsers to the provider's public URL, which may differ", () => {
    const { oauth: client } = sandboxAdapter('http://sandbox:1', undefined, {
      browserUrl: 'http://localhost:2',
    })
    const url = client?.authorizeUrl({ state: 's', challenge: 'c', redirectUri: REDIRECT_URI })
    expect(url).toMatch(/^http:\/\/localhost:2\/oauth\/authorize\?/)
  })
})

const OLD = { accessToken: 'planted-1', refreshToken: 'planted-2', region: 'eu' }

describe('a token endpoint', () => {
  let respond: (body: string) => { status: number; body: string }
  let authorization: string | undefined
  const server = createServer(async (request, response) => {
    authorization = request.headers.authorization
    const { status, body } = respond(await text(request))
    response.writeHead(status).end(body)
  })
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => void server.close())

  const refreshed = (old: ProviderCredentials = OLD, registered: { clientSecret?: string } = {}) => {
    const tokenUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`
    const named = { provider: 'other', authorizeUrl: tokenUrl, tokenUrl, clientId: 'odograph' }
    const client = oauth({ ...named, ...registered })
    return client.renew(old, unstopped())
  }

  test.each([
    [400, '{"error":"invalid_grant"}', 'invalid_credentials'],
    [401, '{"error":"invalid_grant"}', 'invalid_credentials'],
    [401, '{"error":"invalid_client"}', 'malformed'],
    [400, '{"error":"invalid_request"}', 'malformed'],
    [400, 'not JSON', 'malformed'],
    [400, '{"message":"OAuth error: invalid_grant."}', 'invalid_credentials'],
    [400, '{"message":"invalid_grants are not known"}', 'malformed'],
    [400, 'null', 'malformed'],
    [403, '{}', 'scope_missing'],
    [429, '{}', 'limited'],
    [500, '{}', 'unavailable'],
    [200, '{}', 'malformed'],
    [200, '["planted-2"]', 'malformed'],
  ])('that responds %i %s is %s', async (status, body, kind) => {
    respond = () => ({ status, body })
    await expect(refreshed()).rejects.toMatchObject({ kind })
  })

  test('without a refresh token is not called: the fleet must sign in again', async () => {
    respond = () => ({ status: 400, body: '{"error":"invalid_request"}' })
    const { refreshToken: _, ...alone } = OLD
    await expect(refreshed(alone)).rejects.toMatchObject({ kind: 'invalid_credentials' })
  })

  test('gets the secret of a registered application by HTTP Basic', async () => {
    respond = () => ({ status: 200, body: '{"access_token":"planted-3"}' })
    await refreshed()
    expect(authorization).toBeUndefined()
    await refreshed(OLD, { clientSecret: 'planted:%' })
    const pair = Buffer.from(authorization?.replace('Basic ', '') ?? '', 'base64').toString()
    expect(pair).toBe('odograph:planted%3A%25')
  })

  test('that echoes its request leaves no secret in the error', async () => {
    for (const status of [200, 400, 500]) {
      respond = (requested) => ({ status, body: requested })
      const error = await refreshed(OLD, { clientSecret: 'planted-4' }).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(Error)
      expect(inspect(error, { depth: null, showHidden: true })).not.toContain('planted')
    }
  })

  test('that does not rotate keeps the refresh token and the other stored values', async () => {
    respond = () => ({ status: 200, body: '{"access_token":"planted-3","expires_in":"600"}' })
    expect(await refreshed()).toMatchObject({
      accessToken: 'planted-3',
      refreshToken: 'planted-2',
      region: 'eu',
    })
  })
})
