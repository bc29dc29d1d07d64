import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launch } from '../../../support/runner/chromium.ts'
import { type Integrator, LinkHarness } from '../../../support/link/link-harness.ts'
import { openInspectedPage, soon } from '../../../support/link/page-inspection.ts'

/** Time until the page reports a slow check, and until it gives up. */
const SLOW_MS = 12_000
const LOST_MS = 30_000

describe.skipIf(!hasChromium())('the page of a check that does not end', () => {
  let harness: LinkHarness
  let browser: Browser
  let integrator: Integrator
  let origin: string

  beforeAll(async () => {
    harness = await LinkHarness.start()
    origin = await harness.app.listen({ port: 0, host: '127.0.0.1' })
    integrator = await harness.integrator({ name: 'Ridgeline Dispatch' })
    browser = await launch()
  })

  afterAll(async () => {
    await browser.close()
    await harness[Symbol.asyncDispose]()
  })

  async function toTheCheck(as: BrowserContextOptions, user: string) {
    const seen = await openInspectedPage(browser, origin, as)
    const loads: string[] = []
    seen.page.on('request', (request) => void loads.push(request.resourceType()))
    await seen.page.clock.install()
    await seen.page.goto(`${origin}/link/?key=${integrator.key}&provider=harbor`)
    await seen.page.getByLabel('User name').fill(user)
    await seen.page.getByLabel('Password', { exact: true }).fill('right')
    await seen.page.getByRole('button', { name: 'Continue', exact: true }).click()
    await seen.page.getByRole('checkbox').check()
    await seen.page.getByRole('button', { name: 'Agree and link' }).click()
    await seen.page.getByRole('heading', { name: 'Checking your account' }).waitFor()
    loads.length = 0
    const documents = () => loads.filter((type) => type === 'document').length
    return { seen, documents, [Symbol.asyncDispose]: () => seen[Symbol.asyncDispose]() }
  }

  const slow = (page: Page) =>
    page.getByRole('status').getByText('Harbor Telematics is taking longer than usual to answer').waitFor()

  const tellsOfTheLoss = (page: Page) =>
    page.getByRole('alert').getByText('Something went wrong on our side').waitFor()

  test('reloads without JavaScript, reports a slow check, and ends', async () => {
    const release = harness.harbor.hold()
    await using check = await toTheCheck({ javaScriptEnabled: false }, 'ada')
    const { page } = check.seen
    await soon(check.documents).toBeGreaterThan(1)
    expect(await page.getByRole('status').textContent()).toContain('This page goes on by itself')
    harness.moveClock(SLOW_MS)
    await slow(page)
    harness.moveClock(LOST_MS - SLOW_MS)
    await tellsOfTheLoss(page)
    release()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Your fleet is linked' }).waitFor()
  })

  test('reports a slow check with JavaScript, and ends, without a reload', async () => {
    const release = harness.harbor.hold()
    await using check = await toTheCheck({}, 'eve')
    const { page } = check.seen
    await page.clock.fastForward(SLOW_MS)
    await slow(page)
    expect(check.documents()).toBe(0)
    harness.moveClock(LOST_MS)
    await tellsOfTheLoss(page)
    release()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Your fleet is linked' }).waitFor()
    expect(check.seen.complaints).toEqual([])
  })
})
