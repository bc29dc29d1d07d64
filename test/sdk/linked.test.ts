import { OdographClient } from '@odograph/client'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launch, openPage } from '../browser/chromium.ts'
import { integratorPages, Origin } from './pages.ts'
import { DemoService } from './service.ts'

describe.skipIf(!hasChromium())('the client with the link pages of the service', { timeout: 180_000 }, () => {
  let browser: Browser
  let integrator: Origin
  let service: DemoService

  beforeAll(async () => {
    ;[service, integrator, browser] = await Promise.all([
      DemoService.start(),
      integratorPages().then((pages) => Origin.start(pages)),
      launch(),
    ])
  }, 180_000)
  afterAll(async () => {
    await browser.close()
    await integrator[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
  })

  /** Links in the frame that a call of the client has opened; gives what the call resolves with. */
  async function walk(page: Page, call: string, options: object): Promise<unknown> {
    const { url, publishableKey } = service.demo
    const given = { linkUrl: `${url}/link`, publishableKey, ...options }
    await page.evaluate(`window.linking = odograph.${call}(${JSON.stringify(given)}); null`)
    const frame = page.frameLocator('iframe')
    await frame.getByLabel('API key', { exact: true }).fill('sandbox-3-77')
    await frame.locator('button.primary').click()
    await frame.getByRole('checkbox').check()
    await frame.locator('button.primary').click()
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

    const again = await walk(page, 'reconnect', { connectionId: connection.id })
    const same = await odograph.exchangePublicToken((again as { publicToken: string }).publicToken)
    expect([same.id, same.token]).toEqual([connection.id, connection.token])
    expect(await page.locator('iframe').count()).toBe(0)
    expect(problems).toEqual([])
  })
})
