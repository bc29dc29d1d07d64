import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { secretsIn } from '../../../../src/providers/credential-secrets.ts'
import type { ProviderAdapter, ProviderCredentials } from '../../../../src/providers/provider.ts'
import { samsaraAdapter } from '../../../../src/providers/samsara/adapter.ts'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'
import { signedInAs } from '../../../support/providers/provider-sign-in.ts'

const NOW = Date.parse('2026-06-15T18:00:00.000Z')
const MINUTE_MS = 60_000
const WINDOW = { from: NOW - MINUTE_MS, to: NOW }

const neverAborted = () => new AbortController().signal

/** A region that rejects every token. */
const otherRegion = createServer((_, response) =>
  response.writeHead(401).end('{"message":"Invalid token.","requestId":"8916e1c1"}'),
)
let fake: RunningFake
let adapter: ProviderAdapter
let account = 0

beforeAll(async () => {
  otherRegion.listen(0, '127.0.0.1')
  await once(otherRegion, 'listening')
  const { port } = otherRegion.address() as AddressInfo
  fake = await startFake('samsara', { vehicles: 2, days: 3, accounts: 9, now: new Date(NOW).toISOString() })
  adapter = samsaraAdapter(undefined, {
    regions: { us: `http://127.0.0.1:${port}`, eu: fake.url, ca: `http://127.0.0.1:${port}` },
    application: { clientId: 'fake-client', clientSecret: 'fake-client-secret', region: 'eu' },
    clock: { now: () => NOW },
  })
})
afterAll(async () => {
  await fake[Symbol.asyncDispose]()
  otherRegion.close()
})

const control = (path: string, body: object) =>
  fetch(`${fake.url}/_fake/${path}`, { method: 'POST', body: JSON.stringify(body) })

/** Returns the id of the organization that owns a token, as the provider reports it. */
async function organizationOf(number: number): Promise<string> {
  const headers = { authorization: `Bearer fake-token-${number}` }
  const { data } = (await (await fetch(`${fake.url}/me`, { headers })).json()) as { data: { id: string } }
  return data.id
}

const renew = (credentials: ProviderCredentials) => adapter.renewal?.renew(credentials, neverAborted())

const accountOf = (credentials: ProviderCredentials) =>
  adapter.identify(adapter.api(credentials, neverAborted()), credentials)

describe('a token', () => {
  test('is tried in each region before its first use, then used in the region that accepts it', async () => {
    const entered = { token: 'fake-token-2' }
    expect(adapter.renewal?.expiryOf(entered)).toBe(0)
    const [found, organization] = [await renew(entered), await organizationOf(2)]
    expect(found).toEqual({ ...entered, region: 'eu', organization })
    expect(adapter.renewal?.expiryOf(found ?? {})).toBeNull()
    expect(await accountOf(found ?? {})).toMatchObject({
      sourceId: organization,
      dotNumbers: [expect.stringMatching(/^\d+$/)],
    })
  })

  test('is refused if no region accepts it, or after it is revoked', async () => {
    await expect(accountOf({ token: 'fake-of-nobody' })).rejects.toMatchObject({
      kind: 'invalid_credentials',
    })
    await expect(renew({ token: 'fake-token-2', region: 'eu' })).rejects.toMatchObject({
      kind: 'invalid_credentials',
    })
  })

  test('is a secret, but its region and organization are not', () => {
    const credentials = { token: 'fake-token-2', region: 'eu', organization: '10002' }
    expect(secretsIn(credentials, adapter.manifest.signIns)).toEqual(['fake-token-2'])
  })

  test.each(['403', '401'])('without one scope reads the other models, refused by %s', async (status) => {
    await fake.behave({ missingScope: status })
    const token = `fake-scoped-${status}`
    await control('tokens', { token, organization: 3, scopes: ['Read Org Information', 'Read Vehicles'] })
    const api = adapter.api({ token }, neverAborted())
    const { Vehicle, Driver } = adapter.readers
    expect((await Vehicle?.read(api, null, WINDOW, emptyRoster))?.records).toHaveLength(2)
    await expect(Driver?.read(api, null, WINDOW, emptyRoster)).rejects.toMatchObject({
      kind: 'scope_missing',
    })
  })

  test.each(['403', '401'])('without organization scope finds its region, refused by %s', async (status) => {
    await fake.behave({ missingScope: status })
    const token = `fake-nameless-${status}`
    await control('tokens', { token, organization: 3, scopes: ['Read Vehicles'] })
    expect(await renew({ token })).toEqual({ token, region: 'eu' })
  })
})

/** Signs in on Samsara's page and exchanges the code for credentials. */
const signIn = (organization = ++account) => signedInAs({ organization: String(organization) }, adapter)

describe('a sign-in at Samsara', () => {
  test('opens the account that consented, until the token expires', async () => {
    const [credentials, organization] = [await signIn(4), await organizationOf(4)]
    expect(credentials).toMatchObject({ region: 'eu', organization })
    expect(adapter.renewal?.expiryOf(credentials)).toBe(NOW + 60 * MINUTE_MS)
    expect((await accountOf(credentials)).sourceId).toBe(organization)
  })

  test('returns a refresh token for one use, which each renewal replaces', async () => {
    const first = await signIn()
    await control('expiry', {})
    await expect(accountOf(first)).rejects.toMatchObject({ kind: 'invalid_credentials' })
    const second = (await renew(first)) as ProviderCredentials
    expect(second['refreshToken']).not.toBe(first['refreshToken'])
    expect((await accountOf(second)).sourceId).toBe(first['organization'])
    await expect(renew(first)).rejects.toMatchObject({ kind: 'invalid_credentials' })
  })

  test.each(['oauth', 'samsara'])(
    'ends when the fleet revokes it, with token errors as %s',
    async (tokenErrors) => {
      await fake.behave({ tokenErrors })
      const credentials = await signIn(7)
      await control('revocation', { organization: 7 })
      await expect(accountOf(credentials)).rejects.toMatchObject({ kind: 'invalid_credentials' })
      await expect(renew(credentials)).rejects.toMatchObject({ kind: 'invalid_credentials' })
    },
  )

  test('is offered only if an OAuth application is configured', () => {
    const signInsOf = ({ manifest }: ProviderAdapter) => manifest.signIns.map(({ id }) => id)
    expect([signInsOf(adapter), signInsOf(samsaraAdapter())]).toEqual([['oauth', 'token'], ['token']])
  })

  test('with a wrong client secret cannot be renewed and is not revoked', async () => {
    const credentials = await signIn()
    const other = samsaraAdapter(undefined, {
      regions: { us: fake.url, eu: fake.url, ca: fake.url },
      application: { clientId: 'fake-client', clientSecret: 'another-secret' },
    })
    await expect(other.renewal?.renew(credentials, neverAborted())).rejects.toMatchObject({
      kind: 'malformed',
    })
    expect((await accountOf(credentials)).sourceId).toBe(credentials['organization'])
  })
})
