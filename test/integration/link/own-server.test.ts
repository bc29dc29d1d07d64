import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { traccarAdapter } from '../../../src/providers/traccar/adapter.ts'
import { storedCredentials } from '../../../src/subgraphs/connections/credentials/stored-credentials.ts'
import { type RunningFake, startFake } from '../../fakes/kit/start-fake.ts'
import { dialects } from '../../support/factories.ts'
import type { Browser } from '../../support/link/http-browser.ts'
import { type Integrator, LinkHarness } from '../../support/link/link-harness.ts'

const CODE = '123456'

describe.each(dialects)('linking an account of a server of its own on %s', (dialect) => {
  let harness: LinkHarness
  let fake: RunningFake
  let strict: RunningFake
  let other: Server
  beforeAll(async () => {
    harness = await LinkHarness.start(dialect, { providers: [traccarAdapter()] })
    fake = await startFake('traccar', { vehicles: 2, days: 1, accounts: 2 })
    strict = await startFake('traccar', { vehicles: 2, days: 1, settings: { totp: 'yes' } })
    other = createServer((_request, response) => response.end('<html>A shop</html>')).listen(0, '127.0.0.1')
    await once(other, 'listening')
  })
  afterAll(async () => {
    other.close()
    await strict[Symbol.asyncDispose]()
    await fake[Symbol.asyncDispose]()
    await harness[Symbol.asyncDispose]()
  })

  type Typed = Readonly<Record<string, string>>

  const begin = async ({ key }: Integrator, way: 'token' | 'password'): Promise<Browser> => {
    const browser = harness.browser()
    await browser.open(`/link/?${new URLSearchParams({ key, provider: 'traccar' })}`)
    if (way === 'password') await browser.submit('way', { way })
    return browser
  }

  const signIn = async (browser: Browser, typed: Typed): Promise<void> => {
    await browser.submit('sign_in', typed)
    if (browser.step === 'consent') await browser.submit('agree', { agreed: 'on' })
    await harness.checked(browser)
  }

  const problemOn = ({ page }: Browser): string => /<h2 id="problem-title">([^<]*)/.exec(page.html)?.[1] ?? ''

  /** Under its name the field that the problem lies in, and what is typed in already. */
  const blamed = ({ page }: Browser): string[] =>
    [...page.html.matchAll(/<input\b[^>]*>/g)]
      .filter(([text]) => text.includes('aria-invalid'))
      .map(([text]) => /name="([^"]*)"/.exec(text)?.[1] ?? '')

  const keptOf = async (integrator: Integrator): Promise<Typed> => {
    const [connection] = await harness.connectionsOf(integrator)
    const account = { id: connection?.id ?? '', applicationId: integrator.id }
    const stored = await storedCredentials(harness.db, harness.from.secrets, account)
    return stored?.credentials ?? {}
  }

  const nowhere = async (): Promise<string> => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    return `http://127.0.0.1:${port}`
  }

  test('a token opens it, whose server is named with or without what follows its host', async () => {
    const integrator = await harness.integrator()
    const browser = await begin(integrator, 'token')
    await signIn(browser, { serverUrl: `${fake.url}/api/`, token: 'token-1' })
    expect(browser.step).toBe('done')
    expect(await keptOf(integrator)).toEqual({ serverUrl: `${fake.url}/api/`, token: 'token-1' })
  })

  test.each([
    ['is none', async () => 'https://'],
    ['nobody answers at', nowhere],
    ['something else answers at', async () => `http://127.0.0.1:${(other.address() as AddressInfo).port}`],
    ['is of another page of the server', async () => `${fake.url}/shop`],
  ])('an address that %s is said to be wrong, and can be corrected', async (_what, addressOf) => {
    const integrator = await harness.integrator()
    const browser = await begin(integrator, 'password')
    const account = { email: 'fleet1@fleets.example', password: 'password-1' }
    await signIn(browser, { serverUrl: await addressOf(), ...account })
    expect(browser.step).toBe('sign_in')
    expect(problemOn(browser)).toBe('We found no server there')
    expect(blamed(browser)).toEqual(['serverUrl'])
    await signIn(browser, { serverUrl: fake.url, ...account })
    expect(browser.step).toBe('done')
  })

  test('an address that nobody answers at is said to be wrong to who has a token', async () => {
    const browser = await begin(await harness.integrator(), 'token')
    await signIn(browser, { serverUrl: await nowhere(), token: 'token-1' })
    expect(problemOn(browser)).toBe('We found no server there')
  })

  test('a server that is down is not said to be at a wrong address', async () => {
    const browser = await begin(await harness.integrator(), 'password')
    await fake.fail({ kind: 'status', status: 503, times: null })
    await signIn(browser, { serverUrl: fake.url, email: 'fleet1@fleets.example', password: 'password-1' })
    await fake.heal()
    expect(problemOn(browser)).toBe('We cannot reach your provider')
  })

  test('a wrong token or password is no matter of the address', async () => {
    const integrator = await harness.integrator()
    const byToken = await begin(integrator, 'token')
    await signIn(byToken, { serverUrl: fake.url, token: 'token-77' })
    expect(problemOn(byToken)).toBe('That sign-in did not work')
    expect(blamed(byToken)).toEqual(['serverUrl', 'token'])
    const byPassword = await begin(integrator, 'password')
    await signIn(byPassword, { serverUrl: fake.url, email: 'fleet1@fleets.example', password: 'no' })
    expect(problemOn(byPassword)).toBe('That sign-in did not work')
  })

  test('a password is exchanged for a token, once, and forgotten', async () => {
    const integrator = await harness.integrator()
    const browser = await begin(integrator, 'password')
    await fake.forgetCalls()
    await signIn(browser, { serverUrl: fake.url, email: 'fleet2@fleets.example', password: 'password-2' })
    expect(browser.step).toBe('done')
    const kept = await keptOf(integrator)
    expect(Object.keys(kept)).toEqual(['serverUrl', 'token'])
    expect(kept['token']).toMatch(/^issued-\d+-to-2$/)
    const { byEndpoint } = await fake.calls()
    expect(byEndpoint).toEqual({
      'GET /api/server': 1,
      'POST /api/session': 1,
      'POST /api/session/token': 1,
      'GET /api/session': 1,
    })
    const [run] = await harness.rows<{ credentialsSealed: string }>(
      'SELECT `credentialsSealed` FROM `link_runs` WHERE `applicationId` = ?',
      [integrator.id],
    )
    expect(run?.credentialsSealed).toBe('')
  })

  test('the code of a two-step sign-in is asked for, and used for the one sign-in', async () => {
    const integrator = await harness.integrator()
    const browser = await begin(integrator, 'password')
    const account = { serverUrl: strict.url, email: 'fleet1@fleets.example', password: 'password-1' }
    await signIn(browser, account)
    expect(problemOn(browser)).toBe('One more code is needed')
    expect(blamed(browser)).toEqual(['code'])
    await signIn(browser, { ...account, code: CODE })
    expect(browser.step).toBe('done')
    expect(Object.keys(await keptOf(integrator))).toEqual(['serverUrl', 'token'])
  })
})
