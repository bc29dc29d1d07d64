import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashKey } from '../../../src/auth/keys.ts'
import { removeExpiredRows } from '../../../src/sync/retention/remove-expired-rows.ts'
import { DAY, dialects, MINUTE } from '../../support/factories.ts'
import type { Browser } from '../../support/link/http-browser.ts'
import { LinkHarness } from '../../support/link/link-harness.ts'

const BACK = 'https://app.example.com/linked?tab=fleet'

describe.each(dialects)('linking an account on %s', (dialect) => {
  let harness: LinkHarness
  beforeAll(async () => void (harness = await LinkHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  const startRun = async (query: Readonly<Record<string, string>>, path = '/link/'): Promise<Browser> => {
    const browser = harness.browser()
    await browser.open(`${path}?${new URLSearchParams(query)}`)
    return browser
  }

  const signIn = async (browser: Browser, user: string, password = 'right') => {
    await browser.submit('sign_in', { user, password })
  }

  const agree = async (browser: Browser) => {
    await browser.submit('agree', { agreed: 'on' })
    await harness.checked(browser)
  }

  test('creates a connection that the integrator can exchange', async () => {
    const integrator = await harness.integrator()
    const browser = await startRun({
      key: integrator.key,
      redirect_url: BACK,
      state: 'a state & more',
      tags: 'west, night ,west',
      external_id: 'cust-7',
      name: 'Acme Freight',
      sync_mode: 'manual',
      backfill_days: '3',
      template: 'any',
      utm_source: 'mail',
    })
    expect(browser.step).toBe('choose')
    await browser.submit('choose', { provider: 'sandbox' })
    expect(browser.step).toBe('sign_in')
    await browser.submit('sign_in', { apiKey: 'sandbox-3-41' })
    expect(browser.step).toBe('consent')
    expect(browser.page.html).toContain('Fuel Cards Inc.')
    expect(await harness.connectionsOf(integrator)).toEqual([])
    await agree(browser)

    expect(browser.externalRedirect?.href.startsWith(`${BACK}&token=pub_tkn_`)).toBe(true)
    const { token = '', ...others } = Object.fromEntries(browser.externalRedirect?.searchParams ?? [])
    expect(others).toEqual({ tab: 'fleet', state: 'a state & more', result: 'success' })
    const connection = await harness.exchange(integrator, token)
    expect(connection).toMatchObject({
      provider: 'sandbox',
      status: 'connected',
      syncMode: 'manual',
      tags: ['west', 'night'],
      externalId: 'cust-7',
      company: { name: 'Acme Freight' },
      backfillFrom: harness.from.clock.now() - 3 * 24 * 60 * MINUTE,
    })
    await expect(harness.exchange(integrator, token)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('records the agreement with account, time and address', async () => {
    const integrator = await harness.integrator({ agreementUrl: 'https://app.example.com/terms' })
    const browser = await startRun({ key: integrator.key, provider: 'harbor' })
    await signIn(browser, 'greta')
    expect(browser.page.html).toContain('https://app.example.com/terms')
    await agree(browser)
    expect(browser.step).toBe('done')
    const [{ id = '' } = {}] = await harness.connectionsOf(integrator)
    const rows = await harness.rows<Record<string, unknown>>(
      'SELECT * FROM `agreements` WHERE `connectionId` = ?',
      [id],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      applicationId: integrator.id,
      type: 'end-user-agreement',
      agreementUrl: 'https://app.example.com/terms',
      acceptedAt: harness.from.clock.now(),
      ipAddress: '127.0.0.1',
      userAgent: 'a browser of a test',
    })
    expect(String(rows[0]?.['acceptedBy'])).toContain('greta@example.com')
  })

  test('redirects with result=cancelled, also during the check of the account', async () => {
    const integrator = await harness.integrator()
    const browser = await startRun({
      key: integrator.key,
      redirect_url: BACK,
      state: 's',
      provider: 'harbor',
    })
    await signIn(browser, 'lena')
    const release = harness.harbor.hold()
    await browser.submit('agree', { agreed: 'on' })
    expect(browser.step).toBe('checking')
    const runUrl = browser.page.url.href
    await browser.send({ do: 'cancel' })
    const query = Object.fromEntries(browser.externalRedirect?.searchParams ?? [])
    expect(query).toEqual({ tab: 'fleet', state: 's', result: 'cancelled' })
    release()
    await harness.checks.close()
    expect(await harness.connectionsOf(integrator)).toEqual([])
    await browser.open(runUrl)
    expect(browser.externalRedirect?.searchParams.get('result')).toBe('cancelled')
  })

  test('encrypts credentials, and deletes them when the run ends', async () => {
    const integrator = await harness.integrator()
    const browser = await startRun({ key: integrator.key, provider: 'sandbox' })
    const secret = 'planted-in-the-link-flow'
    await browser.submit('sign_in', { apiKey: secret })
    const token = browser.page.url.pathname.split('/').at(-1) ?? ''
    const run = 'SELECT `credentialsSealed` FROM `link_runs` WHERE `tokenHash` = ?'
    const [during] = await harness.rows<{ credentialsSealed: string }>(run, [hashKey(token)])
    expect(during?.credentialsSealed).not.toBe('')
    await agree(browser)
    expect(browser.step).toBe('done')
    const [after] = await harness.rows<{ credentialsSealed: string }>(run, [hashKey(token)])
    expect(after?.credentialsSealed).toBe('')
    const storedAndLogged = (await harness.stored()) + harness.logged.join('')
    expect(storedAndLogged).not.toContain(secret)
    expect(storedAndLogged).not.toContain(token)
  })

  test('creates one connection for repeated requests, with a new token each time', async () => {
    const integrator = await harness.integrator()
    const browser = await startRun({ key: integrator.key, redirect_url: BACK, provider: 'harbor' })
    await signIn(browser, 'mona')
    const runUrl = browser.page.url.href
    const form = browser.forms().find(({ action }) => action === 'agree')
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const responses = await Promise.all(
      Array.from({ length: 8 }, () =>
        harness.app.inject({
          method: 'POST',
          url: new URL(form?.actionUrl ?? '', runUrl).pathname,
          headers,
          payload: 'do=agree&agreed=on',
        }),
      ),
    )
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([303]))
    await harness.checks.close()
    expect(await harness.connectionsOf(integrator)).toHaveLength(1)
    const tokens = []
    for (let times = 0; times < 2; times++) {
      await browser.open(runUrl)
      tokens.push(browser.externalRedirect?.searchParams.get('token') ?? '')
    }
    expect(new Set(tokens).size).toBe(2)
    const [first, second] = await Promise.all(tokens.map((token) => harness.exchange(integrator, token)))
    expect(first?.id).toBe(second?.id)
  })

  test('can be retried after the checking process dies', async () => {
    const integrator = await harness.integrator()
    const browser = await startRun({ key: integrator.key, provider: 'harbor' })
    await signIn(browser, 'nils')
    await harness.db.transaction((tx) =>
      tx.run(
        "UPDATE `link_runs` SET `status` = 'checking', `checkedSince` = ?, `agreedAt` = ? WHERE `applicationId` = ?",
        [harness.from.clock.now(), harness.from.clock.now(), integrator.id],
      ),
    )
    await browser.reload()
    expect(browser.step).toBe('checking')
    harness.moveClock(30_000)
    await browser.reload()
    expect(browser.step).toBe('sign_in')
    await browser.submit('retry')
    await harness.checked(browser)
    expect(browser.step).toBe('done')
  })

  test('reconnects an existing connection, only with the same account', async () => {
    const integrator = await harness.integrator()
    const browser = harness.browser()
    await browser.open(`/link/?key=${integrator.key}&provider=harbor`)
    await browser.submit('sign_in', { user: 'olga', password: 'right' })
    await browser.submit('agree', { agreed: 'on' })
    await harness.checked(browser)
    const [before] = await harness.connectionsOf(integrator)
    await harness.db.transaction((tx) =>
      tx.run("UPDATE `connections` SET `status` = 'disconnected' WHERE `id` = ?", [before?.id]),
    )

    const secondRun = harness.browser()
    const back = encodeURIComponent('https://app.example.com/')
    await secondRun.open(`/link/connection/${before?.id}?key=${integrator.key}&state=x&redirect_url=${back}`)
    expect(secondRun.step).toBe('sign_in')
    await secondRun.submit('sign_in', { user: 'pia', password: 'right' })
    await harness.checked(secondRun)
    expect(secondRun.step).toBe('sign_in')
    expect(await harness.connectionsOf(integrator)).toEqual([{ ...before, status: 'disconnected' }])

    await secondRun.submit('sign_in', { user: 'olga', password: 'right' })
    await harness.checked(secondRun)
    expect(secondRun.externalRedirect?.searchParams.get('state')).toBe('x')
    expect(await harness.connectionsOf(integrator)).toEqual([before])
    const connection = await harness.exchange(
      integrator,
      secondRun.externalRedirect?.searchParams.get('token') ?? '',
    )
    expect(connection.id).toBe(before?.id)
    const agreements = await harness.rows('SELECT `id` FROM `agreements` WHERE `connectionId` = ?', [
      before?.id,
    ])
    expect(agreements).toHaveLength(1)
  })

  test('expires with its credentials after an hour, and is removed a day later', async () => {
    const integrator = await harness.integrator()
    const [seen, unseen] = [harness.browser(), harness.browser()]
    for (const browser of [seen, unseen]) {
      await browser.open(`/link/?key=${integrator.key}&provider=harbor`)
      await signIn(browser, 'sven')
    }
    const cleared = async () =>
      (
        await harness.rows<{ credentialsSealed: string }>(
          'SELECT `credentialsSealed` FROM `link_runs` WHERE `applicationId` = ? ORDER BY `id`',
          [integrator.id],
        )
      ).map(({ credentialsSealed }) => credentialsSealed === '')
    const remove = () =>
      removeExpiredRows(
        { ...harness.from, eventRetentionDays: 30, requestLogDays: 3, purchaseRetentionDays: 30 },
        new AbortController().signal,
      )
    harness.moveClock(60 * MINUTE)
    await seen.reload()
    expect(seen.page.status).toBe(410)
    expect(await cleared()).toEqual([true, false])
    await remove()
    expect(await cleared()).toEqual([true, true])
    harness.moveClock(DAY + 1)
    await remove()
    expect(await cleared()).toEqual([])
  })
})
