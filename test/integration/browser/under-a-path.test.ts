import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { foreignUrls, hasChromium, launch, openPage } from '../../support/runner/chromium.ts'
import { freePort } from '../../support/queue/temporary-redis.ts'
import { type PathProxy, startPathProxy } from '../../support/path-proxy.ts'

describe.skipIf(!hasChromium())('a service whose PUBLIC_URL has a path', () => {
  let proxy: PathProxy
  let home: Home
  let service: ServiceProcess
  let browser: Browser

  beforeAll(async () => {
    proxy = await startPathProxy('/telematics')
    home = await makeHome('sqlite')
    const port = await freePort()
    proxy.target = `http://127.0.0.1:${port}`
    service = await ServiceProcess.start(home, ['--fleet-size', '5', '--port', String(port)], {
      PUBLIC_URL: `${proxy.url}/`,
    })
    browser = await launch()
  })
  afterAll(async () => {
    await browser.close()
    await service.end('SIGKILL')
    await home.remove()
    await proxy[Symbol.asyncDispose]()
  })

  test('links its start page and its guides under the path', async () => {
    for (const path of ['/', '/docs/events']) {
      const html = await (await fetch(proxy.url + path)).text()
      const links = [...html.matchAll(/ (?:href|src)="(\/[^"#]*)/g)].map(([, link]) => link ?? '')
      expect(links.length).toBeGreaterThan(5)
      for (const link of new Set(links)) {
        const { status } = await fetch(new URL(link, proxy.url), { headers: { accept: 'text/html,*/*' } })
        expect([link, status]).toEqual([expect.stringMatching(/^\/telematics\//), 200])
      }
    }
  })

  test('names the path in the OpenAPI document', async () => {
    const document = (await (await fetch(`${proxy.url}/tsp/v1/openapi.json`)).json()) as { servers: unknown }
    expect(document.servers).toEqual([{ url: '/telematics/tsp/v1' }])
  })

  test.each([
    [
      '/docs',
      async (page) => {
        await page.locator('#search').fill('subscription')
        await page.locator('#results a').first().click()
        await page.waitForURL(/\/telematics\/docs\/\w+#/)
      },
    ],
    [
      '/graphql',
      async (page) => {
        await page.locator('.result-window').getByText('enter your secret key under Headers').waitFor()
      },
    ],
    [
      '/tsp/v1/docs',
      async (page) => {
        await page.locator('[data-path="/vehicles"]').waitFor()
      },
    ],
    [
      '/dashboard/sign-in',
      async (page) => {
        await page.getByLabel('Secret key').fill(service.ready.secretKey)
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.locator('[data-link="live"]').waitFor()
        await page.locator('.fleet-map[data-vehicles="5"]').waitFor()
        await page.locator('.list li button').first().click()
        await page.getByRole('link', { name: 'Trips and replay' }).click()
        await page.waitForURL(/\/telematics\/dashboard\/vehicles\//)
      },
    ],
    [
      '/link',
      async (page) => {
        await page.locator('h1').waitFor()
      },
    ],
  ] as [string, (page: Awaited<ReturnType<typeof openPage>>['page']) => Promise<void>][])(
    'shows %s in a browser, with everything that it loads',
    async (path, use) => {
      const address =
        path === '/link' ? `${proxy.url}/link?key=${service.ready.publishableKey}` : proxy.url + path
      const { page, requested, problems } = await openPage(browser, address)
      await use(page)
      expect([problems, foreignUrls(requested, proxy.url)]).toEqual([[], []])
      expect(
        requested.filter(
          (url) =>
            !url.startsWith('data:') &&
            !url.startsWith('blob:') &&
            !new URL(url).pathname.startsWith('/telematics'),
        ),
      ).toEqual([])
      await page.close()
    },
  )
})
