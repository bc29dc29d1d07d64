import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashKey } from '../../../src/auth/keys.ts'
import { dialects, MINUTE } from '../../support/factories.ts'
import type { Browser } from '../../support/link/http-browser.ts'
import { type Integrator, LinkHarness } from '../../support/link/link-harness.ts'

describe.each(dialects)('an OAuth sign-in on %s', (dialect) => {
  let harness: LinkHarness
  let integrator: Integrator
  beforeAll(async () => {
    harness = await LinkHarness.start(dialect)
    integrator = await harness.integrator()
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  /** Starts a link run, and opens the page of the provider on which the fleet consents. */
  const startSignIn = async (browser: Browser, query = ''): Promise<URL> => {
    await browser.open(`/link/?key=${integrator.key}&provider=harbor${query}`)
    await browser.submit('way', { way: 'oauth' })
    return openProvider(browser)
  }
  const openProvider = async (browser: Browser): Promise<URL> => {
    await browser.submit('oauth')
    expect(browser.externalRedirect?.host).toBe('harbor.example.com')
    return browser.externalRedirect!
  }

  const problemOf = async () => {
    const [run] = await harness.rows<{ problem: string | null }>(
      'SELECT `problem` FROM `link_runs` WHERE `applicationId` = ? ORDER BY `id` DESC LIMIT 1',
      [integrator.id],
    )
    return run?.problem
  }

  const sealedVerifierOf = async (state: string): Promise<string> => {
    const [run] = await harness.rows<{ oauthVerifierSealed: string }>(
      'SELECT `oauthVerifierSealed` FROM `link_runs` WHERE `oauthStateHash` = ?',
      [hashKey(state)],
    )
    return run!.oauthVerifierSealed
  }

  test('exchanges the code of the callback, and creates a connection', async () => {
    const browser = harness.browser()
    const authorize = await startSignIn(browser, '&lang=es')
    expect(authorize.searchParams.get('redirect_uri')).toBe('http://odograph.example.com/link/oauth/callback')
    const [cookie] = browser.cookieNames()
    expect(cookie).toMatch(/^link_lnk_/)
    await browser.open(harness.harbor.signIn(authorize, 'ulf'))
    expect(browser.step).toBe('consent')
    expect(browser.page.url.search).toBe('?lang=es')
    expect(browser.cookieNames()).toEqual([])
    await browser.submit('agree', { agreed: 'on' })
    await harness.checked(browser)
    expect(browser.step).toBe('done')
    expect(await harness.connectionsOf(integrator)).toMatchObject([{ sourceId: 'fleet-of-ulf' }])
    expect(await harness.stored()).not.toContain('planted-token-of-ulf')
  })

  test('accepts its callback once, in its own browser, and then deletes the state and the verifier', async () => {
    const browser = harness.browser()
    const authorize = await startSignIn(browser)
    const state = authorize.searchParams.get('state') ?? ''
    const verifier = await sealedVerifierOf(state)
    const stored = await harness.stored()
    expect(stored).toContain(hashKey(state))
    expect(stored).not.toContain(state)
    expect(stored).toContain(verifier)
    const callback = harness.harbor.signIn(authorize, 'vera')

    const otherBrowser = harness.browser()
    expect(await otherBrowser.open(callback)).toMatchObject({ status: 400 })
    expect(otherBrowser.step).toBe('refused')
    const otherRun = harness.browser()
    await startSignIn(otherRun)
    expect(await otherRun.open(callback)).toMatchObject({ status: 400 })
    expect(await browser.forger().open(callback)).toMatchObject({ status: 400 })

    const responses = await Promise.all([1, 2, 3].map(() => browser.anotherWindow().open(callback)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect(await browser.open(callback)).toMatchObject({ status: 400 })
    expect(await harness.stored()).not.toContain(hashKey(state))
    expect(await harness.stored()).not.toContain(verifier)
  })

  test('refuses an unknown state', async () => {
    for (const query of ['', '?state=', '?state=x&code=y', '?code=y'])
      expect(await harness.browser().open(`/link/oauth/callback${query}`)).toMatchObject({ status: 400 })
  })

  test('shows the sign-in step again with the problem, if it fails', async () => {
    const browser = harness.browser()
    let authorize = await startSignIn(browser)
    await browser.open(harness.harbor.refuse(authorize))
    expect(browser.step).toBe('sign_in')
    expect(await problemOf()).toBe('sign_in_cancelled')

    authorize = await openProvider(browser)
    await browser.open(harness.harbor.refuse(authorize, 'server_error'))
    expect(await problemOf()).toBe('provider_down')

    authorize = await openProvider(browser)
    harness.moveClock(10 * MINUTE)
    await browser.open(harness.harbor.signIn(authorize, 'wim'))
    expect(browser.step).toBe('sign_in')
    expect(await problemOf()).toBe('sign_in_expired')

    authorize = await openProvider(browser)
    const unknown = new URL(harness.harbor.signIn(authorize, 'wim'))
    unknown.searchParams.set('code', 'another')
    await browser.open(unknown.href)
    expect(await problemOf()).toBe('sign_in_expired')

    authorize = await openProvider(browser)
    await browser.open(harness.harbor.signIn(authorize, 'wim'))
    expect(browser.step).toBe('consent')
  })

  test('that a frame starts ends in a popup, and the frame continues', async () => {
    const frame = harness.browser({ 'sec-fetch-dest': 'iframe', referer: 'https://app.example.com/' })
    const authorize = await startSignIn(frame)
    const runUrl = `${frame.page.url.href}`
    const popup = frame.anotherWindow()
    await popup.open(harness.harbor.signIn(authorize, 'xena'))
    expect(popup.step).toBe('return')
    await frame.open(runUrl)
    expect(frame.step).toBe('consent')
  })
})

test('an OAuth sign-in over HTTPS has a secure cookie', async () => {
  await using harness = await LinkHarness.start('sqlite', { address: 'https://link.example.com' })
  const { key } = await harness.integrator()
  const browser = harness.browser({}, ['link.example.com'])
  await browser.open(`https://link.example.com/?key=${key}&provider=harbor`)
  await browser.submit('way', { way: 'oauth' })
  const { headers } = await browser.submit('oauth')
  expect(headers.get('set-cookie')).toMatch(
    /^__Secure-link_lnk_\w+=\w+\.\w+; Path=\/oauth\/callback; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
  )
  await browser.open(harness.harbor.signIn(browser.externalRedirect!, 'yuri'))
  expect(browser.step).toBe('consent')
})
