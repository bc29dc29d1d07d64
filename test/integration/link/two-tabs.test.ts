import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashKey } from '../../../src/auth/keys.ts'
import { dialects } from '../../support/factories.ts'
import { until } from '../../support/federation/federation-harness.ts'
import type { Browser } from '../../support/link/http-browser.ts'
import { LinkHarness } from '../../support/link/link-harness.ts'

interface Stored {
  readonly provider: string | null
  readonly credentialsSealed: string
  readonly oauthStateHash: string | null
  readonly agreedAt: number | null
}

describe.each(dialects)('a run that goes on in another tab on %s', (dialect) => {
  let harness: LinkHarness
  beforeAll(async () => void (harness = await LinkHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  /** A run of which the fleet chooses the provider, at the sign-in of the first. */
  async function begun(): Promise<Browser> {
    const { key } = await harness.integrator()
    const browser = harness.browser()
    await browser.open(`/link/?key=${key}`)
    await browser.submit('choose', { provider: 'harbor' })
    return browser
  }

  /** The same run in another tab, in which the fleet takes the other provider. */
  async function switched(tab: Browser): Promise<Browser> {
    const other = tab.anotherWindow()
    await other.open(tab.page.url.href)
    while (other.step !== 'choose') await other.submit('back')
    await other.submit('choose', { provider: 'sandbox' })
    return other
  }

  async function stored({ page }: Browser): Promise<Stored> {
    const token = page.url.pathname.split('/').at(-1) ?? ''
    const [row] = await harness.rows<Stored>('SELECT * FROM `link_runs` WHERE `tokenHash` = ?', [
      hashKey(token),
    ])
    return row!
  }

  test('gives no provider what was typed in for another', async () => {
    const tab = await begun()
    const other = await switched(tab)
    await other.submit('way', { way: 'password' })
    await tab.submit('sign_in', { user: 'olga', password: 'right' })
    expect(await stored(tab)).toMatchObject({ provider: 'sandbox', credentialsSealed: '' })
    expect(tab.page.html).toContain('Sandbox')
    expect(tab.step).toBe('sign_in')
  })

  test('takes no consent to share the data of another provider', async () => {
    const tab = await begun()
    await tab.submit('sign_in', { user: 'pia', password: 'right' })
    expect(tab.step).toBe('consent')
    const other = await switched(tab)
    await other.submit('sign_in', { apiKey: 'sandbox-3-52' })
    await tab.submit('agree', { agreed: 'on' })
    expect(await stored(tab)).toMatchObject({ provider: 'sandbox', agreedAt: null })
    expect(tab.step).toBe('consent')
    await tab.submit('agree', { agreed: 'on' })
    await harness.checked(tab)
    expect(tab.step).toBe('done')
  })

  test('goes to the page of the provider that it has, and is left from any page', async () => {
    const tab = await begun()
    await tab.submit('way', { way: 'oauth' })
    await switched(tab)
    await tab.submit('oauth')
    expect([tab.left, (await stored(tab)).oauthStateHash]).toEqual([null, null])
    const stale = await begun()
    await switched(stale)
    await stale.submit('cancel')
    expect(stale.step).toBe('cancelled')
  })

  test('keeps no token of a provider that it has left while that was asked for it', async () => {
    const tab = await begun()
    await tab.submit('way', { way: 'oauth' })
    const page = tab.anotherWindow()
    await page.open(tab.page.url.href)
    await page.submit('oauth')
    const release = harness.harbor.hold()
    const returning = page.open(harness.harbor.signIn(page.left!, 'rosa'))
    await until(async () => (await stored(tab)).oauthStateHash === null)
    await switched(tab)
    release()
    await returning
    expect(await stored(tab)).toMatchObject({ provider: 'sandbox', credentialsSealed: '' })
  })

  test('agrees anew with another provider, also after it has agreed with the first', async () => {
    const tab = await begun()
    await tab.submit('sign_in', { user: 'sven', password: 'wrong' })
    await tab.submit('agree', { agreed: 'on' })
    await harness.checked(tab)
    expect(tab.step).toBe('sign_in')
    await tab.submit('back')
    await tab.submit('choose', { provider: 'sandbox' })
    await tab.submit('sign_in', { apiKey: 'sandbox-3-53' })
    expect(tab.step).toBe('consent')
  })
})
