import { afterEach, describe, expect, test } from 'vitest'
import { keyHolder } from '../../../src/auth/caller.ts'
import { createApp } from '../../../src/http/app.ts'
import { mountLink } from '../../../src/link/mount.ts'
import { networkOf } from '../../../src/platform/remote-address.ts'
import { createShortLink } from '../../../src/subgraphs/connections/short-links/create-short-link.ts'
import { removeExpiredRows } from '../../../src/sync/retention/remove-expired-rows.ts'
import { dialects, MINUTE } from '../../support/factories.ts'
import { type Browser, inProcess } from '../../support/link/http-browser.ts'
import { type Integrator, LinkHarness } from '../../support/link/link-harness.ts'

describe.each(dialects)('the limits of the link pages on %s', (dialect) => {
  let harness: LinkHarness
  afterEach(() => harness[Symbol.asyncDispose]())

  const startRun = ({ key }: Integrator, from?: string, query = ''): Promise<PageResponse> =>
    fetchPage(harness.app, `/link/?key=${key}&provider=harbor${query}`, from)

  const openSignIn = async ({ key }: Integrator): Promise<Browser> => {
    const browser = harness.browser()
    await browser.open(`/link/?key=${key}&provider=harbor&lang=es`)
    return browser
  }

  const trySignIn = async (browser: Browser, password: string) => {
    await browser.submit('sign_in', { user: 'olga', password })
    if (browser.step === 'consent') await browser.submit('agree', { agreed: 'on' })
    if (browser.step !== 'refused') await harness.checked(browser)
    return browser.page.status
  }

  test('a run ends after the maximum number of sign-ins', async () => {
    harness = await LinkHarness.start(dialect, { limits: { signInsPerRun: 3 } })
    const integrator = await harness.integrator()
    const browser = await openSignIn(integrator)
    expect([await trySignIn(browser, 'a'), await trySignIn(browser, 'b')]).toEqual([200, 200])
    expect(browser.page.html).not.toContain('Han fallado demasiados accesos')
    expect(await trySignIn(browser, 'c')).toBe(410)
    expect(browser.page.html).toContain('Han fallado demasiados accesos')

    await browser.send({ do: 'sign_in', user: 'olga', password: 'right' })
    expect(browser.page.status).toBe(410)
    await harness.checks.close()
    expect(await harness.connectionsOf(integrator)).toEqual([])
    const [run] = await harness.rows('SELECT `signInsTried`, `credentialsSealed` FROM `link_runs`')
    expect(run).toEqual({ signInsTried: 3, credentialsSealed: '' })
    expect(await trySignIn(await openSignIn(integrator), 'right')).toBe(200)
  })

  test('two gateways share a limit of runs, which resets after a minute', async () => {
    harness = await LinkHarness.start(dialect, { limits: { perAddress: 5 } })
    const integrator = await harness.integrator()
    const other = createApp({ log: harness.from.log })
    const checks = mountLink(other, harness.from)
    const path = `/link/?key=${integrator.key}&lang=fr`
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, at) => fetchPage(at % 2 ? other : harness.app, path)),
    )
    const refused = responses.filter(({ status }) => status === 429)
    expect([refused.length, responses.filter(({ status }) => status === 303).length]).toEqual([15, 5])
    expect(refused[0]!.html).toContain('Trop d’essais en peu de temps')
    expect(refused[0]!.headers.get('retry-after')).toBe('60')
    expect(await harness.rows('SELECT `id` FROM `link_runs`')).toHaveLength(5)

    harness.moveClock(MINUTE - 1500)
    expect((await startRun(integrator)).headers.get('retry-after')).toBe('2')
    harness.moveClock(1500)
    expect((await startRun(integrator)).status).toBe(303)
    await checks.close()
    await other.close()
  })

  test('a key and a short link have separate limits, for all addresses', async () => {
    harness = await LinkHarness.start(dialect, { limits: { perKey: 2 }, proxies: ['127.0.0.0/8'] })
    const [integrator, otherIntegrator] = [await harness.integrator(), await harness.integrator()]
    const { shortLink } = await createShortLink(harness.from, keyHolder(integrator.id), {
      provider: 'harbor',
    })
    const statuses = []
    for (const at of [1, 2, 3]) statuses.push((await startRun(integrator, `198.51.100.${at}`)).status)
    expect(statuses).toEqual([303, 303, 429])
    expect((await startRun(otherIntegrator)).status).toBe(303)
    const openShortLink = async () => (await fetchPage(harness.app, `/link/s/${shortLink.code}`)).status
    expect([await openShortLink(), await openShortLink(), await openShortLink()]).toEqual([303, 303, 429])
  })

  test('all runs share a limit of sign-ins, and a refused sign-in is not tried', async () => {
    harness = await LinkHarness.start(dialect, { limits: { perAddress: 3 } })
    const integrator = await harness.integrator()
    const browsers = [
      await openSignIn(integrator),
      await openSignIn(integrator),
      await openSignIn(integrator),
    ]
    for (const browser of browsers) expect(await trySignIn(browser, 'wrong')).toBe(200)
    const [last] = browsers as [Browser]
    expect(await trySignIn(last, 'right')).toBe(429)
    expect(last.page.headers.get('retry-after')).toBe('60')
    expect(await harness.connectionsOf(integrator)).toEqual([])
    harness.moveClock(MINUTE)
    await last.open(last.page.url.href)
    await trySignIn(last, 'right')
    expect(last.step).toBe('done')
  })

  test('X-Forwarded-For is used only behind configured proxies', async () => {
    harness = await LinkHarness.start(dialect, { limits: { perAddress: 1 } })
    const integrator = await harness.integrator()
    expect((await startRun(integrator, '198.51.100.1')).status).toBe(303)
    expect((await startRun(integrator, '198.51.100.2')).status).toBe(429)
    await harness[Symbol.asyncDispose]()

    harness = await LinkHarness.start(dialect, {
      limits: { perAddress: 1 },
      proxies: ['127.0.0.1', '10.0.0.0/8'],
    })
    const behindProxy = await harness.integrator()
    const status = async (from: string) => (await startRun(behindProxy, from)).status
    expect(await status('198.51.100.1, 10.1.2.3')).toBe(303)
    expect(await status('203.0.113.7, 198.51.100.1, 10.1.2.3')).toBe(429)
    expect(await status('198.51.100.2, 10.1.2.3')).toBe(303)
    expect(await status('2001:db8::1')).toBe(303)
    expect(await status('2001:db8:0:0:ffff::2')).toBe(429)
    expect(await status('unknown')).toBe(303)
    expect(await status('')).toBe(429)
  })

  test('store no address, and are removed after a minute', async () => {
    harness = await LinkHarness.start(dialect, { proxies: ['127.0.0.1'] })
    await startRun(await harness.integrator(), '198.51.100.1')
    const counts = await harness.rows('SELECT * FROM `link_turns`')
    expect(counts).toHaveLength(2)
    expect(JSON.stringify(counts)).not.toContain('198.51')
    harness.moveClock(MINUTE)
    await removeExpiredRows(
      { ...harness.from, eventRetentionDays: 30, requestLogDays: 3, purchaseRetentionDays: 30 },
      new AbortController().signal,
    )
    expect(await harness.rows('SELECT * FROM `link_turns`')).toEqual([])
  })
})

test.each([
  ['198.51.100.7', '198.51.100.7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['::1', '0:0:0:0'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:0DB8:0001:0002:3:4:5:6', '2001:db8:1:2'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

interface PageResponse {
  readonly status: number
  readonly headers: Headers
  readonly html: string
}

/** Requests one page without following redirects. */
async function fetchPage(
  app: Parameters<typeof inProcess>[0],
  path: string,
  from?: string,
): Promise<PageResponse> {
  const headers: Record<string, string> = from === undefined ? {} : { 'x-forwarded-for': from }
  const url = new URL(path, 'http://odograph.example.com')
  const { text, ...response } = await inProcess(app)('GET', url, headers, null)
  return { ...response, html: text }
}
