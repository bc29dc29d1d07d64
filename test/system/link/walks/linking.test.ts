import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launch } from '../../../support/runner/chromium.ts'
import { type Host, startHost } from '../../../support/link/host-page.ts'
import { DemoServiceHost } from '../../../support/link/demo-service.ts'
import { people, type PersonName, Walk } from '../../../support/link/walkthrough.ts'
import { agree, atSandbox, ways } from '../../../support/link/sign-in-ways.ts'

const walks = (Object.keys(people) as PersonName[]).flatMap((person) =>
  ways.map((way, number) => ({ person, way, account: `sandbox-2-${person.length}${number}` })),
)

describe.skipIf(!hasChromium())('a fleet links its account at the sandbox provider', () => {
  let house: DemoServiceHost
  let browser: Browser
  let host: Host

  beforeAll(async () => {
    ;[house, browser, host] = await Promise.all([
      DemoServiceHost.withDefaults(),
      launch(),
      startHost('about:blank'),
    ])
  })

  afterAll(async () => {
    await browser.close()
    await house[Symbol.asyncDispose]()
    await host[Symbol.asyncDispose]()
  })

  test.each(walks)('$way.name, $person', async ({ way, person, account }) => {
    await using walk = await Walk.begin(browser, house.url, person, `link ${way.name}`)
    await walk.page.goto(house.link({ external_id: account }))
    await walk.showsHeading('Choose your provider')
    await walk.press('Sandbox Simulated data')
    await walk.showsHeading('Sign in to Sandbox')
    await way.signIn(walk, account)
    await agree(walk, 'Demo')
    await walk.showsHeading('Your fleet is linked')
    expect(walk.faults()).toEqual([])
    const publicToken = await walk.page.locator('body').getAttribute('data-token')
    expect(await house.odograph.exchangePublicToken(publicToken ?? '')).toMatchObject({
      status: 'connected',
      externalId: account,
    })
  })

  test.each(Object.keys(people) as PersonName[])(
    'after it first denied access, and returns to the integrator, %s',
    async (person) => {
      await using walk = await Walk.begin(browser, house.url, person, 'deny and allow')
      walk.allowOrigin(host.url)
      const back = { redirect_url: `${host.url}/back?a=1`, state: 'x y' }
      await walk.page.goto(house.link({ provider: 'sandbox', ...back }))
      await walk.press('On the page of Sandbox')
      await walk.press('Continue to Sandbox')
      await atSandbox(walk, 'sandbox-2-90', 'Deny')
      await walk.showsProblem('The sign-in was not finished')
      await walk.press('Continue to Sandbox')
      await atSandbox(walk, 'sandbox-2-90', 'Allow')
      await agree(walk, 'Demo')
      await walk.page.waitForURL(`${host.url}/back?**`)
      const { token = '', ...others } = Object.fromEntries(new URL(walk.page.url()).searchParams)
      expect(others).toEqual({ a: '1', state: 'x y', result: 'success' })
      expect(await house.odograph.exchangePublicToken(token)).toMatchObject({ status: 'connected' })
      expect(walk.faults()).toEqual([])
    },
  )
})
