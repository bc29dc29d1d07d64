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

const unstopped = () => new AbortController().signal

/** A region in which nobody has an account. */
const elsewhere = createServer((_, response) =>
  response.writeHead(401).end('{"message":"Invalid token.","requestId":"8916e1c1"}'),
)
let fake: RunningFake
let adapter: ProviderAdapter
let account = 0

beforeAll(async () => {
  elsewhere.listen(0, '127.0.0.1')
  await once(elsewhere, 'listening')
  const { port } = elsewhere.address() as AddressInfo
  fake = await startFake('samsara', { vehicles: 2, days: 3, accounts: 9, now: new Date(NOW).toISOString() })
  adapter = samsaraAdapter(undefined, {
    regions: { us: `http://127.0.0.1:${port}`, eu: fake.url, ca: `http://127.0.0.1:${port}` },
    application: { clientId: 'fake-client', clientSecret: 'fake-client-secret', region: 'eu' },
    clock: { now: () => NOW },
  })
})
afterAll(async () => {
  await fake[Symbol.asyncDispose]()
  elsewhere.close()
})

const control = (path: string, body: object) =>
  fetch(`${fake.url}/_fake/${path}`, { method: 'POST', body: JSON.stringify(body) })

/** Whose a fleet's own token is, as the provider says. */
async function organizationOf(number: number): Promise<string> {
  const headers = { authorization: `Bearer fake-token-${number}` }
  const { data } = (await (await fetch(`${fake.url}/me`, { headers })).json()) as { data: { id: string } }
  return data.id
}

const renewed = (credentials: ProviderCredentials) => adapter.renewal?.renew(credentials, unstopped())

const accountOf = (credentials: ProviderCredentials) =>
  adapter.identify(adapter.api(credentials, unstopped()), credentials)

describe('a token', () => {
  test('is looked for in each region before its first use, and then used there', async () => {
    const typed = { token: 'fake-token-2' }
    expect(adapter.renewal?.expiryOf(typed)).toBe(0)
    const [found, organization] = [await renewed(typed), await organizationOf(2)]
    expect(found).toEqual({ ...typed, region: 'eu', organization })
    expect(adapter.renewal?.expiryOf(found ?? {})).toBeNull()
    expect(await accountOf(found ?? {})).toMatchObject({
      sourceId: organization,
      dotNumbers: [expect.stringMatching(/^\d+$/)],
    })
  })

  test('that no region knows is refused, as one is that is taken back later', async () => {
    await expect(accountOf({ token: 'fake-of-nobody' })).rejects.toMatchObject({ kind: 'revoked' })
    await expect(renewed({ token: 'fake-token-2', region: 'eu' })).rejects.toMatchObject({ kind: 'revoked' })
  })

  test('is secret; where and whose the account is, is not', () => {
    const credentials = { token: 'fake-token-2', region: 'eu', organization: '10002' }
    expect(secretsIn(credentials, adapter.manifest.signIns)).toEqual(['fake-token-2'])
  })

  test.each(['403', '401'])('that may not read one model reads the others, refused by %s', async (status) => {
    await fake.behave({ missingScope: status })
    const token = `fake-scoped-${status}`
    await control('tokens', { token, organization: 3, scopes: ['Read Org Information', 'Read Vehicles'] })
    const api = adapter.api({ token }, unstopped())
    const { Vehicle, Driver } = adapter.readers
    expect((await Vehicle?.read(api, null, WINDOW, emptyRoster))?.records).toHaveLength(2)
    await expect(Driver?.read(api, null, WINDOW, emptyRoster)).rejects.toMatchObject({
      kind: 'scope_missing',
    })
  })

  test.each(['403', '401'])('that may not tell whose it is has a region, refused by %s', async (status) => {
    await fake.behave({ missingScope: status })
    const token = `fake-nameless-${status}`
    await control('tokens', { token, organization: 3, scopes: ['Read Vehicles'] })
    expect(await renewed({ token })).toEqual({ token, region: 'eu' })
  })
})

/** What a fleet says at Samsara's page, and what the application makes of its code. */
const signedIn = (organization = ++account) => signedInAs({ organization: String(organization) }, adapter)

describe('signing in at Samsara', () => {
  test('opens the account of who said yes, for as long as it is told', async () => {
    const [credentials, organization] = [await signedIn(4), await organizationOf(4)]
    expect(credentials).toMatchObject({ region: 'eu', organization })
    expect(adapter.renewal?.expiryOf(credentials)).toBe(NOW + 60 * MINUTE_MS)
    expect((await accountOf(credentials)).sourceId).toBe(organization)
  })

  test('gives a refresh token that is good once: the next takes its place', async () => {
    const first = await signedIn()
    await control('expiry', {})
    await expect(accountOf(first)).rejects.toMatchObject({ kind: 'revoked' })
    const second = (await renewed(first)) as ProviderCredentials
    expect(second['refreshToken']).not.toBe(first['refreshToken'])
    expect((await accountOf(second)).sourceId).toBe(first['organization'])
    await expect(renewed(first)).rejects.toMatchObject({ kind: 'revoked' })
  })

  test.each(['oauth', 'samsara'])('ends when the fleet takes it back, in the words of %s', async (words) => {
    await fake.behave({ tokenErrors: words })
    const credentials = await signedIn(7)
    await control('revocation', { organization: 7 })
    await expect(accountOf(credentials)).rejects.toMatchObject({ kind: 'revoked' })
    await expect(renewed(credentials)).rejects.toMatchObject({ kind: 'revoked' })
  })

  test('is offered where the service is registered alone', () => {
    const waysOf = ({ manifest }: ProviderAdapter) => manifest.signIns.map(({ id }) => id)
    expect([waysOf(adapter), waysOf(samsaraAdapter())]).toEqual([['oauth', 'token'], ['token']])
  })

  test('of an application that is not known revokes nothing', async () => {
    const credentials = await signedIn()
    const other = samsaraAdapter(undefined, {
      regions: { us: fake.url, eu: fake.url, ca: fake.url },
      application: { clientId: 'fake-client', clientSecret: 'another-secret' },
    })
    await expect(other.renewal?.renew(credentials, unstopped())).rejects.toMatchObject({ kind: 'malformed' })
    expect((await accountOf(credentials)).sourceId).toBe(credentials['organization'])
  })
})
