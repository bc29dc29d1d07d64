import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { secretsIn } from '../../../../src/providers/credential-secrets.ts'
import type { ProviderAdapter, ProviderCredentials } from '../../../../src/providers/provider.ts'
import { motiveAdapter } from '../../../../src/providers/motive/adapter.ts'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'
import { BACK, signedInAs } from '../../../support/providers/provider-sign-in.ts'

const NOW = Date.parse('2026-06-15T18:00:00.000Z')
const WINDOW = { from: NOW - 60_000, to: NOW }

const unstopped = () => new AbortController().signal

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

/** Whose a fleet's own key is, as the provider says. */
async function toldOf(number: number): Promise<Company> {
  const headers = { 'x-api-key': `fake-key-${number}` }
  const told = await (await fetch(`${fake.url}/v1/companies`, { headers })).json()
  const [found] = (told as { companies: { company: Company }[] }).companies
  if (!found) throw new Error('it is the key of nobody')
  return found.company
}

const companyOf = async (number: number) => String((await toldOf(number)).id)
const nameOf = async (number: number) => (await toldOf(number)).name

const accountOf = (credentials: ProviderCredentials) =>
  adapter.identify(adapter.api(credentials, unstopped()), credentials)

const renewed = (credentials: ProviderCredentials) => adapter.renewal?.renew(credentials, unstopped())

describe('a key', () => {
  test('opens the account of its company, whose days are of its zone', async () => {
    expect(adapter.renewal?.expiryOf({ apiKey: 'fake-key-2' })).toBeNull()
    expect(await accountOf({ apiKey: 'fake-key-2' })).toMatchObject({
      sourceId: await companyOf(2),
      name: await nameOf(2),
      dotNumbers: [expect.stringMatching(/^\d+$/)],
      timeZone: 'America/Chicago',
    })
  })

  test('that nobody gave out is refused, whatever the refusal says', async () => {
    for (const errorBody of ['errors', 'text', 'empty', 'error_message']) {
      await fake.behave({ errorBody })
      await expect(accountOf({ apiKey: 'of nobody' })).rejects.toMatchObject({ kind: 'revoked' })
    }
  })

  test.each(['403', '401'])(
    'that may not read one model reads the others, refused by %s without a word',
    async (status) => {
      await fake.behave({ missingScope: status, errorBody: 'empty' })
      const apiKey = `fake-scoped-${status}`
      await control('keys', { key: apiKey, account: 3, scopes: ['companies.read', 'vehicles.read'] })
      const api = adapter.api({ apiKey }, unstopped())
      const { Vehicle, Driver } = adapter.readers
      const vehicles = await Vehicle?.read(api, null, WINDOW, emptyRoster)
      expect(vehicles?.records.map((one) => (one as { groupIds: unknown }).groupIds)).toEqual([[], []])
      await expect(Driver?.read(api, null, WINDOW, emptyRoster)).rejects.toMatchObject({
        kind: 'scope_missing',
      })
    },
  )
})

/** What a fleet says at Motive's page, and what the application makes of its code. */
const signedIn = (company = ++account) => signedInAs({ company: String(company) }, adapter)

describe('signing in at Motive', () => {
  test('opens the account of who said yes, for as long as it is told, with all that is read', async () => {
    const credentials = await signedIn(4)
    expect(credentials).toMatchObject({ organization: await companyOf(4), redirectUri: BACK })
    expect(adapter.renewal?.expiryOf(credentials)).toBe(NOW + 7_200_000)
    const api = adapter.api(credentials, unstopped())
    const readers = { ...adapter.readers, ...adapter.latest }
    const read: string[] = []
    for (const [model, reader] of Object.entries(readers)) {
      const { records } = await reader.read(api, null, WINDOW, { sourceIdsAfter: async () => ['9001'] })
      expect([model, records]).toEqual([model, expect.any(Array)])
      if (records.length > 0) read.push(model)
    }
    expect(read).toEqual(expect.arrayContaining(['Group', 'Driver', 'Vehicle', 'HOSAvailableTime']))
  })

  test.each(['rotate', 'last'])(
    'is renewed for the address that it went to: refresh tokens %s',
    async (way) => {
      await fake.behave({ refreshTokens: way })
      const first = await signedIn()
      await control('expiry', {})
      await expect(accountOf(first)).rejects.toMatchObject({ kind: 'revoked' })
      const second = (await renewed(first)) as ProviderCredentials
      expect(second['refreshToken'] === first['refreshToken']).toBe(way === 'last')
      expect((await accountOf(second)).sourceId).toBe(first['organization'])
      expect((await accountOf((await renewed(second)) ?? {})).sourceId).toBe(first['organization'])
      if (way === 'rotate') await expect(renewed(first)).rejects.toMatchObject({ kind: 'revoked' })
    },
  )

  test.each([
    ['oauth', 'empty'],
    ['as_elsewhere', 'error_message'],
    ['as_elsewhere', 'errors'],
    ['as_elsewhere', 'text'],
    ['as_elsewhere', 'empty'],
  ])('ends when the fleet takes it back, told as %s with %s', async (tokenErrors, errorBody) => {
    await fake.behave({ tokenErrors, errorBody })
    const company = 10 + account++
    const credentials = await signedIn(company)
    await control('revocation', { account: company })
    await expect(accountOf(credentials)).rejects.toMatchObject({ kind: 'revoked' })
    const read = adapter.readers.Vehicle?.read(
      adapter.api(credentials, unstopped()),
      null,
      WINDOW,
      emptyRoster,
    )
    await expect(read).rejects.toMatchObject({ kind: 'revoked' })
    await expect(renewed(credentials)).rejects.toMatchObject({ kind: 'revoked' })
  })

  test('keeps its secrets, and tells whose it is and where it went', async () => {
    const credentials = await signedIn()
    const secrets = secretsIn(credentials, adapter.manifest.signIns)
    expect(secrets.toSorted()).toEqual([credentials['accessToken'], credentials['refreshToken']].toSorted())
  })

  test('is offered where the service is registered alone', () => {
    const waysOf = ({ manifest }: ProviderAdapter) => manifest.signIns.map(({ id }) => id)
    expect([waysOf(adapter), waysOf(motiveAdapter())]).toEqual([['oauth', 'key'], ['key']])
  })

  test.each(['oauth', 'as_elsewhere'])(
    'of an application that is not known revokes nothing, told as %s',
    async (tokenErrors) => {
      await fake.behave({ tokenErrors })
      const credentials = await signedIn()
      const application = { clientId: 'fake-client', clientSecret: 'another-secret' }
      const other = motiveAdapter(undefined, { baseUrl: fake.url, application })
      const refused = other.renewal?.renew(credentials, unstopped())
      await expect(refused).rejects.toMatchObject({ kind: 'malformed' })
      expect((await accountOf(credentials)).sourceId).toBe(credentials['organization'])
    },
  )
})
