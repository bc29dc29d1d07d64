import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { foreignUrls, hasChromium, launch, openPage } from '../../support/runner/chromium.ts'

describe.skipIf(!hasChromium())('the page of the REST API', () => {
  let home: Home
  let service: ServiceProcess
  let browser: Browser

  beforeAll(async () => {
    home = await makeHome('sqlite')
    service = await ServiceProcess.start(home, ['--fleet-size', '10'])
    browser = await launch()
  })

  afterAll(async () => {
    await browser.close()
    await service.end('SIGKILL')
    await home.remove()
  })

  test('tries an operation with the entered keys, and contacts only its own server', async () => {
    const { page, requested, problems } = await openPage(browser, `${service.ready.restUrl}/docs`)
    await authorize(page, service.ready.secretKey, service.ready.connectionToken)

    const operation = page.locator('.opblock', { has: page.locator('[data-path="/vehicles"]') })
    await operation.getByRole('button').first().click()
    await operation.getByRole('button', { name: 'Execute' }).click()
    const answer = operation.locator('.live-responses-table .response')
    await answer.waitFor()

    expect(await answer.locator('.response-col_status').textContent()).toContain('200')
    expect(await answer.textContent()).toContain('"results"')
    expect(foreignUrls(requested, service.ready.url)).toEqual([])
    expect(problems).toEqual([])
    await page.close()
  })
})

async function authorize(page: Page, secretKey: string, connectionToken: string): Promise<void> {
  await page.locator('.btn.authorize').click()
  for (const [input, key] of [
    ['#auth-bearer-value', secretKey],
    ['#api_key_value', connectionToken],
  ] as const) {
    const scheme = page.locator('.auth-container form', { has: page.locator(input) })
    await scheme.locator(input).fill(key)
    await scheme.getByRole('button', { name: 'Apply credentials' }).click()
    await page.locator(input).waitFor({ state: 'detached' })
  }
  await page.locator('.close-modal').click()
}
