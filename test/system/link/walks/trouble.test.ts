import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hasChromium, launch } from '../../../support/runner/chromium.ts'
import { startHost } from '../../../support/link/host-page.ts'
import { DemoServiceHost } from '../../../support/link/demo-service.ts'
import { type PersonName, Walk } from '../../../support/link/walkthrough.ts'
import { agree, atSandbox, byKey, byPassword, typeIn } from '../../../support/link/sign-in-ways.ts'

const AT_A_DESK = 'on a desktop by keyboard alone'
const ON_A_PHONE = 'on a phone'
const PLAIN = 'without JavaScript'

/** Number of failed account requests before the service gives up. */
const ATTEMPTS = 5

describe.skipIf(!hasChromium())('a fleet with problems', () => {
  let house: DemoServiceHost
  let browser: Browser

  beforeAll(async () => {
    ;[house, browser] = await Promise.all([DemoServiceHost.withControls(), launch()])
  })

  afterAll(async () => {
    await browser.close()
    await house[Symbol.asyncDispose]()
  })

  async function begin(person: PersonName, name: string, more: Readonly<Record<string, string>> = {}) {
    const walk = await Walk.begin(browser, house.url, person, name)
    await walk.page.goto(house.link({ provider: 'sandbox', ...more }))
    return walk
  }

  async function links(walk: Walk): Promise<void> {
    await walk.showsHeading('Your fleet is linked')
    expect(walk.faults()).toEqual([])
  }

  test.each([AT_A_DESK, PLAIN] as const)('enters a wrong password first, %s', async (person) => {
    await using walk = await begin(person, 'wrong password')
    await walk.press('With user name and password')
    await typeIn(walk, 'sandbox-2-21', 'wrong of the tests')
    await agree(walk, 'Demo')
    await walk.showsProblem('That sign-in did not work')
    expect(await walk.page.getByLabel('User name').inputValue()).toBe('sandbox-2-21')
    expect(await walk.page.getByLabel('Password', { exact: true }).inputValue()).toBe('')
    await typeIn(walk, 'sandbox-2-21', 'of the tests')
    await links(walk)
  })

  test('lacks a permission, and signs in as another user', async () => {
    await using walk = await begin(ON_A_PHONE, 'missing permission')
    await byPassword.signIn(walk, 'noscope-of-the-tests')
    await agree(walk, 'Demo')
    await walk.showsProblem('This account may not see enough')
    await typeIn(walk, 'sandbox-2-22', 'of the tests')
    await links(walk)
  })

  test.each([ON_A_PHONE, PLAIN] as const)(
    'finds its provider down, and retries when it is up again, %s',
    async (person) => {
      const key = `sandbox-2-23${person.length}`
      const down = { key, path: '/account', status: 503, retryAfter: '0', count: ATTEMPTS }
      await house.sandbox.control('faults', down)
      await using walk = await begin(person, 'provider down')
      await byKey.signIn(walk, key)
      await agree(walk, 'Demo')
      await walk.showsProblem('We cannot reach your provider')
      await walk.press('Try again')
      await links(walk)
    },
  )

  test("finds its provider down when it returns from the provider's page", async () => {
    const key = 'sandbox-2-24'
    await house.sandbox.control('faults', { key, path: '/oauth/token', status: 503 })
    await using walk = await begin(AT_A_DESK, 'provider down at OAuth')
    await walk.press('On the page of Sandbox')
    await walk.press('Continue to Sandbox')
    await atSandbox(walk, key, 'Allow')
    await walk.showsProblem('We cannot reach your provider')
    await walk.press('Continue to Sandbox')
    await atSandbox(walk, key, 'Allow')
    await agree(walk, 'Demo')
    await links(walk)
  })

  test('waits for a provider that never responds, until the page reports it or it cancels', async () => {
    await using phone = await begin(ON_A_PHONE, 'never answers')
    await using plain = await begin(PLAIN, 'never answers')
    await using leaving = await begin(AT_A_DESK, 'cancelled at the check')
    for (const [number, walk] of [phone, plain, leaving].entries()) {
      await byKey.signIn(walk, `sandbox-2-3${number}`)
      await walk.showsHeading('Share this data with Demo?')
      await walk.tick()
    }
    house.sandbox.freeze()
    onTestFinished(() => void house.sandbox.thaw())
    for (const walk of [phone, plain, leaving]) {
      await walk.press('Agree and link')
      await walk.showsHeading('Checking your account')
    }
    await leaving.press('Cancel')
    await leaving.showsHeading('You have cancelled')
    expect(leaving.faults()).toEqual([])
    await plain.page.getByText('Sandbox is taking longer than usual to answer').waitFor()
    await Promise.all([phone, plain].map((walk) => walk.showsProblem('Your provider took too long')))
    house.sandbox.thaw()
    for (const walk of [phone, plain]) {
      await walk.press('Try again')
      await links(walk)
    }
  })

  test('cancels at each step, and returns without a token', async () => {
    const steps: Readonly<Record<string, (walk: Walk) => Promise<void>>> = {
      'Sign in to Sandbox': async () => {},
      'Share this data with Demo?': (walk) => byKey.signIn(walk, 'sandbox-2-25'),
    }
    for (const [heading, go] of Object.entries(steps)) {
      await using walk = await begin(ON_A_PHONE, `cancelled at ${heading}`)
      await go(walk)
      await walk.showsHeading(heading)
      await walk.press('Cancel')
      await walk.showsHeading('You have cancelled')
      expect(walk.faults()).toEqual([])
    }
  })

  test('cancels after it denied access on the provider’s page, and the integrator gets the reason', async () => {
    await using host = await startHost('about:blank')
    await using walk = await begin(PLAIN, 'cancelled', { redirect_url: `${host.url}/back`, state: 's' })
    walk.allowOrigin(host.url)
    await walk.press('On the page of Sandbox')
    await walk.press('Continue to Sandbox')
    await atSandbox(walk, 'sandbox-2-26', 'Deny')
    await walk.showsProblem('The sign-in was not finished')
    await walk.press('Cancel')
    await walk.page.waitForURL(`${host.url}/back?state=s&result=cancelled`)
    expect(walk.faults()).toEqual([])
  })

  test('cancels before it selects a provider', async () => {
    await using walk = await Walk.begin(browser, house.url, ON_A_PHONE, 'cancelled at the choice')
    await walk.page.goto(house.link())
    await walk.showsHeading('Choose your provider')
    await walk.press('Cancel')
    await walk.showsHeading('You have cancelled')
    expect(walk.faults()).toEqual([])
  })

  test('uses an expired run, or the link of a run that has ended', async () => {
    await using walk = await begin(ON_A_PHONE, 'expired')
    await walk.showsHeading('Sign in to Sandbox')
    await house.endRuns()
    await walk.fill('API key', 'sandbox-2-27')
    await walk.press('Continue')
    await walk.showsHeading('This link has expired')
    expect(await walk.page.getByText('Go back to Demo and start again').count()).toBe(1)
    await walk.page.goto(`${house.url}/link/s/ended000`)
    await walk.showsHeading('This link has expired')
    expect(walk.faults().filter((fault) => !fault.includes('a status of 410'))).toEqual([])
  })
})
