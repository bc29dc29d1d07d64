import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { secretsIn } from '../../../../src/providers/credential-secrets.ts'
import type { ProviderAdapter, ProviderCredentials } from '../../../../src/providers/provider.ts'
import { motiveAdapter } from '../../../../src/providers/motive/adapter.ts'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'
import { BACK, signedInAs } from '../../../support/providers/provider-sign-in.ts'

const NOW = Date.parse('2026-06-15T18:00:00.000Z')
const WINDOW = { from: NOW - 60_000, to: NOW }

const neverAborted = () => new AbortController().signal

let fake: RunningFake
let adapter: ProviderAdapter
let account = 0

beforeAll(async () => {
  fake = await startFake('motive', { vehicles: 2, days: 3, accounts: 20, now: new Date(NOW).toISOString() })
  adapter = motiveAdapter(undefined, {
    baseUrl: fake.url,
    application: { clientId: 'fake-client', clientSecret: 'fake-client-secret' },
    clock: { now: () => NOW },
  })
})
afterAll(() => fake[Symbol.asyncDispose]())

const control = (path: string, body: object) =>
  fetch(`${fake.url}/_fake/${path}`, { method: 'POST', body: JSON.stringify(body) })

interface Company {
  readonly id: number
  readonly name: string
}

/** Returns the company that owns a key, as the provider reports it. */
async function fetchCompany(number: number): Promise<Company> {
  const headers = { 'x-api-key': `fake-key-${number}` }
  const body = await (await fetch(`${fake.url}/v1/companies`, { headers })).json()
  const [found] = (body as { companies: { company: Company }[] }).companies
  if (!found) throw new Error('no company has this key')
  return found.company
}

const companyOf = async (number: number) => String((await fetchCompany(number)).id)
const nameOf = async (number: number) => (await fetchCompany(number)).name

const accountOf = (credentials: ProviderCredentials) =>
  adapter.identify(adapter.api(credentials, neverAborted()), credentials)

const renew = (credentials: ProviderCredentials) => adapter.renewal?.renew(credentials, neverAborted())

describe('a key', () => {
  test('opens the account of its company, with the time zone of the company', async () => {
    expect(adapter.renewal?.expiryOf({ apiKey: 'fake-key-2' })).toBeNull()
    expect(await accountOf({ apiKey: 'fake-key-2' })).toMatchObject({
      sourceId: await companyOf(2),
      name: await nameOf(2),
      dotNumbers: [expect.stringMatching(/^\d+$/)],
      timeZone: 'America/Chicago',
    })
  })

  test('that does not exist is refused, with any error body', async () => {
    for (const errorBody of ['errors', 'text', 'empty', 'error_message']) {
      await fake.behave({ errorBody })
      await expect(accountOf({ apiKey: 'of nobody' })).rejects.toMatchObject({ kind: 'invalid_credentials' })
    }
  })

  test.each(['403', '401'])(
    'without one scope reads the other models, refused by %s with an empty body',
    async (status) => {
      await fake.behave({ missingScope: status, errorBody: 'empty' })
      const apiKey = `fake-scoped-${status}`
      await control('keys', { key: apiKey, account: 3, scopes: ['companies.read', 'vehicles.read'] })
      const api = adapter.api({ apiKey }, neverAborted())
      const { Vehicle, Driver } = adapter.readers
      const vehicles = await Vehicle?.read(api, null, WINDOW, emptyRoster)
      expect(vehicles?.records.map((one) => (one as { groupIds: unknown }).groupIds)).toEqual([[], []])
      await expect(Driver?.read(api, null, WINDOW, emptyRoster)).rejects.toMatchObject({
        kind: 'scope_missing',
      })
    },
  )
})

/** Signs in on Motive's page and exchanges the code for credentials. */
const signIn = (company = ++account) => signedInAs({ company: String(company) }, adapter)

describe('a sign-in at Motive', () => {
  test('opens the account that consented for every model, until the token expires', async () => {
    const credentials = await signIn(4)
    expect(credentials).toMatchObject({ organization: await companyOf(4), redirectUri: BACK })
    expect(adapter.renewal?.expiryOf(credentials)).toBe(NOW + 7_200_000)
    const api = adapter.api(credentials, neverAborted())
    const readers = { ...adapter.readers, ...adapter.latest }
    const read: string[] = []
    for (const [model, reader] of Object.entries(readers)) {
      const { records } = await reader.read(api, null, WINDOW, { sourceIdsAfter: async () => ['9001'] })
      expect([model, records]).toEqual([model, expect.any(Array)])
      if (records.length > 0) read.push(model)
    }
    expect(read).toEqual(expect.arrayContaining(['Group', 'Driver', 'Vehicle', 'HOSAvailableTime']))
  })

  test.each(['rotate', 'last'])('is renewed with its redirect URI, refresh tokens %s', async (mode) => {
    await fake.behave({ refreshTokens: mode })
    const first = await signIn()
    await control('expiry', {})
    await expect(accountOf(first)).rejects.toMatchObject({ kind: 'invalid_credentials' })
    const second = (await renew(first)) as ProviderCredentials
    expect(second['refreshToken'] === first['refreshToken']).toBe(mode === 'last')
    expect((await accountOf(second)).sourceId).toBe(first['organization'])
    expect((await accountOf((await renew(second)) ?? {})).sourceId).toBe(first['organization'])
    if (mode === 'rotate') await expect(renew(first)).rejects.toMatchObject({ kind: 'invalid_credentials' })
  })

  test.each([
    ['oauth', 'empty'],
    ['as_elsewhere', 'error_message'],
    ['as_elsewhere', 'errors'],
    ['as_elsewhere', 'text'],
    ['as_elsewhere', 'empty'],
  ])(
    'ends when the fleet revokes it, with token errors as %s and body %s',
    async (tokenErrors, errorBody) => {
      await fake.behave({ tokenErrors, errorBody })
      const company = 10 + account++
      const credentials = await signIn(company)
      await control('revocation', { account: company })
      await expect(accountOf(credentials)).rejects.toMatchObject({ kind: 'invalid_credentials' })
      const read = adapter.readers.Vehicle?.read(
        adapter.api(credentials, neverAborted()),
        null,
        WINDOW,
        emptyRoster,
      )
      await expect(read).rejects.toMatchObject({ kind: 'invalid_credentials' })
      await expect(renew(credentials)).rejects.toMatchObject({ kind: 'invalid_credentials' })
    },
  )

  test('has only its tokens as secrets', async () => {
    const credentials = await signIn()
    const secrets = secretsIn(credentials, adapter.manifest.signIns)
    expect(secrets.toSorted()).toEqual([credentials['accessToken'], credentials['refreshToken']].toSorted())
  })

  test('is offered only if an OAuth application is configured', () => {
    const signInsOf = ({ manifest }: ProviderAdapter) => manifest.signIns.map(({ id }) => id)
    expect([signInsOf(adapter), signInsOf(motiveAdapter())]).toEqual([['oauth', 'key'], ['key']])
  })

  test.each(['oauth', 'as_elsewhere'])(
    'with a wrong client secret cannot be renewed and is not revoked, token errors as %s',
    async (tokenErrors) => {
      await fake.behave({ tokenErrors })
      const credentials = await signIn()
      const application = { clientId: 'fake-client', clientSecret: 'another-secret' }
      const other = motiveAdapter(undefined, { baseUrl: fake.url, application })
      const refused = other.renewal?.renew(credentials, neverAborted())
      await expect(refused).rejects.toMatchObject({ kind: 'malformed' })
      expect((await accountOf(credentials)).sourceId).toBe(credentials['organization'])
    },
  )
})
