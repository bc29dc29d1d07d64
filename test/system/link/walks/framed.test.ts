import type { Browser, Frame } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launch } from '../../../support/runner/chromium.ts'
import { type Host, startHost, messagesOf } from '../../../support/link/host-page.ts'
import { soon } from '../../../support/link/page-inspection.ts'
import { DemoServiceHost } from '../../../support/link/demo-service.ts'
import { type PersonName, Walk } from '../../../support/link/walkthrough.ts'
import { agree, atSandbox, byKey } from '../../../support/link/sign-in-ways.ts'

/** A host of another site than the service. */
const ELSEWHERE = 'dispatch.localhost'

interface ReceivedMessage {
  readonly origin: string
  readonly data: { readonly type: string; readonly payload: { readonly publicToken: string } }
}

describe.skipIf(!hasChromium())('a fleet on a page of its integrator', () => {
  let house: DemoServiceHost
  let browser: Browser

  beforeAll(async () => {
    ;[house, browser] = await Promise.all([DemoServiceHost.withControls(), launch()])
  })

  afterAll(async () => {
    await browser.close()
    await house[Symbol.asyncDispose]()
  })

  const framing = (address: string) => startHost(address, ELSEWHERE)

  /** Opens the page of the integrator, and continues in its frame. */
  async function begin(host: Host, person: PersonName, name: string): Promise<Walk> {
    const walk = await Walk.begin(browser, house.url, person, `framed ${name}`)
    walk.allowOrigin(host.url)
    await walk.page.goto(host.url)
    walk.enter(frameIn(walk))
    return walk
  }

  function frameIn({ page }: Walk): Frame {
    const frame = page.frames()[1]
    if (!frame) throw new Error('the page frames nothing')
    return frame
  }

  /** Expects the integrator's page to receive a public token that gives a connection. */
  async function expectPublicToken(walk: Walk): Promise<void> {
    await soon(() => messagesOf(walk.page)).toEqual([
      { data: { type: 'SUCCESS', payload: { publicToken: expect.any(String) } }, origin: house.url },
    ])
    const [message] = (await messagesOf(walk.page)) as ReceivedMessage[]
    const connection = await house.odograph.exchangePublicToken(message?.data.payload.publicToken ?? '')
    expect(connection.status).toBe('connected')
    expect(walk.faults()).toEqual([])
  }

  test.each(['on a desktop by keyboard alone', 'on a phone'] as const)(
    'links its account with a key, %s',
    async (person) => {
      await using host = await framing(house.link())
      await using walk = await begin(host, person, 'key')
      await walk.showsHeading('Choose your provider')
      await walk.press('Sandbox Simulated data')
      await byKey.signIn(walk, 'sandbox-2-61')
      await agree(walk, 'Demo')
      await walk.showsHeading('Your fleet is linked')
      await expectPublicToken(walk)
    },
  )

  test('links its account at the address of the official browser SDK', async () => {
    const { searchParams } = new URL(house.link({ provider: 'sandbox' }))
    await using host = await framing(`${house.url}/?${searchParams}`)
    await using walk = await begin(host, 'on a phone', 'at the root')
    await byKey.signIn(walk, 'sandbox-2-64')
    await agree(walk, 'Demo')
    await walk.showsHeading('Your fleet is linked')
    await expectPublicToken(walk)
  })

  test('signs in again in a window at the address of the official browser SDK', async () => {
    const { linkUrl } = await house.connect('sandbox-2-65')
    await using host = await framing(String(linkUrl).replace('/link/connection/', '/connection/'))
    await using walk = await Walk.begin(browser, house.url, 'on a phone', 'in a window at the root')
    walk.allowOrigin(host.url)
    await walk.page.goto(`${host.url}/popup`)
    const opened = walk.page.context().waitForEvent('page')
    await walk.page.getByRole('button', { name: 'Link' }).click()
    await using tab = walk.inTab(await opened)
    await byKey.signIn(tab, 'sandbox-2-65')
    await agree(tab, 'Demo')
    await tab.showsHeading('Your fleet is linked again')
    await expectPublicToken(walk)
  })

  test('signs in at its provider in a separate tab, and continues in the frame', async () => {
    await using host = await framing(house.link({ provider: 'sandbox' }))
    await using walk = await begin(host, 'on a phone', 'OAuth')
    await walk.press('On the page of Sandbox')
    const opened = walk.page.context().waitForEvent('page')
    await walk.press('Continue to Sandbox')
    await using tab = walk.inTab(await opened)
    await atSandbox(tab, 'sandbox-2-62', 'Allow')
    await tab.showsHeading('Go back to the page you came from')
    await agree(walk, 'Demo')
    await walk.showsHeading('Your fleet is linked')
    await expectPublicToken(walk)
  })

  test('gets an error in the frame after the run has expired', async () => {
    await using host = await framing(house.link({ provider: 'sandbox' }))
    await using walk = await begin(host, 'on a phone', 'expired')
    await walk.showsHeading('Sign in to Sandbox')
    await house.endRuns()
    await walk.fill('API key', 'sandbox-2-63')
    await walk.press('Continue')
    await walk.showsHeading('This link has expired')
    await walk.press('Close')
    await soon(() => messagesOf(walk.page)).toEqual([{ data: { type: 'EXIT' }, origin: house.url }])
    expect(walk.faults().filter((fault) => !fault.includes('a status of 410'))).toEqual([])
  })

  test('links if the integrator is in production and has listed the page as an origin', async () => {
    await using listed = await startHost('', ELSEWHERE)
    const key = await house.production([listed.url])
    await using other = await framing(house.link({ key }))
    await using refused = await begin(other, 'on a phone', 'of a foreign origin')
    await soon(() => refused.complaints.join(' ')).toContain('frame-ancestors')
    expect(await frameIn(refused).getByRole('heading').count()).toBe(0)
    expect(await messagesOf(refused.page)).toEqual([])

    listed.frame(house.link({ key }))
    await using walk = await begin(listed, 'on a phone', 'of a named origin')
    await walk.showsHeading('Choose your provider')
    await walk.press('Cancel')
    await walk.showsHeading('You have cancelled')
    await soon(() => messagesOf(walk.page)).toEqual([{ data: { type: 'EXIT' }, origin: house.url }])
    expect(walk.faults()).toEqual([])
  })
})
