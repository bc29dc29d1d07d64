import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSettings } from '../../../src/platform/config/config.ts'
import { createLog } from '../../../src/platform/logging/log.ts'
import { createProviders } from '../../../src/app/create-providers.ts'
import { Disposer } from '../../../src/platform/lifecycle/disposer.ts'
import { adapters } from '../../support/providers/adapters.ts'
import { type RunningFake, startFake } from '../../fakes/kit/start-fake.ts'

let samsara: RunningFake
let geotab: RunningFake
let motive: RunningFake
let traccar: RunningFake
beforeAll(async () => {
  const small = { vehicles: 2, days: 1 }
  samsara = await startFake('samsara', small)
  geotab = await startFake('geotab', small)
  motive = await startFake('motive', small)
  traccar = await startFake('traccar', small)
})
afterAll(() => Promise.all([samsara, geotab, motive, traccar].map((fake) => fake[Symbol.asyncDispose]())))

async function withProviders<T>(
  environment: Record<string, string>,
  work: (providers: ReturnType<typeof createProviders>) => T,
): Promise<T> {
  const settings = readSettings([], environment)
  if (!('config' in settings)) throw new Error('problems' in settings ? settings.problems.join() : 'help')
  const disposer = new Disposer()
  try {
    return await work(createProviders(settings.config, createLog('silent'), disposer))
  } finally {
    await disposer.close()
  }
}

test('every provider can be linked without settings, Samsara and Motive by token or key', () =>
  withProviders({}, ({ all, find }) => {
    expect(all.map(({ manifest }) => manifest.code).toSorted()).toEqual(Object.keys(adapters).toSorted())
    const signInsOf = (code: string) => find(code)?.manifest.signIns.map(({ id }) => id)
    expect(['samsara', 'geotab', 'motive', 'traccar', 'sandbox'].map(signInsOf)).toEqual([
      ['token'],
      ['password'],
      ['key'],
      ['token', 'password'],
      ['key', 'password', 'oauth'],
    ])
  }))

test.each([
  ['samsara', 'SAMSARA', 'token', 'https://api.samsara.com/oauth2/authorize?'],
  ['motive', 'MOTIVE', 'key', 'https://api.gomotive.com/oauth/authorize?'],
])('%s offers its sign-in page with an OAuth application', (code, setting, other, authorizePage) =>
  withProviders(
    { [`${setting}_CLIENT_ID`]: 'us', [`${setting}_CLIENT_SECRET`]: 'not a secret' },
    ({ find }) => {
      const adapter = find(code)
      expect(adapter?.manifest.signIns.map(({ id }) => id)).toEqual(['oauth', other])
      const request = { state: 's', challenge: 'c', redirectUri: 'https://fleets.example/oauth' }
      const url = adapter?.oauth?.authorizeUrl(request) ?? ''
      expect([url.startsWith(authorizePage), new URL(url).searchParams.get('client_id')]).toEqual([
        true,
        'us',
      ])
    },
  ),
)

test('each provider is called at the URL of the settings', () =>
  withProviders(
    {
      PROVIDER_URLS: `samsara=${samsara.url},geotab=${geotab.url},motive=${motive.url}`,
      PROVIDER_ALLOW: '127.0.0.1',
    },
    async ({ find }) => {
      const nameOf = async (code: string, credentials: Record<string, string>): Promise<string> => {
        const adapter = find(code)
        if (!adapter) throw new Error(`there is no ${code}`)
        return (await adapter.identify(adapter.api(credentials, AbortSignal.timeout(20_000)), credentials))
          .name
      }
      const userName = 'reader@fleet.example'
      const password = `the password of ${userName}`
      const names = [
        await nameOf('samsara', { token: 'fake-token-1' }),
        await nameOf('geotab', { database: 'fleet_1', userName, password }),
        await nameOf('motive', { apiKey: 'fake-key-1' }),
        await nameOf('traccar', { serverUrl: traccar.url, token: 'token-1' }),
      ]
      expect(names.map((name) => name.length > 0)).toEqual([true, true, true, true])
      for (const fake of [samsara, geotab, motive, traccar])
        expect((await fake.calls()).total).toBeGreaterThan(0)
    },
  ))

test.each([
  ['PROVIDER_URLS', 'samsra', 'http://x'],
  ['PROVIDER_BUDGETS', 'samsra', '1/s'],
  ['PROVIDER_URLS', 'verizon', 'http://x'],
  ['PROVIDER_BUDGETS', 'verizon', '1/s'],
])('%s of %s, which is no linkable provider, is refused', (name, code, value) =>
  expect(withProviders({ [name]: `${code}=${value}` }, () => null)).rejects.toThrow(
    `${name}: there is no provider ${code}`,
  ),
)
