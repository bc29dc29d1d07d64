import { type Browser, devices, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { foreignUrls, hasChromium, launch, openPage } from '../../support/runner/chromium.ts'
import { SandboxProcess } from '../../prove/support/sandbox-process.ts'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { freePort } from '../../support/queue/temporary-redis.ts'
import { ExampleProcess } from '../../support/example-process.ts'

const DAY_MS = 86_400_000
/** Time of day in UTC to which the test sets the sandbox: about noon in Chicago. The simulated fleet rests at night. */
const NOON_MS = 18 * 3_600_000

const REQUEST_SYNC = 'mutation { requestSync(input: {}) { sync { id } } }'
const EVENTS = '{ events(first: 1000) { nodes { id type } } }'

describe.skipIf(!hasChromium())('the example page with a live map', () => {
  let sandbox: SandboxProcess
  let home: Home
  let service: ServiceProcess
  let pageServer: ExampleProcess
  let browser: Browser
  let ports: { service: string; page: string }

  const startService = () =>
    ServiceProcess.start(home, ['--port', ports.service, '--demo', 'on', '--fleet-size', '10'], {
      LOCATION_POLL_SECONDS: '1',
      SANDBOX_URL: sandbox.url,
      CORS_ORIGINS: `http://127.0.0.1:${ports.page}`,
    })

  beforeAll(async () => {
    sandbox = await SandboxProcess.start(['--fleet-size', '10'])
    await sandbox.control('clock', { offsetMs: -((Date.now() - NOON_MS) % DAY_MS) })
    home = await makeHome('sqlite')
    ports = { service: String(await freePort()), page: String(await freePort()) }
    service = await startService()
    pageServer = await ExampleProcess.start('live-page.js', {
      PORT: ports.page,
      ODOGRAPH_URL: service.ready.url,
      SECRET_KEY: service.ready.secretKey,
      CONNECTION_TOKEN: service.ready.connectionToken,
    })
    browser = await launch()
  })

  afterAll(async () => {
    await browser.close()
    await pageServer[Symbol.asyncDispose]()
    await service.end('SIGKILL')
    await sandbox[Symbol.asyncDispose]()
    await home.remove()
  })

  test('shows positions as they change, also after the service was killed and started again', async () => {
    const url = `http://127.0.0.1:${pageServer.port}/`
    const { page, requested, problems } = await openPage(browser, url)
    await waitUntilLive(page)
    await waitForMovement(page)
    await expect.poll(() => page.locator('#map circle').count()).toBe(10)
    await expect.poll(() => page.locator('#vehicles tr').count()).toBe(10)
    await requestSync()
    await page.locator('#events li', { hasText: 'sync.completed' }).first().waitFor()
    expect(problems).toEqual([])

    await service.end('SIGKILL')
    await page.locator('#status[data-live=no]').waitFor()
    await page.context().setOffline(true)
    const before = await eventIds(page)
    service = await startService()
    const syncs = await completedSyncs()
    await requestSync()
    await expect.poll(completedSyncs).toBe(syncs + 1)
    expect(await eventIds(page)).toEqual(before)
    await page.context().setOffline(false)
    await waitUntilLive(page)
    await waitForMovement(page)
    await expect.poll(async () => (await eventIds(page)).length).toBeGreaterThan(before.length)

    await expectLogShown(page)
    expect(new Set(foreignUrls(requested, url))).toEqual(new Set([service.ready.wsUrl]))
    expect(await page.content()).not.toContain(service.ready.secretKey)
    await page.close()
  })

  test('fits a narrow screen, and doubles its pauses while there is no service', async () => {
    await using alone = await ExampleProcess.start('live-page.js', {
      ODOGRAPH_URL: `http://127.0.0.1:${await freePort()}`,
      SECRET_KEY: 'sk_x',
      CONNECTION_TOKEN: 'con_tkn_x',
    })
    const url = `http://127.0.0.1:${alone.port}/`
    const context = await browser.newContext({ ...devices['iPhone 13'] })
    const page = await context.newPage()
    let attempts = 0
    page.on('response', (response) => void (attempts += Number(response.url().endsWith('/session'))))
    await page.clock.install()
    await page.goto(url)
    expect(await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth])).toEqual([390, 390])

    const SECONDS = 60
    for (let second = 0; second < SECONDS; second++) {
      await page.clock.runFor(1000)
      // A request that the pause released is answered before this one.
      await page.evaluate(() => fetch('/favicon.ico').then(({ status }) => status))
    }
    expect(attempts).toBeGreaterThan(3)
    expect(attempts).toBeLessThan(SECONDS / 4)
    await context.close()
  })

  /** Requests a sync, and retries while another sync runs. */
  async function requestSync(): Promise<void> {
    const isAccepted = () =>
      service.graphql(REQUEST_SYNC).then(
        () => true,
        () => false,
      )
    await expect.poll(isAccepted).toBe(true)
  }

  const log = async () =>
    (await service.graphql<{ events: { nodes: { id: string; type: string }[] } }>(EVENTS)).events.nodes

  const completedSyncs = async () => (await log()).filter(({ type }) => type === 'sync.completed').length

  /** Checks that the page shows each event of the log once, in order, from the first event on the page. */
  async function expectLogShown(page: Page): Promise<void> {
    const showsLog = async () => {
      const shown = await eventIds(page)
      const ids = (await log()).map(({ id }) => id)
      return JSON.stringify(ids.slice(ids.indexOf(shown[0] ?? ''))) === JSON.stringify(shown)
    }
    await expect.poll(showsLog).toBe(true)
  }
})

const waitUntilLive = (page: Page) => page.locator('#status[data-live=yes]').waitFor()

const eventIds = (page: Page) =>
  page.locator('#events li').evaluateAll((lines) => lines.map((line) => line.getAttribute('data-id')))

/** Waits until the positions change. */
async function waitForMovement(page: Page): Promise<void> {
  await page.locator('#vehicles tr').first().waitFor()
  const positions = () => page.locator('#map').innerHTML()
  const before = await positions()
  await expect.poll(positions).not.toBe(before)
}
