import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { visitDashboard } from '../../support/dashboard-visit.ts'
import { violationsIn } from '../../support/link/page-inspection.ts'
import { foreignUrls, hasChromium, launch } from '../../support/runner/chromium.ts'

const DISCONNECT = `mutation ($id: ID!) { disconnectConnection(input: { connectionId: $id }) { connection { status } } }`

describe.skipIf(!hasChromium())('the connections of the dashboard', () => {
  let home: Home
  let service: ServiceProcess
  let browser: Browser

  beforeAll(async () => {
    home = await makeHome('sqlite')
    service = await ServiceProcess.start(home, ['--fleet-size', '3'])
    browser = await launch()
  })
  afterAll(async () => {
    await browser.close()
    await service.end('SIGKILL')
    await home.remove()
  })

  async function opened(options?: BrowserContextOptions) {
    const visit = await visitDashboard(browser, service, '/connections', options)
    await item(visit.page).waitFor()
    return visit
  }

  const item = (page: Page) => page.getByRole('article').first()
  const health = (page: Page) => item(page).getAttribute('data-health')

  test('shows the health of a connection, and leads to its vehicles', async () => {
    const { page, requested, problems } = await opened()
    await expect.poll(() => health(page)).toBe('healthy')
    await expect.poll(() => item(page).textContent()).toMatch(/Last successful sync\d+ s ago/)
    await item(page).getByRole('link', { name: 'Vehicles on the live map' }).click()
    await expect.poll(() => page.locator('.list li').count()).toBe(3)
    expect(page.url()).toContain(`connection=${service.ready.connectionId}`)
    expect(foreignUrls(requested, service.ready.url)).toEqual([])
    expect(problems).toEqual([])
    await page.close()
  })

  test.each(['light', 'dark'] as const)(
    'has no accessibility violation in the %s theme',
    async (colorScheme) => {
      for (const viewport of [
        { width: 1440, height: 900 },
        { width: 390, height: 844 },
      ]) {
        const { page } = await opened({ colorScheme, viewport })
        expect(await violationsIn(page)).toEqual([])
        await page.close()
      }
    },
  )

  test('says that a connection lost its credentials, with the link on which the fleet signs in again', async () => {
    const { page } = await opened()
    await service.graphql(DISCONNECT, { id: service.ready.connectionId })
    await expect.poll(() => health(page)).toBe('broken')
    await item(page).getByText('Send the fleet the sign-in link').waitFor()
    const link = await item(page).getByLabel('Sign-in link for the fleet').inputValue()
    await page.goto(link)
    await expect.poll(() => page.locator('h1').textContent()).toContain('Sandbox')
    await page.close()
  })
})
