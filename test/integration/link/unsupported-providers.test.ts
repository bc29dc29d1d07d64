import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyHolder } from '../../../src/auth/caller.ts'
import type { ProviderAdapter } from '../../../src/providers/provider.ts'
import { sandboxAdapter } from '../../../src/providers/sandbox/adapter.ts'
import {
  findUnsupportedProvider,
  unsupportedProviders,
} from '../../../src/providers/unsupported-providers.ts'
import { createShortLink } from '../../../src/subgraphs/connections/short-links/create-short-link.ts'
import { dialects, MINUTE } from '../../support/factories.ts'
import type { Browser } from '../../support/link/http-browser.ts'
import { type Integrator, LinkHarness } from '../../support/link/link-harness.ts'

const BACK = 'https://app.example.com/linked'
const EMAIL = 'dispatch@acme-freight.example'
const EVENT = 'unsupported_provider.requested'

describe.each(dialects)('a fleet with an unsupported provider on %s', (dialect) => {
  let harness: LinkHarness
  beforeAll(async () => void (harness = await LinkHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  const startRun = async (
    { key }: Integrator,
    query: Readonly<Record<string, string>> = {},
  ): Promise<Browser> => {
    const browser = harness.browser()
    await browser.open(`/link/?${new URLSearchParams({ key, ...query })}`)
    return browser
  }

  const eventsOf = async ({ id }: Integrator) =>
    (
      await harness.rows<{ type: string; connectionId: string; detail: string }>(
        'SELECT `type`, `connectionId`, `detail` FROM `events` WHERE `applicationId` = ? ORDER BY `sequence`',
        [id],
      )
    ).map(({ detail, ...entry }) => ({ ...entry, detail: JSON.parse(detail) as unknown }))

  test('can find and request it, and is redirected', async () => {
    const integrator = await harness.integrator()
    const query = { redirect_url: BACK, state: 's', tags: 'west,night', external_id: 'cust-7' }
    const browser = await startRun(integrator, query)
    const run = browser.page.url.href
    await browser.open(`${run}?q=vErIzon`)
    expect(browser.page.html).toContain('Not available yet')
    expect(browser.page.html).not.toContain('Harbor')
    await browser.submit('choose', { provider: 'verizon' })
    expect(browser.step).toBe('request')
    expect(browser.page.html).toContain('Verizon Connect cannot be linked yet')
    await browser.submit('request', { contactEmail: ` ${EMAIL} `, dotNumber: '1234567' })
    expect(browser.externalRedirect?.href).toBe(`${BACK}?state=s&result=provider_requested`)
    expect(await eventsOf(integrator)).toEqual([
      {
        type: EVENT,
        connectionId: '',
        detail: {
          provider: 'Verizon Connect',
          contactEmail: EMAIL,
          dotNumber: '1234567',
          externalId: 'cust-7',
          tags: ['west', 'night'],
        },
      },
    ])
    await browser.open(run)
    expect(browser.externalRedirect?.searchParams.get('result')).toBe('provider_requested')
    expect(await harness.connectionsOf(integrator)).toEqual([])
  })

  test('can request an unlisted provider', async () => {
    const integrator = await harness.integrator()
    const browser = await startRun(integrator)
    await browser.submit('choose', { provider: 'unlisted' })
    expect(browser.step).toBe('request')
    await browser.submit('request', { provider: 'Flota & Más', contactEmail: EMAIL })
    expect(browser.step).toBe('requested')
    expect(await eventsOf(integrator)).toMatchObject([
      { detail: { provider: 'Flota & Más', contactEmail: EMAIL } },
    ])
    expect(Object.keys(Object((await eventsOf(integrator))[0]?.detail))).toEqual(['provider', 'contactEmail'])
  })

  test('gets the request page from any link with its provider, and no other choice', async () => {
    const integrator = await harness.integrator()
    const input = { provider: 'webfleet', providerHints: ['zonar'] }
    const { shortLink } = await createShortLink(harness.from, keyHolder(integrator.id), input)
    const browser = harness.browser()
    await browser.open(`/link/s/${shortLink.code}`)
    for (const opened of [browser, await startRun(integrator, { provider: 'webfleet' })]) {
      expect(opened.step).toBe('request')
      expect(opened.page.html).toContain('Webfleet cannot be linked yet')
      expect(opened.forms().map(({ action }) => action)).toEqual(['request', 'cancel'])
      await opened.send({ do: 'choose', provider: 'harbor' })
      expect(opened.step).toBe('request')
    }
  })

  test('causes one event per run, from any number of tabs', async () => {
    const integrator = await harness.integrator()
    const browser = await startRun(integrator, { provider: 'tesla' })
    const other = browser.anotherWindow()
    await other.open(browser.page.url.href)
    await Promise.all([browser, other].map((tab) => tab.submit('request', { contactEmail: EMAIL })))
    expect([browser.step, other.step]).toEqual(['requested', 'requested'])
    await browser.send({ do: 'request', contactEmail: EMAIL })
    await browser.send({ do: 'cancel' })
    expect(browser.step).toBe('requested')
    expect(await eventsOf(integrator)).toHaveLength(1)
  })

  test('can go back and sign in at another provider', async () => {
    const integrator = await harness.integrator()
    const browser = await startRun(integrator)
    await browser.submit('choose', { provider: 'calamp' })
    const stale = browser.anotherWindow()
    await stale.open(browser.page.url.href)
    await browser.submit('back')
    expect(browser.step).toBe('choose')
    await browser.submit('choose', { provider: 'harbor' })
    await stale.submit('request', { contactEmail: EMAIL })
    expect(stale.step).toBe('sign_in')
    await browser.send({ do: 'request', contactEmail: EMAIL })
    expect(browser.step).toBe('sign_in')
    expect(await eventsOf(integrator)).toEqual([])
  })

  test('cannot sign in there with any form', async () => {
    const integrator = await harness.integrator()
    const browser = await startRun(integrator, { provider: 'verizon' })
    for (const does of ['sign_in', 'oauth', 'agree', 'retry', 'way']) {
      await browser.send({ do: does, agreed: 'on', apiKey: 'sandbox-1-1', way: 'key' })
      expect(browser.step).toBe('request')
    }
    await browser.submit('cancel')
    expect(browser.step).toBe('cancelled')
    expect(await eventsOf(integrator)).toEqual([])
  })

  const long = 'x'.repeat(101)
  test.each([
    ['provider', { provider: '', contactEmail: EMAIL }],
    ['provider', { provider: '  ', contactEmail: EMAIL }],
    ['provider', { provider: '— ?', contactEmail: EMAIL }],
    ['provider', { provider: long, contactEmail: EMAIL }],
    ['provider', { provider: 'a\u202eb', contactEmail: EMAIL }],
    ['contactEmail', { provider: 'Flota', contactEmail: '' }],
    ['contactEmail', { provider: 'Flota', contactEmail: 'dispatch' }],
    ['contactEmail', { provider: 'Flota', contactEmail: 'a@b' }],
    ['contactEmail', { provider: 'Flota', contactEmail: 'a@b.example,c@d.example' }],
    ['contactEmail', { provider: 'Flota', contactEmail: 'a@b.example\r\nBcc: c@d.example' }],
    ['contactEmail', { provider: 'Flota', contactEmail: '<b>@b.example' }],
    ['contactEmail', { provider: 'Flota', contactEmail: `a@${'b.'.repeat(130)}example` }],
    ['dotNumber', { provider: 'Flota', contactEmail: EMAIL, dotNumber: '123456789' }],
    ['dotNumber', { provider: 'Flota', contactEmail: EMAIL, dotNumber: 'MC-123' }],
  ])('gets an error for an invalid %s, and keeps its input: %j', async (field, fields) => {
    const integrator = await harness.integrator()
    const browser = await startRun(integrator, { lang: 'es' })
    await browser.submit('choose', { provider: 'unlisted' })
    await browser.submit('request', fields)
    expect(browser.step).toBe('request')
    expect(browser.page.html).toContain('Revise lo que ha escrito')
    const invalid = [...browser.page.html.matchAll(/<input[^>]*?name="(\w+)"[^>]*?aria-invalid="true"/g)]
    expect(invalid.map(([, name]) => name)).toEqual([field])
    expect(await eventsOf(integrator)).toEqual([])
    await browser.submit('request', { provider: 'Flota', contactEmail: EMAIL, dotNumber: '' })
    expect(browser.step).toBe('requested')
    expect(await eventsOf(integrator)).toHaveLength(1)
    const runs = await harness.rows('SELECT * FROM `link_runs`')
    expect(runs.length).toBeGreaterThan(0)
    expect(JSON.stringify(runs)).not.toContain(EMAIL)
  })

  test('is limited per minute, and can send the request later', async () => {
    await using limited = await LinkHarness.start(dialect, { limits: { perKey: 2 } })
    const integrator = await limited.integrator()
    const browsers = [limited.browser(), limited.browser(), limited.browser()]
    for (const [at, browser] of browsers.entries()) {
      await browser.open(`/link/?key=${integrator.key}&provider=zonar`)
      if (at === 1) limited.moveClock(MINUTE)
    }
    const statuses = []
    for (const browser of browsers)
      statuses.push((await browser.submit('request', { contactEmail: EMAIL })).status)
    expect(statuses).toEqual([200, 200, 429])
    expect(await limited.rows('SELECT `id` FROM `events`')).toHaveLength(2)
    limited.moveClock(MINUTE)
    const [, , last] = browsers
    await last?.open(last.page.url.href)
    await last?.submit('request', { contactEmail: EMAIL })
    expect(await limited.rows('SELECT `id` FROM `events`')).toHaveLength(3)
  })
})

describe('unsupported providers', () => {
  const sandbox = sandboxAdapter('http://127.0.0.1:1')
  const adapterOf = (code: string): ProviderAdapter => ({
    ...sandbox,
    manifest: { ...sandbox.manifest, code },
  })

  test('have names, and unique codes and icons', () => {
    const all = unsupportedProviders({ find: () => null })
    expect(all.length).toBeGreaterThan(10)
    expect(new Set(all.map(({ code }) => code)).size).toBe(all.length)
    expect(new Set(all.map(({ icon }) => icon)).size).toBe(all.length)
    for (const { code, name, icon } of all) {
      expect(code).toMatch(/^[a-z]+$/)
      expect(name).not.toBe('')
      expect(icon).toMatch(/^data:image\/svg\+xml,%3Csvg/)
    }
  })

  test('have unique references to HTTPS pages', () => {
    const references = unsupportedProviders({ find: () => null }).flatMap((provider) => provider.references)
    expect(new Set(references.map(({ url }) => url)).size).toBe(references.length)
    for (const { url, label } of references) {
      expect(new URL(url).protocol).toBe('https:')
      expect(label).not.toBe('')
    }
  })

  test('exclude a provider with an adapter', async () => {
    const adapters = new Map([['zonar', adapterOf('zonar')]])
    const find = (code: string) => adapters.get(code) ?? null
    expect(unsupportedProviders({ find }).map(({ code }) => code)).not.toContain('zonar')
    expect([
      findUnsupportedProvider({ find }, 'zonar'),
      findUnsupportedProvider({ find }, 'tesla')?.name,
    ]).toEqual([null, 'Tesla'])
    await using harness = await LinkHarness.start('sqlite', { providers: [adapterOf('zonar')] })
    const browser = harness.browser()
    await browser.open(`/link/?key=${(await harness.integrator()).key}`)
    expect(browser.page.html.match(/value="zonar"/g)).toHaveLength(1)
    await browser.submit('choose', { provider: 'zonar' })
    expect(browser.step).toBe('sign_in')
  })
})
