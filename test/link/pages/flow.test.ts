import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launch } from '../../browser/chromium.ts'
import { type Integrator, LinkRig } from '../rig.ts'
import { startHost, toldTo } from './host.ts'
import { look, soon } from './looking.ts'

const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true }
const desktop = { viewport: { width: 1280, height: 860 } }

const TIMEOUT = { timeout: 180_000 }

/** A page or what a page frames. */
type Shown = Pick<Page, 'getByRole' | 'getByLabel'>

describe.skipIf(!hasChromium())('a fleet in its browser', () => {
  let rig: LinkRig
  let browser: Browser
  let integrator: Integrator
  let origin: string

  beforeAll(async () => {
    rig = await LinkRig.start()
    origin = await rig.app.listen({ port: 0, host: '127.0.0.1' })
    integrator = await rig.integrator({ name: 'Ridgeline Dispatch' })
    browser = await launch()
  })

  afterAll(async () => {
    await browser.close()
    await rig[Symbol.asyncDispose]()
  })

  const linkUrl = (more: Readonly<Record<string, string>> = {}) =>
    `${origin}/link/?${new URLSearchParams({ key: integrator.key, ...more })}`

  async function agree(shown: Shown): Promise<void> {
    await shown.getByRole('heading', { name: 'Share this data with Ridgeline Dispatch?' }).waitFor()
    await shown.getByRole('checkbox').check()
    await shown.getByRole('button', { name: 'Agree and link' }).click()
  }

  async function signInWithKey(shown: Shown, key: string): Promise<void> {
    await shown.getByRole('button', { name: 'Sandbox' }).click()
    await shown.getByLabel('API key', { exact: true }).fill(key)
    await shown.getByRole('button', { name: 'Continue' }).click()
  }

  const linked = (shown: Shown) => shown.getByRole('heading', { name: 'Your fleet is linked' }).waitFor()

  test.each([
    ['on a phone', { ...phone, javaScriptEnabled: true }, 'sandbox-2-51'],
    ['on a desktop without JavaScript', { ...desktop, javaScriptEnabled: false }, 'sandbox-2-52'],
  ] satisfies [string, BrowserContextOptions, string][])(
    'links an account with a key %s',
    TIMEOUT,
    async (_, as, key) => {
      await using seen = await look(browser, origin, as)
      const before = await rig.connectionsOf(integrator)
      await seen.page.goto(linkUrl())
      await signInWithKey(seen.page, key)
      await agree(seen.page)
      await linked(seen.page)
      expect(await rig.connectionsOf(integrator)).toHaveLength(before.length + 1)
      expect(seen.elsewhere()).toEqual([])
      expect(seen.complaints).toEqual([])
    },
  )

  test('is told of a wrong password and of a provider that is down, and tries again', TIMEOUT, async () => {
    await using seen = await look(browser, origin, desktop)
    const { page } = seen
    await page.goto(linkUrl({ provider: 'harbor' }))
    await page.getByLabel('User name').fill('ada')
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await agree(page)
    await page.getByRole('alert').getByText('did not accept what you entered').waitFor()
    expect(await page.getByLabel('User name').inputValue()).toBe('ada')
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('')

    rig.harbor.faults.push(...Array<number>(20).fill(503))
    await page.getByLabel('Password', { exact: true }).fill('right')
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByRole('alert').getByText('We cannot reach your provider').waitFor()
    rig.harbor.faults.length = 0
    await page.getByRole('button', { name: 'Try again' }).click()
    await linked(page)
    expect(seen.elsewhere()).toEqual([])
    expect(seen.complaints).toEqual([])
  })

  test(
    'signs in at its provider, and comes back to the integrator with what it waits for',
    TIMEOUT,
    async () => {
      await using host = await startHost(origin)
      await using seen = await look(browser, origin, phone)
      const { page } = seen
      await atHarbor(page, 'eve')
      await page.goto(linkUrl({ provider: 'harbor', redirect_url: `${host.url}/back?a=1`, state: 'x y' }))
      await page.getByRole('button', { name: 'On the page of Harbor Telematics' }).click()
      await page.getByRole('button', { name: 'Continue to Harbor Telematics' }).click()
      await page.getByRole('link', { name: 'Allow' }).click()
      await agree(page)
      await page.waitForURL(`${host.url}/back?**`)
      const { token = '', ...others } = Object.fromEntries(new URL(page.url()).searchParams)
      expect(others).toEqual({ a: '1', state: 'x y', result: 'success' })
      expect(await rig.exchange(integrator, token)).toMatchObject({ provider: 'harbor', status: 'connected' })
    },
  )

  test('cancels, and comes back without a token', TIMEOUT, async () => {
    await using host = await startHost(origin)
    await using seen = await look(browser, origin, phone)
    await seen.page.goto(linkUrl({ redirect_url: `${host.url}/back` }))
    await seen.page.getByRole('button', { name: 'Cancel' }).click()
    await seen.page.waitForURL(`${host.url}/back?result=cancelled`)
  })

  test('links in a frame of the integrator’s page, which is told the public token', TIMEOUT, async () => {
    await using host = await startHost(linkUrl({ external_id: 'of-the-frame' }).replaceAll('&', '&amp;'))
    await using seen = await look(browser, origin, desktop)
    await seen.page.goto(host.url)
    const frame = seen.page.frameLocator('iframe')
    await signInWithKey(frame, 'sandbox-2-53')
    await agree(frame)
    await linked(frame)
    await soon(() => toldTo(seen.page)).toEqual([
      { data: { type: 'SUCCESS', payload: { publicToken: expect.stringMatching(/^pub_tkn_/) } }, origin },
    ])
    const [{ data } = { data: {} }] = await toldTo(seen.page)
    const { payload } = data as { payload: { publicToken: string } }
    expect(await rig.exchange(integrator, payload.publicToken)).toMatchObject({ externalId: 'of-the-frame' })
    expect(seen.complaints).toEqual([])
  })

  test('is not shown in a frame of an origin that the application has not named', TIMEOUT, async () => {
    const { key } = await rig.integrator({ environment: 'prod' })
    await using host = await startHost(`${origin}/link/?key=${key}`)
    await using seen = await look(browser, origin, desktop)
    await seen.page.goto(host.url)
    await soon(() => seen.complaints.join(' ')).toContain('frame-ancestors')
    expect(await seen.page.frameLocator('iframe').getByRole('heading').count()).toBe(0)
    expect(await toldTo(seen.page)).toEqual([])
  })

  /** The page on which the provider asks its user; it stands at another server, where the browser meets it. */
  const atHarbor = (page: Page, user: string) =>
    page.context().route('https://harbor.example.com/**', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<a href="${rig.harbor.signIn(new URL(route.request().url()), user).replaceAll('&', '&amp;')}">Allow</a>`,
      }),
    )
})
