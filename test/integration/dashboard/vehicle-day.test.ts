import { readFileSync } from 'node:fs'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { lastTripOf, visitDashboard } from '../../support/dashboard-visit.ts'
import { violationsIn } from '../../support/link/page-inspection.ts'
import { foreignUrls, hasChromium, launch } from '../../support/runner/chromium.ts'

describe.skipIf(!hasChromium())('the day of a vehicle', () => {
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

  /** Address of the day and the vehicle of a trip, once the first sync has read everything. */
  async function tripAddress(): Promise<string> {
    await expect.poll(() => lastTripOf(service)).not.toBeNull()
    const { vehicle, startedAt } = (await lastTripOf(service))!
    return `/vehicles/${vehicle.id}?day=${startedAt.slice(0, 10)}`
  }

  const opened = (path: string, options?: BrowserContextOptions) =>
    visitDashboard(browser, service, path, { timezoneId: 'UTC', ...options })

  const onMap = (page: Page, name: string) => page.locator('.fleet-map').getAttribute(`data-${name}`)
  const clock = (page: Page) => page.locator('.clock').textContent()
  const toEntries = (page: Page) => page.locator('.entries [data-kind="trip"] button')

  test('lists its trips and stops, and replays them by elapsed time on the map', async () => {
    const { page, requested, problems } = await opened(await tripAddress())
    await toEntries(page).first().click()
    await expect.poll(async () => Number(await onMap(page, 'points'))).toBeGreaterThan(50)
    const startsAt = (await clock(page)) ?? ''
    expect(await toEntries(page).first().textContent()).toContain(startsAt.slice(0, 5))

    const before = await onMap(page, 'moment')
    await page.getByLabel('Speed of the replay').selectOption({ label: '×300' })
    await page.getByRole('button', { name: 'Play' }).click()
    await expect.poll(() => onMap(page, 'moment')).not.toBe(before)
    await page.getByRole('button', { name: 'Pause' }).click()
    const pausedAt = await clock(page)
    expect(pausedAt! > startsAt).toBe(true)
    await expect.poll(() => page.url()).toContain(`at=${encodeURIComponent(pausedAt!)}`)

    await page.reload()
    await expect.poll(() => clock(page)).toBe(pausedAt)
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'GPX' }).click()
    const gpx = readFileSync(await (await saved).path(), 'utf8')
    const exported = gpx.match(/<trkpt /g)?.length
    await expect.poll(async () => Number(await onMap(page, 'points'))).toBe(exported)
    expect(foreignUrls(requested, service.ready.url)).toEqual([])
    expect(problems).toEqual([])
    await page.close()
  })

  test('moves list, map and clock together with a click on the chart, and by keyboard', async () => {
    const { page } = await opened(await tripAddress())
    const chart = page.locator('.chart .u-over')
    await chart.waitFor()
    const box = (await chart.boundingBox())!
    await page.mouse.move(box.x + box.width / 2, box.y + 20)
    await page.mouse.click(box.x + box.width / 2, box.y + 20)
    await expect.poll(() => clock(page)).toMatch(/^(11:5|12:0)\d:\d\d$/)
    await page.getByLabel('Time of day').focus()
    const before = await clock(page)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => clock(page)).not.toBe(before)
    await page.close()
  })

  test('says what to do for a day without data, and for an unknown vehicle', async () => {
    const { page } = await opened((await tripAddress()).replace(/day=.*/, 'day=2020-01-01'))
    await page.getByText('There is nothing on this day').waitFor()
    await page.getByRole('button', { name: 'Next day' }).click()
    await expect.poll(() => page.url()).toContain('day=2020-01-02')
    await page.goto(`${service.ready.url}/dashboard/vehicles/vcl_01M8QM8Z8110N3C886DD2THZ5E`)
    await page.getByText('There is no such vehicle').waitFor()
    await page.goto(`${service.ready.url}/dashboard/no/such/page`)
    await page.getByText('There is no such page').waitFor()
    await page.close()
  })

  test.each(['light', 'dark'] as const)(
    'has no accessibility violation in the %s theme',
    async (colorScheme) => {
      for (const viewport of [
        { width: 1440, height: 900 },
        { width: 390, height: 844 },
      ]) {
        const { page } = await opened(await tripAddress(), { colorScheme, viewport })
        await expect.poll(async () => Number(await onMap(page, 'points'))).toBeGreaterThan(50)
        expect(await violationsIn(page)).toEqual([])
        await page.close()
      }
    },
  )
})
