import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { lastTripOf, visitDashboard } from '../../support/dashboard-visit.ts'
import { violationsIn } from '../../support/link/page-inspection.ts'
import { foreignUrls, hasChromium, launch } from '../../support/runner/chromium.ts'

describe.skipIf(!hasChromium())('the page that shows who was at a place', () => {
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

  /** The end of a trip, once the first sync has read everything. */
  async function endOfTrip() {
    await expect.poll(() => lastTripOf(service)).not.toBeNull()
    const { endedAt, endLocation, vehicle } = (await lastTripOf(service))!
    const place = `${endLocation.latitude.toFixed(5)},${endLocation.longitude.toFixed(5)}`
    return { day: endedAt.slice(0, 10), time: endedAt.slice(11, 16), place, name: vehicle.name }
  }

  const opened = (path: string, options?: BrowserContextOptions) =>
    visitDashboard(browser, service, path, { timezoneId: 'UTC', ...options })

  const addressOf = ({ day, time, place }: Awaited<ReturnType<typeof endOfTrip>>) =>
    `/where?${new URLSearchParams({ place: JSON.stringify(place), day, time: JSON.stringify(time) })}`

  const found = (page: Page) => page.locator('.found a')

  test('finds a vehicle that ended its trip there, and leads to its day at that time', async () => {
    const { day, time, place, name } = await endOfTrip()
    const { page, requested, problems } = await opened('/where')
    await page.getByText('Choose a place and a time').waitFor()
    await page.getByLabel('Latitude, longitude').fill(place.replace(',', ', '))
    await page.getByLabel('Day').fill(day)
    await page.getByLabel('Time', { exact: true }).fill(time)
    await found(page).filter({ hasText: name }).waitFor()
    await expect
      .poll(async () => Number(await page.locator('.fleet-map').getAttribute('data-found')))
      .toBe(await found(page).count())

    // The address is a link to the same view.
    await page.reload()
    await found(page).filter({ hasText: name }).click()
    await page.getByRole('heading', { name, exact: true }).waitFor()
    expect(page.url()).toContain(`day=${day}`)
    expect(foreignUrls(requested, service.ready.url)).toEqual([])
    expect(problems).toEqual([])
  })

  test('a click on the map chooses the place', async () => {
    const { page } = await opened('/where')
    await page.locator('.fleet-map[data-found]').click({ position: { x: 300, y: 300 } })
    await expect.poll(() => page.getByLabel('Latitude, longitude').inputValue()).toMatch(/^-?\d+\.\d{5},/)
  })

  test('says why nothing was found, and what a wrong place lacks', async () => {
    const { day } = await endOfTrip()
    const { page } = await opened('/where')
    await page.getByLabel('Latitude, longitude').fill('Austin')
    await page.getByText('Enter two numbers').waitFor()
    await page.getByLabel('Latitude, longitude').fill('0, 0')
    await page.getByLabel('Day').fill(day)
    await page.getByLabel('Time', { exact: true }).fill('14:00')
    await page.getByText('No vehicle was there').waitFor()
  })

  test.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const)('has no barrier in the %s theme, %i pixels wide', async (colorScheme, width) => {
    const end = await endOfTrip()
    const { page } = await opened(addressOf(end), { colorScheme, viewport: { width, height: 900 } })
    await found(page).first().waitFor()
    expect(await violationsIn(page)).toEqual([])
  })
})
