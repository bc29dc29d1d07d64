import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../../support/link/http-browser.ts'
import { LinkHarness } from '../../support/link/link-harness.ts'

describe('the steps of linking an account', () => {
  let harness: LinkHarness
  beforeAll(async () => void (harness = await LinkHarness.start()))
  afterAll(() => harness[Symbol.asyncDispose]())

  const startRun = async (query: Readonly<Record<string, string>>): Promise<Browser> => {
    const browser = harness.browser()
    await browser.open(`/link/?${new URLSearchParams(query)}`)
    return browser
  }

  const signIn = async (browser: Browser, user: string, password = 'right') => {
    await browser.submit('sign_in', { user, password })
  }

  const agree = async (browser: Browser) => {
    await browser.submit('agree', { agreed: 'on' })
    await harness.checked(browser)
  }

  test('require consent once, and share nothing without it', async () => {
    const integrator = await harness.integrator()
    const browser = await startRun({ key: integrator.key, provider: 'harbor' })
    await signIn(browser, 'hugo', 'wrong')
    const agreement = browser.forms().find(({ action }) => action === 'agree')
    expect(agreement?.names).toContain('agreed')
    await browser.submit('agree')
    expect(browser.step).toBe('consent')
    await agree(browser)
    expect(browser.step).toBe('sign_in')
    expect(browser.page.html).toContain('value="hugo"')
    expect(browser.page.html).not.toContain('value="wrong"')
    await signIn(browser, 'hugo')
    await harness.checked(browser)
    expect(browser.step).toBe('done')
    expect(await harness.connectionsOf(integrator)).toHaveLength(1)
  })

  test.each([
    [401, 1, 'wrong_credentials'],
    [403, 1, 'missing_permission'],
    [503, 5, 'provider_down'],
    [429, 5, 'provider_slow'],
  ])('return to the sign-in after a %i of the provider', async (status, times, problem) => {
    const integrator = await harness.integrator()
    const browser = await startRun({ key: integrator.key, provider: 'harbor' })
    await signIn(browser, 'ines')
    harness.harbor.faults.push(...Array.from({ length: times }, () => status))
    await agree(browser)
    expect(browser.step).toBe('sign_in')
    const [run] = await harness.rows(
      'SELECT `problem`, `status` FROM `link_runs` WHERE `applicationId` = ?',
      [integrator.id],
    )
    expect(run).toEqual({ problem, status: 'open' })
    const retry = browser.forms().some(({ action }) => action === 'retry')
    expect(retry).toBe(times > 1)
    if (retry) await browser.submit('retry')
    else await signIn(browser, 'ines')
    await harness.checked(browser)
    expect(browser.step).toBe('done')
  })

  test('require all fields of a sign-in except optional ones', async () => {
    const integrator = await harness.integrator()
    const browser = await startRun({ key: integrator.key, provider: 'harbor' })
    await browser.submit('sign_in', { user: 'jan', password: '  ' })
    expect(browser.step).toBe('sign_in')
    await browser.submit('sign_in', { user: ' jan ', password: 'right', database: '' })
    expect(browser.step).toBe('consent')
  })

  const stepText = ({ page: { html } }: Browser) => /Step \d of \d/.exec(html)?.[0]

  test('are counted without those that the fleet does not take', async () => {
    const { key } = await harness.integrator()
    const choosing = await startRun({ key })
    expect(stepText(choosing)).toBe('Step 1 of 4')
    await choosing.submit('choose', { provider: 'harbor' })
    expect(stepText(choosing)).toBe('Step 2 of 4')
    const browser = await startRun({ key, provider: 'harbor' })
    expect(stepText(browser)).toBe('Step 1 of 3')
    await signIn(browser, 'rosa')
    expect([browser.step, stepText(browser)]).toEqual(['consent', 'Step 2 of 3'])
  })

  test('of another sign-in have the consent only if the agreement has changed since', async () => {
    const integrator = await harness.integrator()
    const first = await startRun({ key: integrator.key, provider: 'harbor' })
    await signIn(first, 'tove')
    await agree(first)
    const [connection] = await harness.connectionsOf(integrator)
    const agreementsStored = () =>
      harness.rows<{ agreementUrl: string }>(
        'SELECT `agreementUrl` FROM `agreements` WHERE `connectionId` = ? ORDER BY `id`',
        [connection?.id],
      )
    const signInAgain = async () => {
      const browser = harness.browser()
      await browser.open(`/link/connection/${connection?.id}?key=${integrator.key}`)
      const text = stepText(browser)
      await signIn(browser, 'tove')
      await harness.checked(browser)
      return { browser, text }
    }

    const same = await signInAgain()
    expect([same.text, same.browser.step]).toEqual(['Step 1 of 2', 'done'])
    expect(await agreementsStored()).toHaveLength(1)

    const agreementUrl = 'https://app.example.com/terms-2'
    await harness.db.transaction((tx) =>
      tx.run('UPDATE `applications` SET `agreementUrl` = ? WHERE `id` = ?', [
        JSON.stringify(agreementUrl),
        integrator.id,
      ]),
    )
    const changed = await signInAgain()
    expect([changed.text, changed.browser.step]).toEqual(['Step 1 of 3', 'consent'])
    await agree(changed.browser)
    expect(changed.browser.step).toBe('done')
    expect((await agreementsStored()).at(-1)).toEqual({ agreementUrl })
    expect((await signInAgain()).browser.step).toBe('done')
  })

  test('go back to the choice of another provider', async () => {
    const integrator = await harness.integrator()
    const browser = await startRun({ key: integrator.key })
    await browser.submit('choose', { provider: 'harbor' })
    await signIn(browser, 'kim')
    await browser.submit('back')
    expect(browser.step).toBe('sign_in')
    await browser.submit('back')
    expect(browser.step).toBe('choose')
    await browser.open(`${browser.page.url.pathname}?q=HARB`)
    const choices = browser.forms().filter(({ action }) => action === 'choose')
    expect(choices.map(({ fields }) => fields.get('provider'))).toEqual(['harbor', 'unlisted'])
    expect((await harness.stored()).includes('"credentialsSealed":"",')).toBe(true)
  })

  test.each(['android-app://com.example.mail/', 'about:client', 'no address'])(
    'start with any referer: %s',
    async (referer) => {
      const { key } = await harness.integrator()
      const browser = harness.browser()
      await browser.open(`/link/?key=${key}`, { referer })
      expect(browser.step).toBe('choose')
    },
  )
})
