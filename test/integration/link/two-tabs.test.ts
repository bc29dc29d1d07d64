import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashKey } from '../../../src/auth/keys.ts'
import { dialects } from '../../support/factories.ts'
import { until } from '../../support/federation/federation-harness.ts'
import type { Browser } from '../../support/link/http-browser.ts'
import { LinkHarness } from '../../support/link/link-harness.ts'

interface StoredRun {
  readonly provider: string | null
  readonly credentialsSealed: string
  readonly oauthStateHash: string | null
  readonly agreedAt: number | null
}

describe.each(dialects)('a run in two tabs on %s', (dialect) => {
  let harness: LinkHarness
  beforeAll(async () => void (harness = await LinkHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  /** Starts a run, chooses a provider, and stays at its sign-in. */
  async function startRun(): Promise<Browser> {
    const { key } = await harness.integrator()
    const browser = harness.browser()
    await browser.open(`/link/?key=${key}`)
    await browser.submit('choose', { provider: 'harbor' })
    return browser
  }

  /** Opens the run in another tab, and chooses another provider there. */
  async function switchProvider(tab: Browser): Promise<Browser> {
    const other = tab.anotherWindow()
    await other.open(tab.page.url.href)
    while (other.step !== 'choose') await other.submit('back')
    await other.submit('choose', { provider: 'sandbox' })
    return other
  }

  async function storedRun({ page }: Browser): Promise<StoredRun> {
    const token = page.url.pathname.split('/').at(-1) ?? ''
    const [row] = await harness.rows<StoredRun>('SELECT * FROM `link_runs` WHERE `tokenHash` = ?', [
      hashKey(token),
    ])
    return row!
  }

  test('sends no credentials to another provider', async () => {
    const tab = await startRun()
    const other = await switchProvider(tab)
    await other.submit('way', { way: 'password' })
    await tab.submit('sign_in', { user: 'olga', password: 'right' })
    expect(await storedRun(tab)).toMatchObject({ provider: 'sandbox', credentialsSealed: '' })
    expect(tab.page.html).toContain('Sandbox')
    expect(tab.step).toBe('sign_in')
  })

  test('applies no consent to another provider', async () => {
    const tab = await startRun()
    await tab.submit('sign_in', { user: 'pia', password: 'right' })
    expect(tab.step).toBe('consent')
    const other = await switchProvider(tab)
    await other.submit('sign_in', { apiKey: 'sandbox-3-52' })
    await tab.submit('agree', { agreed: 'on' })
    expect(await storedRun(tab)).toMatchObject({ provider: 'sandbox', agreedAt: null })
    expect(tab.step).toBe('consent')
    await tab.submit('agree', { agreed: 'on' })
    await harness.checked(tab)
    expect(tab.step).toBe('done')
  })

  test('opens no page of a replaced provider, and can be cancelled in any tab', async () => {
    const tab = await startRun()
    await tab.submit('way', { way: 'oauth' })
    await switchProvider(tab)
    await tab.submit('oauth')
    expect([tab.externalRedirect, (await storedRun(tab)).oauthStateHash]).toEqual([null, null])
    const stale = await startRun()
    await switchProvider(stale)
    await stale.submit('cancel')
    expect(stale.step).toBe('cancelled')
  })

  test('stores no token of a provider that was replaced during the exchange', async () => {
    const tab = await startRun()
    await tab.submit('way', { way: 'oauth' })
    const page = tab.anotherWindow()
    await page.open(tab.page.url.href)
    await page.submit('oauth')
    const release = harness.harbor.hold()
    const returning = page.open(harness.harbor.signIn(page.externalRedirect!, 'rosa'))
    await until(async () => (await storedRun(tab)).oauthStateHash === null)
    await switchProvider(tab)
    release()
    await returning
    expect(await storedRun(tab)).toMatchObject({ provider: 'sandbox', credentialsSealed: '' })
  })

  test('requires a new consent for another provider', async () => {
    const tab = await startRun()
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
