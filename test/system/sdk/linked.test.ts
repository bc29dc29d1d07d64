import { OdographClient } from '@odograph/client'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launch, openPage } from '../../support/runner/chromium.ts'
import { integratorPages, Origin } from '../../support/sdk/integrator-pages.ts'
import { DemoService } from '../../support/sdk/demo-service.ts'

describe.skipIf(!hasChromium())('the client with the link pages of the service', () => {
  let browser: Browser
  let integrator: Origin
  let service: DemoService

  beforeAll(async () => {
    ;[service, integrator, browser] = await Promise.all([
      DemoService.start(),
      integratorPages().then((pages) => Origin.start(pages)),
      launch(),
    ])
  })
  afterAll(async () => {
    await browser.close()
    await integrator[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
  })

  async function call(page: Page, name: string, options: object): Promise<void> {
    const { url, publishableKey } = service.demo
    const given = { linkUrl: `${url}/link`, publishableKey, ...options }
    await page.evaluate(`window.linking = odograph.${name}(${JSON.stringify(given)}); null`)
  }

  type Shown = Pick<Page, 'getByLabel' | 'getByRole' | 'locator'>

  async function signIn(shown: Shown): Promise<void> {
    await shown.getByLabel('API key', { exact: true }).fill('sandbox-3-77')
    await shown.locator('button.primary').click()
  }

  /** Links on the given page or frame. */
  async function link(shown: Shown): Promise<void> {
    await signIn(shown)
    await shown.getByRole('checkbox').check()
    await shown.locator('button.primary').click()
  }

  /** Takes steps in the frame that a client call has opened. Returns the result of the call. */
  async function walk(page: Page, name: string, options: object, steps = link): Promise<unknown> {
    await call(page, name, options)
    await steps(page.frameLocator('iframe'))
    return page.evaluate('window.linking')
  }

  test('a fleet links its account in a frame, and signs in again; the server has the connection', async () => {
    const { page, problems } = await openPage(browser, integrator.url)
    const odograph = new OdographClient({ baseUrl: service.demo.url, secretKey: service.demo.secretKey })
    const linked = await walk(page, 'openLink', {
      provider: 'sandbox',
      externalId: 'customer-9',
      tags: ['new'],
    })
    expect(linked).toEqual({ status: 'linked', publicToken: expect.stringMatching(/^pub_tkn_/) })
    const { publicToken } = linked as { publicToken: string }
    const connection = await odograph.exchangePublicToken(publicToken)
    expect(connection).toMatchObject({ status: 'connected', externalId: 'customer-9', tags: ['new'] })

    // The fleet has agreed before.
    const again = await walk(page, 'reconnect', { connectionId: connection.id }, signIn)
    const same = await odograph.exchangePublicToken((again as { publicToken: string }).publicToken)
    expect([same.id, same.token]).toEqual([connection.id, connection.token])
    expect(await page.locator('iframe').count()).toBe(0)
    expect(problems).toEqual([])
  })

  test('a fleet links its account in a window, from a page on a developer’s own machine', async () => {
    const { page, problems } = await openPage(browser, integrator.url)
    const opened = page.waitForEvent('popup')
    await call(page, 'openLink', { mode: 'window', provider: 'sandbox' })
    const popup = await opened
    await link(popup)
    expect(await page.evaluate('window.linking')).toEqual({
      status: 'linked',
      publicToken: expect.stringMatching(/^pub_tkn_/),
    })
    await expect.poll(() => popup.isClosed()).toBe(true)
    expect(problems).toEqual([])
  })

  test('a developer gets a hint at the missing setting if a window closes without a message', async () => {
    const { page } = await openPage(browser, integrator.url)
    const opened = page.waitForEvent('popup')
    await call(page, 'openLink', { mode: 'window' })
    const reported = page.waitForEvent('console', (message) => message.text().includes('link origins'))
    await (await opened).close()
    expect(await page.evaluate('window.linking')).toEqual({ status: 'cancelled' })
    expect((await reported).type()).toBe('info')
  })
})
