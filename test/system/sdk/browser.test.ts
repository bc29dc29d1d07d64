import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasChromium, launch, openPage, type WatchedPage } from '../../support/runner/chromium.ts'
import { forgingPages, integratorPages, linkPages, Origin } from '../../support/sdk/integrator-pages.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describe.skipIf(!hasChromium())('the client in a browser', () => {
  let browser: Browser
  let integrator: Origin
  let link: Origin
  let forger: Origin
  let watched: WatchedPage
  let page: Page

  beforeAll(async () => {
    const pages = [await integratorPages(), linkPages, forgingPages]
    ;[integrator, link, forger] = (await Promise.all(pages.map((one) => Origin.start(one)))) as [
      Origin,
      Origin,
      Origin,
    ]
    browser = await launch()
  })
  afterAll(async () => {
    await browser.close()
    for (const origin of [integrator, link, forger]) await origin[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    watched = await openPage(browser, integrator.url)
    ;({ page } = watched)
  })
  afterEach(async () => {
    if (watched.problems.length > 0) throw new Error(watched.problems.join('; '))
    await page.close()
  })

  /** Makes the page open the link pages at a click; `outcome` returns the result. */
  async function open(options: object = {}, call = 'openLink'): Promise<void> {
    const place = { linkUrl: link.url, publishableKey: 'pk_sandbox_of_a_test', ...options }
    await page.evaluate(`document.querySelector('#open').addEventListener('click', () => {
      window.stop = new AbortController()
      const options = { ...${JSON.stringify(place)}, signal: window.stop.signal }
      if (options.container) options.container = document.querySelector(options.container)
      window.outcome = null
      odograph.${call}(options).then(
        (outcome) => (window.outcome = outcome),
        (error) => (window.outcome = { error: error.code ?? error.message }),
      )
    })`)
    await page.getByRole('button', { name: 'Link your account' }).click()
  }

  const outcome = () => page.evaluate('window.outcome')
  const dialog = () => page.getByRole('dialog', { name: 'Link your account' })
  const inFrame = (id: string) => page.frameLocator('iframe').locator(`#${id}`)
  const focused = () => page.evaluate('document.activeElement.id')

  test('opens the link pages over the page, with the settings in their URL, and returns the public token', async () => {
    await open({
      name: 'Acme & Sons',
      provider: 'sandbox',
      externalId: 'customer 7',
      tags: ['north', 'vip'],
      syncMode: 'manual',
      backfill: { days: 30 },
      state: 's1',
    })
    await dialog().waitFor()
    await inFrame('success').waitFor()
    const address = new URL(page.frames()[1]!.url())
    expect([address.origin, address.pathname]).toEqual([link.url, '/'])
    expect(Object.fromEntries(address.searchParams)).toEqual({
      key: 'pk_sandbox_of_a_test',
      sync_mode: 'manual',
      name: 'Acme & Sons',
      external_id: 'customer 7',
      tags: 'north,vip',
      provider: 'sandbox',
      backfill_days: '30',
      state: 's1',
    })
    expect(await outcome()).toBeNull()
    await inFrame('success').click()
    await expect.poll(outcome).toEqual({ status: 'linked', publicToken: 'pub_tkn_of_the_link_pages' })
    expect(await page.locator('dialog, iframe').count()).toBe(0)
    expect(await focused()).toBe('open')
  })

  test('is a dialog that traps the focus, and that Escape and a button close', async () => {
    await open()
    await inFrame('success').waitFor()
    const behind = page.locator('#open')
    for (let times = 0; times < 8; times++) {
      await page.keyboard.press('Tab')
      expect(await focused()).not.toBe('open')
    }
    await expect(behind.click({ timeout: 300 })).rejects.toThrow('intercepts pointer events')
    await page.evaluate(axe)
    const { violations } = await page.evaluate<{ violations: unknown[] }>('axe.run({ iframes: false })')
    expect(violations).toEqual([])
    await dialog().getByRole('button', { name: 'Close' }).focus()
    await page.keyboard.press('Escape')
    await expect.poll(outcome).toEqual({ status: 'cancelled' })
    expect(await focused()).toBe('open')

    await behind.click()
    await dialog().getByRole('button', { name: 'Close' }).click()
    await expect.poll(outcome).toEqual({ status: 'cancelled' })
    expect(await page.locator('dialog, iframe').count()).toBe(0)
  })

  test.each(['exit', 'close'])('ends as cancelled if the link pages send %s', async (word) => {
    await open()
    await inFrame(word).click()
    await expect.poll(outcome).toEqual({ status: 'cancelled' })
  })

  test('accepts messages only from the pages that it opened', async () => {
    await open()
    await inFrame('success').waitFor()
    await page.evaluate(`window.heard = 0; addEventListener('message', () => (window.heard += 1))`)
    // Another origin, this page itself, and another window with the link pages' origin.
    await page.evaluate(`(() => {
      const strange = document.createElement('iframe')
      strange.src = ${JSON.stringify(forger.url)}
      document.querySelector('#place').append(strange)
      postMessage({ type: 'SUCCESS', payload: { publicToken: 'pub_tkn_own' } }, '*')
      const twin = document.createElement('iframe')
      twin.id = 'twin'
      twin.src = ${JSON.stringify(link.url)}
      document.querySelector('#place').append(twin)
    })()`)
    const twin = page.frameLocator('#twin')
    await twin.locator('#success').evaluate((button) => (button as unknown as { click(): void }).click())
    await twin.locator('#exit').evaluate((button) => (button as unknown as { click(): void }).click())
    await page.frameLocator('dialog iframe').locator('#nonsense').click()
    await expect.poll(() => page.evaluate('window.heard')).toBe(7)
    expect(await outcome()).toBeNull()
    await page.frameLocator('dialog iframe').locator('#success').click()
    await expect.poll(outcome).toMatchObject({ publicToken: 'pub_tkn_of_the_link_pages' })
  })

  test('shows the pages in the given element, and ends at the abort signal', async () => {
    await open({ container: '#place' })
    await page.locator('#place > iframe').waitFor()
    expect(await page.locator('dialog').count()).toBe(0)
    await page.evaluate(`window.stop.abort(new Error('enough'))`)
    await expect.poll(outcome).toEqual({ error: 'enough' })
    expect(await page.locator('iframe').count()).toBe(0)
  })

  test('opens a window, and reports when the fleet closes it', async () => {
    const opened = page.context().waitForEvent('page')
    await open({ mode: 'window', connectionId: 'conn_1' }, 'reconnect')
    const popup = await opened
    await popup.locator('#success').waitFor()
    expect(popup.url()).toBe(`${link.url}/connection/conn_1?key=pk_sandbox_of_a_test`)
    await popup.locator('#success').click()
    await expect.poll(outcome).toMatchObject({ status: 'linked' })
    await expect.poll(() => popup.isClosed()).toBe(true)

    const again = page.context().waitForEvent('page')
    await page.locator('#open').click()
    await (await again).close()
    await expect.poll(outcome).toEqual({ status: 'cancelled' })
  })

  test('reports a blocked window and a secret key', async () => {
    await page.evaluate('window.open = () => null')
    await open({ mode: 'window' })
    await expect.poll(outcome).toEqual({ error: 'blocked' })
    expect(
      await page.evaluate(
        `(() => { try { odograph.openLink({ linkUrl: 'https://a.example', publishableKey: 'sk_prod_x' }) } catch (error) { return error.code } })()`,
      ),
    ).toBe('bad_options')
  })
})
