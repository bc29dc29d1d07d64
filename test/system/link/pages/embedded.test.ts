import type { Browser, Frame as BrowserFrame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launch } from '../../../support/runner/chromium.ts'
import { type Host, startHost, messagesOf } from '../../../support/link/host-page.ts'
import { openInspectedPage, soon } from '../../../support/link/page-inspection.ts'
import { type PageServer, startPageServer } from '../../../support/link/page-server.ts'
import { atProvider, consent, done, signIn } from '../../../support/link/page-views.ts'

const SUCCESS = { type: 'SUCCESS', payload: { publicToken: 'pub_tkn_of-the-tests' } }

describe.skipIf(!hasChromium())('link pages in a page of another origin', () => {
  let server: PageServer
  let browser: Browser
  let host: Host

  beforeAll(async () => {
    server = await startPageServer()
    host = await startHost(`${server.url}/link/runs/of-the-tests`)
    browser = await launch()
  })

  afterAll(async () => {
    await browser.close()
    await host[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  const around = () => ({ origins: ['https://app.example', host.url], isFramed: true })
  const messages = async (page: Page) => (await messagesOf(page)).map(({ data }) => data)

  async function inside(page: Page): Promise<BrowserFrame> {
    const frame = page.frames()[1]
    if (!frame) throw new Error('The page frames nothing.')
    await frame.waitForLoadState('load')
    return frame
  }

  test('send the public token once, and a message on close', async () => {
    server.show(done, around())
    await using seen = await openInspectedPage(browser, server.url, {})
    await seen.page.goto(host.url)
    await soon(() => messagesOf(seen.page)).toEqual([{ data: SUCCESS, origin: server.url }])
    const frame = await inside(seen.page)
    await frame.getByRole('button', { name: 'Close' }).click()
    await soon(() => messages(seen.page)).toEqual([SUCCESS, { type: 'CLOSE' }])
    expect(seen.complaints).toEqual([])
  })

  test('send a message when the fleet cancels or the flow cannot continue', async () => {
    server.show({ step: 'cancelled', backTo: null }, around())
    await using seen = await openInspectedPage(browser, server.url, {})
    await seen.page.goto(host.url)
    await soon(() => messages(seen.page)).toEqual([{ type: 'EXIT' }])

    server.show({ step: 'refused', why: 'expired' }, around())
    await seen.page.goto(host.url)
    const frame = await inside(seen.page)
    await frame.getByRole('button', { name: 'Close' }).click()
    await soon(() => messages(seen.page)).toEqual([{ type: 'EXIT' }])
  })

  test('close on Escape, but not while the user types', async () => {
    server.show(signIn(), around())
    await using seen = await openInspectedPage(browser, server.url, {})
    await seen.page.goto(host.url)
    const frame = await inside(seen.page)
    await frame.getByLabel('API key', { exact: true }).press('Escape')
    await frame.getByRole('button', { name: 'Continue' }).press('Escape')
    await soon(() => messages(seen.page)).toEqual([{ type: 'CLOSE' }])
  })

  test('send no message before the end', async () => {
    server.show(consent, around())
    await using seen = await openInspectedPage(browser, server.url, {})
    await seen.page.goto(host.url)
    await inside(seen.page)
    expect(await settled(seen.page)).toEqual([])
  })

  test.each([
    ['even where it could frame them', '*', 1],
    ['and are not shown there', undefined, 0],
  ])('send no message to an origin that is not allowed, %s', async (_, ancestors, shown) => {
    server.show(done, { origins: ['https://app.example'], isFramed: true }, ancestors)
    await using seen = await openInspectedPage(browser, server.url, {})
    await seen.page.goto(host.url)
    const frame = await inside(seen.page)
    expect(await frame.getByRole('heading', { name: 'Your fleet is linked' }).count()).toBe(shown)
    expect(await settled(seen.page)).toEqual([])
  })

  test('send messages to the page that opened them in a window', async () => {
    server.show(done, { origins: [host.url] })
    await using seen = await openInspectedPage(browser, server.url, {})
    await seen.page.goto(`${host.url}/popup`)
    const opened = seen.page.waitForEvent('popup')
    await seen.page.getByRole('button').click()
    const popup = await opened
    await soon(() => messages(seen.page)).toEqual([SUCCESS])
    const closed = popup.waitForEvent('close')
    await popup.getByRole('button', { name: 'Close' }).click()
    await closed
    expect(await messages(seen.page)).toEqual([SUCCESS, { type: 'CLOSE' }])
  })

  test('send no message to a page of another origin that opened them in a window', async () => {
    server.show(done, { origins: ['https://app.example'] })
    await using seen = await openInspectedPage(browser, server.url, {})
    await seen.page.goto(`${host.url}/popup`)
    const opened = seen.page.waitForEvent('popup')
    await seen.page.getByRole('button').click()
    const popup = await opened
    await popup.getByRole('button', { name: 'Close' }).waitFor()
    // The browser drops messages of the window before this message of its own.
    await popup.evaluate(`opener.postMessage({ type: 'LAST' }, '*')`)
    await soon(() => messages(seen.page)).toEqual([{ type: 'LAST' }])
  })

  test('continue after a sign-in at the provider, which opens in a tab without an opener', async () => {
    server.show(signIn({ chosen: atProvider }), around())
    await using seen = await openInspectedPage(browser, server.url, {})
    await seen.page.goto(host.url)
    const frame = await inside(seen.page)
    const opened = seen.page.context().waitForEvent('page')
    await frame.getByRole('button', { name: 'Continue to Northstar Telematics' }).click()
    expect(await (await opened).evaluate('window.opener')).toBe(null)
    expect(await frame.getByRole('status').textContent()).toContain('This page then goes on by itself')
    server.show(consent, around())
    await frame.getByRole('heading', { name: 'Share this data' }).waitFor()
  })

  /** Returns the messages of the page after all pending ones have arrived. */
  async function settled(page: Page): Promise<unknown[]> {
    await page.evaluate(`new Promise((resolve) => {
      const frame = document.querySelector('iframe').contentWindow
      requestAnimationFrame(() => requestAnimationFrame(resolve))
    })`)
    return messages(page)
  }
})
