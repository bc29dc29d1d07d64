import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasChromium, launch } from '../../../support/runner/chromium.ts'
import { tabTo } from '../../../support/link/keyboard.ts'
import { type InspectedPage, openInspectedPage, soon } from '../../../support/link/page-inspection.ts'
import { type PageServer, startPageServer } from '../../../support/link/page-server.ts'
import {
  atProvider,
  checking,
  choice,
  consent,
  done,
  providers,
  signIn,
  withPassword,
} from '../../../support/link/page-views.ts'

const RUN = '/link/runs/of-the-tests'

describe.skipIf(!hasChromium())('on the link pages', () => {
  let server: PageServer
  let browser: Browser

  beforeAll(async () => {
    server = await startPageServer()
    browser = await launch()
  })

  afterAll(async () => {
    await browser.close()
    await server[Symbol.asyncDispose]()
  })

  const lastSent = () => server.sent.at(-1)

  describe('a keyboard', () => {
    let seen: InspectedPage
    let page: Page

    beforeEach(async () => {
      seen = await openInspectedPage(browser, server.url, {})
      page = seen.page
    })

    afterEach(() => seen[Symbol.asyncDispose]())

    const named = (name: string) => page.getByRole('button', { name, exact: true })

    test('skips to the content and selects a provider', async () => {
      server.show(choice)
      await page.goto(server.url + RUN)
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe('Skip to the content')
      await page.keyboard.press('Enter')
      await tabTo(page, named('Sandbox'))
      await page.keyboard.press('Enter')
      await soon(lastSent).toEqual({ do: 'choose', lang: 'en', provider: 'sandbox' })
    })

    test('signs in, and shows the typed password', async () => {
      server.show(signIn({ chosen: withPassword }))
      await page.goto(server.url + RUN)
      await tabTo(page, page.getByLabel('Database'))
      await page.keyboard.type('ridge')
      await tabTo(page, page.getByLabel('User name'))
      await page.keyboard.type('dispatch@ridge.example')
      await tabTo(page, page.getByLabel('Password', { exact: true }))
      await page.keyboard.type('of the tests')
      await tabTo(page, named('Show Password'))
      await page.keyboard.press('Enter')
      expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text')
      await tabTo(page, named('Continue'))
      await page.keyboard.press('Enter')
      await soon(lastSent).toEqual({
        do: 'sign_in',
        lang: 'en',
        at: 'northstar',
        server: '',
        database: 'ridge',
        user: 'dispatch@ridge.example',
        password: 'of the tests',
      })
    })

    test('reaches the error first, and retries', async () => {
      server.show(signIn({ problem: 'provider_down', mayRetry: true }))
      await page.goto(server.url + RUN)
      expect(await focused(page)).toContain('We cannot reach your provider')
      expect(await page.title()).toMatch(/^Error: Sign in to Northstar Telematics/)
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe('Try again')
      await page.keyboard.press('Enter')
      await soon(lastSent).toEqual({ do: 'retry', lang: 'en', at: 'northstar' })
    })

    test('consents after ticking the box', async () => {
      server.show(consent)
      await page.goto(server.url + RUN)
      const before = server.sent.length
      await tabTo(page, named('Agree and link'))
      await page.keyboard.press('Enter')
      // The browser requires the box and focuses it.
      await soon(() => focused(page)).toBe('agreed')
      expect(server.sent).toHaveLength(before)
      await page.keyboard.press('Space')
      await tabTo(page, named('Agree and link'))
      await page.keyboard.press('Enter')
      await soon(lastSent).toEqual({ do: 'agree', lang: 'en', at: 'northstar', agreed: 'on' })
    })

    test.each([
      ['Choose another provider', { do: 'back', lang: 'en', at: 'northstar' }],
      ['Cancel', { do: 'cancel', lang: 'en', at: 'northstar' }],
      ['With an API key', { do: 'way', lang: 'en', at: 'northstar', way: 'key' }],
      ['Continue to Northstar Telematics', { do: 'oauth', lang: 'en', at: 'northstar' }],
    ])('reaches “%s”', async (button, sent) => {
      server.show(signIn({ chosen: atProvider }))
      await page.goto(server.url + RUN)
      await tabTo(page, named(button))
      await page.keyboard.press('Enter')
      await soon(lastSent).toEqual(sent)
    })
  })

  test('providers are filtered while the user types, with or without accents', async () => {
    server.show(choice)
    await using seen = await openInspectedPage(browser, server.url, {})
    await seen.page.goto(server.url + RUN)
    const names = seen.page.locator('.provider-name:visible')
    await seen.page.getByLabel('Find your provider').pressSequentially('MOVIL')
    expect(await names.allTextContents()).toEqual(['Ruta Móvil'])
    expect(await seen.page.getByRole('status').textContent()).toBe('1 provider')
    await seen.page.getByLabel('Find your provider').fill('nobody')
    expect(await names.count()).toBe(0)
    expect(await seen.page.getByText('Check the spelling').isVisible()).toBe(true)
    await seen.page.getByLabel('Find your provider').fill('')
    expect(await names.count()).toBe(providers.length)
  })

  test('a language change keeps the page and persists', async () => {
    server.show({ ...choice, search: 'ruta' } as typeof choice)
    await using seen = await openInspectedPage(browser, server.url, {})
    await seen.page.goto(server.url + RUN)
    await seen.page.getByRole('link', { name: 'Français' }).click()
    await seen.page.getByRole('heading', { name: 'Choisissez votre fournisseur' }).waitFor()
    expect(new URL(seen.page.url()).search).toBe('?q=ruta&lang=fr')
    expect(await seen.page.locator('html').getAttribute('lang')).toBe('fr')
    await seen.page.getByRole('button', { name: 'Sandbox' }).click()
    await soon(lastSent).toEqual({ do: 'choose', lang: 'fr', provider: 'sandbox' })
  })

  test('the check page updates without a reload before the check ends', async () => {
    server.show(checking)
    await using seen = await openInspectedPage(browser, server.url, {})
    const observedState: string[] = []
    seen.page.on('request', (request) => void observedState.push(request.resourceType()))
    await seen.page.goto(server.url + RUN)
    await soon(() => observedState.filter((type) => type === 'fetch').length).toBeGreaterThan(1)
    expect(observedState.filter((type) => type === 'document')).toHaveLength(1)
    server.show(done)
    await seen.page.getByRole('heading', { name: 'Your fleet is linked' }).waitFor()
    expect(observedState.filter((type) => type === 'document')).toHaveLength(2)
    expect(seen.complaints).toEqual([])
  })

  describe('without JavaScript', () => {
    test('the user searches for a provider and selects it', async () => {
      server.show({ step: 'choose', providers: providers.slice(0, 2), search: 'a' })
      await using seen = await openInspectedPage(browser, server.url, { javaScriptEnabled: false })
      await seen.page.goto(server.url + RUN)
      await seen.page.getByLabel('Find your provider').fill('sandbox')
      await seen.page.getByRole('button', { name: 'Search' }).click()
      await seen.page.waitForURL(`**${RUN}?lang=en&q=sandbox`)
      await seen.page.getByRole('button', { name: 'Sandbox' }).click()
      await soon(lastSent).toEqual({ do: 'choose', lang: 'en', provider: 'sandbox' })
    })

    test('no page offers a control that needs a script', async () => {
      await using seen = await openInspectedPage(browser, server.url, { javaScriptEnabled: false })
      for (const view of [signIn(), done]) {
        server.show(view)
        await seen.page.goto(server.url + RUN)
        expect(await seen.page.locator('[data-reveal], [data-close]').count()).toBe(1)
        expect(await seen.page.locator('[data-reveal], [data-close]').isVisible()).toBe(false)
      }
    })

    test('the check page reloads until the check ends', async () => {
      server.show(checking)
      await using seen = await openInspectedPage(browser, server.url, { javaScriptEnabled: false })
      await seen.page.goto(server.url + RUN)
      await seen.page.getByRole('link', { name: 'Look again now' }).waitFor()
      server.show(done)
      await seen.page.getByRole('heading', { name: 'Your fleet is linked' }).waitFor()
    })
  })
})

/** Returns the name, the text or the label of the focused element, and whether the focus is visible. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const { activeElement: it } = document
    if (getComputedStyle(it).outlineStyle === 'none') return 'not to be seen: ' + it.outerHTML
    return (it.textContent.trim() || it.name || '').replace(/\\s+/g, ' ')
  })()`)
