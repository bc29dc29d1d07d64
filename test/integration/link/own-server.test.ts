import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { traccarAdapter } from '../../../src/providers/traccar/adapter.ts'
import { signInAndIdentify } from '../../../src/subgraphs/connections/lifecycle/identify-account.ts'
import { storedCredentials } from '../../../src/subgraphs/connections/credentials/stored-credentials.ts'
import { type RunningFake, startFake } from '../../fakes/kit/start-fake.ts'
import { dialects } from '../../support/factories.ts'
import type { Browser } from '../../support/link/http-browser.ts'
import { type Integrator, LinkHarness } from '../../support/link/link-harness.ts'

const CODE = '123456'

/** Number of requests that the web server has received. */
let visits = 0

function serveShop({ url = '' }: IncomingMessage, response: ServerResponse): void {
  visits++
  if (url.startsWith('/moved-here')) response.writeHead(302, { location: '/sign-in?token=planted' })
  else if (url.startsWith('/moved'))
    response.writeHead(301, { location: 'https://www.example.com/traccar?a=planted' })
  response.end('<html>A shop</html>')
}

describe.each(dialects)('linking an account of a self-hosted server on %s', (dialect) => {
  let harness: LinkHarness
  let fake: RunningFake
  let twoFactor: RunningFake
  let webServer: Server
  beforeAll(async () => {
    harness = await LinkHarness.start(dialect, { providers: [traccarAdapter()] })
    fake = await startFake('traccar', { vehicles: 2, days: 1, accounts: 2 })
    twoFactor = await startFake('traccar', { vehicles: 2, days: 1, settings: { totp: 'yes' } })
    webServer = createServer(serveShop).listen(0, '127.0.0.1')
    await once(webServer, 'listening')
  })
  afterAll(async () => {
    webServer.close()
    await twoFactor[Symbol.asyncDispose]()
    await fake[Symbol.asyncDispose]()
    await harness[Symbol.asyncDispose]()
  })

  test.each([
    ['/moved', 'redirects to https://www.example.com.'],
    ['/moved-here', 'redirects to http://127.0.0.1'],
    ['', 'the answer is not JSON.'],
  ])('an integrator learns at once what is wrong with the address of %j', async (path, fault) => {
    visits = 0
    const serverUrl = `http://127.0.0.1:${(webServer.address() as AddressInfo).port}${path}`
    await expect(signInAndIdentify(traccarAdapter(), { serverUrl, token: 'token-1' })).rejects.toMatchObject({
      code: 'invalid_credentials',
      message: expect.stringContaining(fault),
    })
    expect(visits).toBe(1)
  })

  test.each([
    'http://my server',
    'https://',
    'ftp://files.example.com',
    'mailto:fleet@example.com',
    'http://a:b:c',
  ])('an integrator learns that %s is no web address', async (serverUrl) => {
    await expect(signInAndIdentify(traccarAdapter(), { serverUrl, token: 'token-1' })).rejects.toMatchObject({
      code: 'invalid_credentials',
      message: 'The server address is wrong: it is not a valid web address.',
    })
  })

  type Fields = Readonly<Record<string, string>>

  const startRun = async ({ key }: Integrator, way: 'token' | 'password'): Promise<Browser> => {
    const browser = harness.browser()
    await browser.open(`/link/?${new URLSearchParams({ key, provider: 'traccar' })}`)
    if (way === 'password') await browser.submit('way', { way })
    return browser
  }

  const signIn = async (browser: Browser, fields: Fields): Promise<void> => {
    await browser.submit('sign_in', fields)
    if (browser.step === 'consent') await browser.submit('agree', { agreed: 'on' })
    await harness.checked(browser)
  }

  const problemOn = ({ page }: Browser): string => /<h2 id="problem-title">([^<]*)/.exec(page.html)?.[1] ?? ''

  /** Returns the names of the invalid fields. */
  const invalidFields = ({ page }: Browser): string[] =>
    [...page.html.matchAll(/<input\b[^>]*>/g)]
      .filter(([text]) => text.includes('aria-invalid'))
      .map(([text]) => /name="([^"]*)"/.exec(text)?.[1] ?? '')

  const credentialsOf = async (integrator: Integrator): Promise<Fields> => {
    const [connection] = await harness.connectionsOf(integrator)
    const account = { id: connection?.id ?? '', applicationId: integrator.id }
    const stored = await storedCredentials(harness.db, harness.from.secrets, account)
    return stored?.credentials ?? {}
  }

  const unusedAddress = async (): Promise<string> => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    return `http://127.0.0.1:${port}`
  }

  test('a token works with a server address that ends in /api/', async () => {
    const integrator = await harness.integrator()
    const browser = await startRun(integrator, 'token')
    await signIn(browser, { serverUrl: `${fake.url}/api/`, token: 'token-1' })
    expect(browser.step).toBe('done')
    expect(await credentialsOf(integrator)).toEqual({ serverUrl: `${fake.url}/api/`, token: 'token-1' })
  })

  test.each([
    ['an invalid address', async () => 'https://'],
    ['an unused address', unusedAddress],
    [
      'an address of another server',
      async () => `http://127.0.0.1:${(webServer.address() as AddressInfo).port}`,
    ],
    ['another page of the server', async () => `${fake.url}/shop`],
    [
      'an address that redirects',
      async () => `http://127.0.0.1:${(webServer.address() as AddressInfo).port}/moved`,
    ],
    ['an address with a space', async () => 'http://my server'],
  ])('%s is reported as wrong, and can be corrected', async (_what, addressOf) => {
    const integrator = await harness.integrator()
    const browser = await startRun(integrator, 'password')
    const account = { email: 'fleet1@fleets.example', password: 'password-1' }
    await signIn(browser, { serverUrl: await addressOf(), ...account })
    expect(browser.step).toBe('sign_in')
    expect(problemOn(browser)).toBe('We found no server there')
    expect(invalidFields(browser)).toEqual(['serverUrl'])
    await signIn(browser, { serverUrl: fake.url, ...account })
    expect(browser.step).toBe('done')
  })

  test('an unused address is reported as wrong for a token too', async () => {
    const browser = await startRun(await harness.integrator(), 'token')
    await signIn(browser, { serverUrl: await unusedAddress(), token: 'token-1' })
    expect(problemOn(browser)).toBe('We found no server there')
  })

  test('a failing server is not reported as a wrong address', async () => {
    const browser = await startRun(await harness.integrator(), 'password')
    await fake.fail({ kind: 'status', status: 503, times: null })
    await signIn(browser, { serverUrl: fake.url, email: 'fleet1@fleets.example', password: 'password-1' })
    await fake.heal()
    expect(problemOn(browser)).toBe('We cannot reach your provider')
  })

  test('a wrong token or password is not reported as a wrong address', async () => {
    const integrator = await harness.integrator()
    const byToken = await startRun(integrator, 'token')
    await signIn(byToken, { serverUrl: fake.url, token: 'token-77' })
    expect(problemOn(byToken)).toBe('That sign-in did not work')
    expect(invalidFields(byToken)).toEqual(['serverUrl', 'token'])
    const byPassword = await startRun(integrator, 'password')
    await signIn(byPassword, { serverUrl: fake.url, email: 'fleet1@fleets.example', password: 'no' })
    expect(problemOn(byPassword)).toBe('That sign-in did not work')
  })

  test('a password is exchanged for a token once, and deleted', async () => {
    const integrator = await harness.integrator()
    const browser = await startRun(integrator, 'password')
    await fake.forgetCalls()
    await signIn(browser, { serverUrl: fake.url, email: 'fleet2@fleets.example', password: 'password-2' })
    expect(browser.step).toBe('done')
    const credentials = await credentialsOf(integrator)
    expect(Object.keys(credentials)).toEqual(['serverUrl', 'token'])
    expect(credentials['token']).toMatch(/^issued-\d+-to-2$/)
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

  test('a two-factor code is requested, and used for one sign-in', async () => {
    const integrator = await harness.integrator()
    const browser = await startRun(integrator, 'password')
    const account = { serverUrl: twoFactor.url, email: 'fleet1@fleets.example', password: 'password-1' }
    await signIn(browser, account)
    expect(problemOn(browser)).toBe('One more code is needed')
    expect(invalidFields(browser)).toEqual(['code'])
    await signIn(browser, { ...account, code: CODE })
    expect(browser.step).toBe('done')
    expect(Object.keys(await credentialsOf(integrator))).toEqual(['serverUrl', 'token'])
  })
})
