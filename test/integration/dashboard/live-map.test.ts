import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { visitDashboard } from '../../support/dashboard-visit.ts'
import { violationsIn } from '../../support/link/page-inspection.ts'
import { foreignUrls, hasChromium, launch, openPage } from '../../support/runner/chromium.ts'
import { freePort } from '../../support/queue/temporary-redis.ts'

describe.skipIf(!hasChromium())('the live map', () => {
  let home: Home
  let service: ServiceProcess
  let browser: Browser
  let port: number

  const start = () =>
    ServiceProcess.start(home, ['--fleet-size', '10', '--port', String(port)], { LOCATION_POLL_SECONDS: '1' })

  beforeAll(async () => {
    home = await makeHome('sqlite')
    port = await freePort()
    service = await start()
    browser = await launch()
  })
  afterAll(async () => {
    await browser.close()
    await service.end('SIGKILL')
    await home.remove()
  })

  const signedIn = (path: string, options?: BrowserContextOptions) =>
    visitDashboard(browser, service, path, options)

  const rows = (page: Page) => page.locator('.list li button')
  const countOnMap = (page: Page) => page.locator('.fleet-map').getAttribute('data-vehicles')
  const status = (page: Page) => page.locator('[data-link]').getAttribute('data-link')

  test('opens by a sign-in link, and shows the vehicles as they move', async () => {
    const link = `${service.ready.url}/dashboard/sign-in#${service.ready.signInCode}`
    const { page, requested, problems } = await openPage(browser, link)
    await expect.poll(() => rows(page).count()).toBe(10)
    await expect.poll(() => countOnMap(page)).toBe('10')
    expect(page.url()).toBe(`${service.ready.url}/dashboard/`)

    await page.getByRole('button', { name: /^Driving/ }).click()
    await rows(page).first().click()
    const position = page.locator('.card dd').filter({ hasText: /^-?\d+\.\d+, / })
    const before = await position.textContent()
    await expect.poll(() => position.textContent()).not.toBe(before)

    expect(foreignUrls(requested, service.ready.url)).toEqual([])
    expect(problems).toEqual([])
    await page.close()

    const again = await openPage(browser, link)
    await again.page.getByRole('alert').getByText('was used before, or it has expired').waitFor()
    await again.page.close()
  })

  test('finds a vehicle, and the address leads another visit to the same view', async () => {
    const { page } = await signedIn('/')
    await expect.poll(() => rows(page).count()).toBe(10)
    const name = (await page.locator('.list .name').nth(3).textContent()) ?? ''
    await page.getByLabel('Search').fill(name)
    await expect.poll(() => rows(page).count()).toBe(1)
    await rows(page).click()
    const card = page.getByRole('article')
    await card.getByRole('heading', { name }).waitFor()
    const vin = await card.locator('dt:text-is("VIN") + dd').textContent()
    expect(vin).toMatch(/^[A-Z0-9]{17}$/)

    await page.reload()
    await card.getByRole('heading', { name }).waitFor()
    await expect.poll(() => rows(page).count()).toBe(1)
    await page.getByLabel('Search').fill('no such vehicle')
    await page.getByText('No vehicle matches').waitFor()
    await page.close()
  })

  test('asks for a sign-in, and then leads to the address that was requested', async () => {
    const { page } = await openPage(browser, `${service.ready.url}/dashboard/?state=driving`)
    await page.getByLabel('Secret key').fill(service.ready.secretKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Live map', exact: true }).waitFor()
    expect(page.url()).toContain('state=driving')
    await page.close()
  })

  test('says what is wrong with a key', async () => {
    const { page } = await openPage(browser, `${service.ready.url}/dashboard`)
    await page.getByLabel('Secret key').fill('pk_sandbox_0')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('This is a publishable key. Send the secret key').waitFor()
    await page.close()
  })

  test('ends with a sign-out, and with the revocation of its session', async () => {
    const { page } = await signedIn('/')
    await expect.poll(() => rows(page).count()).toBe(10)
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Secret key').fill(service.ready.secretKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect.poll(() => rows(page).count()).toBe(10)

    const sessionId = await page.evaluate(
      `fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: '{ viewer { sessionId } }' }) }).then((answer) => answer.json()).then(({ data }) => data.viewer.sessionId)`,
    )
    const revoked = await fetch(service.ready.graphqlUrl, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.ready.secretKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        query: 'mutation ($id: ID!) { revokeSession(input: { sessionId: $id }) { session { id } } }',
        variables: { id: sessionId },
      }),
    })
    expect(await revoked.json()).toEqual({ data: { revokeSession: { session: { id: sessionId } } } })
    await page.getByLabel('Secret key').waitFor()
    await page.close()
  })

  test('has a list if the map cannot be drawn, and draws it at another try', async () => {
    const { page } = await openPage(browser, 'about:blank')
    await page.route('**/base-map.json', (route) => route.abort())
    await page.goto(`${service.ready.url}/dashboard/sign-in`)
    await page.getByLabel('Secret key').fill(service.ready.secretKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.no-map').getByRole('alert').waitFor()
    await expect.poll(() => rows(page).count()).toBe(10)
    await page.unroute('**/base-map.json')
    await page.locator('.no-map').getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => countOnMap(page)).toBe('10')
    await page.close()
  })

  test('goes on after a restart of the service', async () => {
    const { page } = await signedIn('/?state=driving')
    await expect.poll(() => status(page)).toBe('live')
    await rows(page).first().click()
    const position = page.locator('.card dd').filter({ hasText: /^-?\d+\.\d+, / })
    await position.waitFor()
    await service.end('SIGKILL')
    await expect.poll(() => status(page)).not.toBe('live')
    const before = await position.textContent()
    service = await start()
    await expect.poll(() => status(page)).toBe('live')
    await expect.poll(() => position.textContent()).not.toBe(before)
    await page.close()
  })

  test.each(['light', 'dark'] as const)(
    'has no accessibility violation in the %s theme',
    async (colorScheme) => {
      const { page } = await openPage(browser, `${service.ready.url}/dashboard/sign-in`, { colorScheme })
      expect(await violationsIn(page)).toEqual([])
      await page.close()
      for (const viewport of [
        { width: 1440, height: 900 },
        { width: 390, height: 844 },
      ]) {
        const view = await signedIn('/', { colorScheme, viewport })
        await expect.poll(() => countOnMap(view.page)).toBe('10')
        await rows(view.page).first().click()
        await view.page.getByRole('button', { name: 'Settings' }).click()
        expect(await violationsIn(view.page)).toEqual([])
        await view.page.close()
      }
    },
  )
})
