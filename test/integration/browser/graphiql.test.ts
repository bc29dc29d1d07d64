import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { foreignUrls, hasChromium, launch, openPage } from '../../support/runner/chromium.ts'

describe.skipIf(!hasChromium())('GraphiQL', () => {
  let home: Home
  let service: ServiceProcess
  let browser: Browser

  beforeAll(async () => {
    home = await makeHome('sqlite')
    service = await ServiceProcess.start(home, ['--fleet-size', '10'], { LOCATION_POLL_SECONDS: '1' })
    browser = await launch()
  })

  afterAll(async () => {
    await browser.close()
    await service.end('SIGKILL')
    await home.remove()
  })

  const headers = () =>
    JSON.stringify({
      Authorization: `Bearer ${service.ready.secretKey}`,
      'Connection-Token': service.ready.connectionToken,
    })

  test('sends the keys from its headers editor over HTTP and WebSocket, and contacts only its own server', async () => {
    const { page, requested, problems } = await openPage(browser, service.ready.graphqlUrl)
    const result = page.locator('.result-window')
    await result.getByText('enter your secret key under Headers').waitFor()
    await writeHeaders(page, headers())

    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    await page.getByText('Root Types').waitFor()

    await runOperation(page, 'Fleet')
    await result.getByText('latestLocation').first().waitFor()
    await runOperation(page, 'Positions')
    await result.getByText('vehicleLocations').waitFor()
    await page.getByRole('button', { name: /stop/i }).click()

    expect(requested).toContain(service.ready.wsUrl)
    expect(requested.filter((address) => address.includes('.worker.js')).length).toBeGreaterThan(0)
    expect(foreignUrls(requested, service.ready.url)).toEqual([])
    expect(problems).toEqual([])
    await page.close()
  })

  test('keeps the operations that were run in the browser, but no keys', async () => {
    const { page } = await openPage(browser, service.ready.graphqlUrl)
    const stored = () => page.evaluate(() => JSON.stringify(localStorage))
    const old = { queries: [{ query: '{ __typename }', headers: headers() }] }
    await page.evaluate((text) => localStorage.setItem('graphiql:queries', text), JSON.stringify(old))
    await page.reload()
    await page.locator('.result-window').getByText('enter your secret key under Headers').waitFor()
    await writeHeaders(page, headers())
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    await page.getByText('Root Types').waitFor()
    await runOperation(page, 'Fleet')
    await page.locator('.result-window').getByText('latestLocation').first().waitFor()

    await expect.poll(stored).toContain('query Fleet')
    expect(await stored()).toContain('__typename')
    expect(await stored()).not.toContain(service.ready.secretKey)
    expect(await stored()).not.toContain(service.ready.connectionToken)
    await page.close()
  })
})

async function writeHeaders(page: Page, text: string): Promise<void> {
  await page.locator('.graphiql-editor-tool .monaco-editor:visible').click()
  await page.keyboard.press('Control+A')
  // The editor closes brackets in typed text, but not in pasted text.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await page.keyboard.press('Control+V')
}

async function runOperation(page: Page, operation: string): Promise<void> {
  await page.getByRole('button', { name: /execute query/i }).click()
  await page.getByRole('menuitem', { name: operation }).click()
}
