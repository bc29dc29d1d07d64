import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launch } from '../../../support/runner/chromium.ts'
import { startHost } from '../../../support/link/host-page.ts'
import { DemoServiceHost } from '../../../support/link/demo-service.ts'
import { people, type PersonName, Walk } from '../../../support/link/walkthrough.ts'

describe.skipIf(!hasChromium())('a fleet whose provider is not supported yet', () => {
  let house: DemoServiceHost
  let browser: Browser

  beforeAll(async () => {
    ;[house, browser] = await Promise.all([DemoServiceHost.withDefaults(), launch()])
  })

  afterAll(async () => {
    await browser.close()
    await house[Symbol.asyncDispose]()
  })

  test.each(Object.keys(people) as PersonName[])(
    'reports its provider to the integrator, %s',
    async (person) => {
      await using walk = await Walk.begin(browser, house.url, person, 'unsupported provider')
      const externalId = `unsupported ${person}`
      await walk.page.goto(house.link({ external_id: externalId }))
      await walk.showsHeading('Choose your provider')
      await walk.fill('Find your provider', 'verizon')
      await walk.press('Verizon Connect Not available yet')
      await walk.showsHeading('Verizon Connect cannot be linked yet')
      await walk.fill('Your email address', 'dispatch@acme')
      await walk.press('Tell Demo')
      await walk.showsProblem('Please check what you entered')
      await walk.fill('Your email address', 'dispatch@acme.example')
      await walk.press('Tell Demo')
      await walk.showsHeading('Thank you, it is passed on')
      expect(walk.faults()).toEqual([])
      expect(await eventOf(externalId)).toEqual({
        provider: 'Verizon Connect',
        contactEmail: 'dispatch@acme.example',
        externalId,
      })
    },
  )

  test('names a provider that is not listed, and returns to the integrator', async () => {
    await using host = await startHost('about:blank')
    await using walk = await Walk.begin(browser, house.url, 'on a phone', 'unlisted provider')
    walk.allowOrigin(host.url)
    const externalId = 'unlisted of the walk'
    const back = { redirect_url: `${host.url}/back`, state: 's' }
    await walk.page.goto(house.link({ external_id: externalId, ...back }))
    await walk.press('My provider is not listed')
    await walk.showsHeading('Which provider do you use?')
    await walk.fill('Name of your provider', 'Ruta Móvil')
    await walk.fill('Your email address', 'dispatch@acme.example')
    await walk.fill('USDOT number of your company (optional)', '1234567')
    await walk.press('Tell Demo')
    await walk.page.waitForURL(`${host.url}/back?state=s&result=provider_requested`)
    expect(walk.faults()).toEqual([])
    expect(await eventOf(externalId)).toMatchObject({ provider: 'Ruta Móvil', dotNumber: '1234567' })
  })

  /** Returns the event of a run, once it has a log position. */
  async function eventOf(externalId: string): Promise<unknown> {
    const { secretKey, url } = house.demo
    const path = `${url}/tsp/v1/events?types=unsupported_provider.requested&limit=1000`
    for (;;) {
      const response = await fetch(path, { headers: { authorization: `Bearer ${secretKey}` } })
      const { results } = (await response.json()) as { results: { detail: { externalId?: string } }[] }
      const found = results.find(({ detail }) => detail.externalId === externalId)
      if (found) return found.detail
    }
  }
})
