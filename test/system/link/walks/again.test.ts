import { type Connection } from '@odograph/client'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launch } from '../../../support/runner/chromium.ts'
import { soon } from '../../../support/link/page-inspection.ts'
import { DemoServiceHost } from '../../../support/link/demo-service.ts'
import { type PersonName, Walk } from '../../../support/link/walkthrough.ts'
import { agree, byKey, byOAuth, byPassword, ways } from '../../../support/link/sign-in-ways.ts'

describe.skipIf(!hasChromium())('a fleet with a disconnected connection', () => {
  let house: DemoServiceHost
  let browser: Browser

  beforeAll(async () => {
    ;[house, browser] = await Promise.all([DemoServiceHost.withControls(), launch()])
  })

  afterAll(async () => {
    await browser.close()
    await house[Symbol.asyncDispose]()
  })

  /** Links an account, makes its provider refuse the credentials, and waits until the service notices. */
  async function shutOut(apiKey: string): Promise<Connection & { readonly linkUrl: string }> {
    const made = await house.connect(apiKey)
    await house.sandbox.control('sign-ins', { key: apiKey, revoked: true })
    await house.odograph.connection(made.token).syncs.request()
    await soon(async () => (await house.connection(made)).status).toBe('disconnected')
    await house.sandbox.control('sign-ins', { key: apiKey, revoked: false })
    return house.connection(made) as Promise<Connection & { readonly linkUrl: string }>
  }

  const people: readonly PersonName[] = ['on a phone', 'on a desktop by keyboard alone', 'without JavaScript']

  test.each(ways.map((way, number) => ({ way, person: people[number] as PersonName })))(
    'signs in to the same account again $way.name, $person',
    async ({ way, person }) => {
      const account = `sandbox-2-4${way.name.length}`
      const connection = await shutOut(account)
      await using walk = await Walk.begin(browser, house.url, person, `again ${way.name}`)
      await walk.page.goto(connection.linkUrl)
      await walk.showsHeading('Sign in to Sandbox again')
      await way.signIn(walk, account)
      await agree(walk, 'Demo')
      await walk.showsHeading('Your fleet is linked again')
      expect(walk.faults()).toEqual([])
      expect(await house.connection(connection)).toMatchObject({ id: connection.id, status: 'connected' })
    },
  )

  test.each([byKey, byPassword, byOAuth])(
    'gets an error after a sign-in to another account $name',
    async (way) => {
      const account = `sandbox-2-5${way.name.length}`
      const connection = await shutOut(account)
      await using walk = await Walk.begin(browser, house.url, 'on a phone', `another account ${way.name}`)
      await walk.page.goto(connection.linkUrl)
      await way.signIn(walk, 'sandbox-2-59')
      await agree(walk, 'Demo')
      await walk.showsProblem('That is another account')
      expect(walk.faults()).toEqual([])
      expect(await house.connection(connection)).toMatchObject({ status: 'disconnected' })
      if (way !== byKey) await walk.press('With an API key')
      await byKey.signIn(walk, account)
      await walk.showsHeading('Your fleet is linked again')
      expect(await house.connection(connection)).toMatchObject({ status: 'connected' })
    },
  )
})
