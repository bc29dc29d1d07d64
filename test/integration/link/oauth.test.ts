import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashKey } from '../../../src/auth/keys.ts'
import { dialects, MINUTE } from '../../support/factories.ts'
import type { Browser } from '../../support/link/http-browser.ts'
import { type Integrator, LinkHarness } from '../../support/link/link-harness.ts'

describe.each(dialects)('signing in at the provider itself on %s', (dialect) => {
  let harness: LinkHarness
  let integrator: Integrator
  beforeAll(async () => {
    harness = await LinkHarness.start(dialect)
    integrator = await harness.integrator()
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  /** Goes as far as the provider's page. */
  const leave = async (browser: Browser, query = ''): Promise<URL> => {
    await browser.open(`/link/?key=${integrator.key}&provider=harbor${query}`)
    await browser.submit('way', { way: 'oauth' })
    return leaveAgain(browser)
  }
  const leaveAgain = async (browser: Browser): Promise<URL> => {
    await browser.submit('oauth')
    expect(browser.left?.host).toBe('harbor.example.com')
    return browser.left!
  }

  const problemOf = async () => {
    const [run] = await harness.rows<{ problem: string | null }>(
      'SELECT `problem` FROM `link_runs` WHERE `applicationId` = ? ORDER BY `id` DESC LIMIT 1',
      [integrator.id],
    )
    return run?.problem
  }

  test('comes back with a code that becomes a connection', async () => {
    const browser = harness.browser()
    const authorize = await leave(browser, '&lang=es')
    expect(authorize.searchParams.get('redirect_uri')).toBe('http://odograph.example.com/link/oauth/callback')
    const [sent] = browser.cookieNames()
    expect(sent).toMatch(/^link_lnk_/)
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

  test('binds the sign-in to the browser that began it, once, and forgets state and verifier', async () => {
    const browser = harness.browser()
    const authorize = await leave(browser)
    const state = authorize.searchParams.get('state') ?? ''
    const stored = await harness.stored()
    expect(stored).toContain(hashKey(state))
    expect(stored).not.toContain(state)
    const callback = harness.harbor.signIn(authorize, 'vera')

    const thief = harness.browser()
    expect(await thief.open(callback)).toMatchObject({ status: 400 })
    expect(thief.step).toBe('refused')
    const begun = harness.browser()
    await leave(begun)
    expect(await begun.open(callback)).toMatchObject({ status: 400 })
    expect(await browser.forger().open(callback)).toMatchObject({ status: 400 })

    const answers = await Promise.all([1, 2, 3].map(() => browser.anotherWindow().open(callback)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect(await browser.open(callback)).toMatchObject({ status: 400 })
    expect(await harness.stored()).not.toContain(hashKey(state))
  })

  test('refuses a state that nobody made', async () => {
    for (const query of ['', '?state=', '?state=x&code=y', '?code=y'])
      expect(await harness.browser().open(`/link/oauth/callback${query}`)).toMatchObject({ status: 400 })
  })

  test('leads back to the sign-in with what went wrong there', async () => {
    const browser = harness.browser()
    let authorize = await leave(browser)
    await browser.open(harness.harbor.refuse(authorize))
    expect(browser.step).toBe('sign_in')
    expect(await problemOf()).toBe('sign_in_cancelled')

    authorize = await leaveAgain(browser)
    await browser.open(harness.harbor.refuse(authorize, 'server_error'))
    expect(await problemOf()).toBe('provider_down')

    authorize = await leaveAgain(browser)
    harness.moveClock(10 * MINUTE)
    await browser.open(harness.harbor.signIn(authorize, 'wim'))
    expect(browser.step).toBe('sign_in')
    expect(await problemOf()).toBe('sign_in_expired')

    authorize = await leaveAgain(browser)
    const unknown = new URL(harness.harbor.signIn(authorize, 'wim'))
    unknown.searchParams.set('code', 'another')
    await browser.open(unknown.href)
    expect(await problemOf()).toBe('sign_in_expired')

    authorize = await leaveAgain(browser)
    await browser.open(harness.harbor.signIn(authorize, 'wim'))
    expect(browser.step).toBe('consent')
  })

  test('ends in the window that a frame opened; the frame goes on by itself', async () => {
    const frame = harness.browser({ 'sec-fetch-dest': 'iframe', referer: 'https://app.example.com/' })
    const authorize = await leave(frame)
    const address = `${frame.page.url.href}`
    const popup = frame.anotherWindow()
    await popup.open(harness.harbor.signIn(authorize, 'xena'))
    expect(popup.step).toBe('return')
    await frame.open(address)
    expect(frame.step).toBe('consent')
  })
})

test('over https the cookie is kept for https', async () => {
  await using harness = await LinkHarness.start('sqlite', { address: 'https://link.example.com' })
  const { key } = await harness.integrator()
  const browser = harness.browser({}, ['link.example.com'])
  await browser.open(`https://link.example.com/?key=${key}&provider=harbor`)
  await browser.submit('way', { way: 'oauth' })
  const { headers } = await browser.submit('oauth')
  expect(headers.get('set-cookie')).toMatch(
    /^__Secure-link_lnk_\w+=\w+\.\w+; Path=\/oauth\/callback; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
  )
  await browser.open(harness.harbor.signIn(browser.left!, 'yuri'))
  expect(browser.step).toBe('consent')
})
