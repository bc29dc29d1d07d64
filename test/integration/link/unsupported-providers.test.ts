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

describe.each(dialects)('a fleet whose provider cannot be linked yet, on %s', (dialect) => {
  let harness: LinkHarness
  beforeAll(async () => void (harness = await LinkHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  const begin = async (
    { key }: Integrator,
    query: Readonly<Record<string, string>> = {},
  ): Promise<Browser> => {
    const browser = harness.browser()
    await browser.open(`/link/?${new URLSearchParams({ key, ...query })}`)
    return browser
  }

  const told = async ({ id }: Integrator) =>
    (
      await harness.rows<{ type: string; connectionId: string; detail: string }>(
        'SELECT `type`, `connectionId`, `detail` FROM `events` WHERE `applicationId` = ? ORDER BY `sequence`',
        [id],
      )
    ).map(({ detail, ...entry }) => ({ ...entry, detail: JSON.parse(detail) as unknown }))

  test('finds it, says that it waits for it, and is sent back', async () => {
    const integrator = await harness.integrator()
    const query = { redirect_url: BACK, state: 's', tags: 'west,night', external_id: 'cust-7' }
    const browser = await begin(integrator, query)
    const run = browser.page.url.href
    await browser.open(`${run}?q=vErIzon`)
    expect(browser.page.html).toContain('Not available yet')
    expect(browser.page.html).not.toContain('Harbor')
    await browser.submit('choose', { provider: 'verizon' })
    expect(browser.step).toBe('request')
    expect(browser.page.html).toContain('Verizon Connect cannot be linked yet')
    await browser.submit('request', { contactEmail: ` ${EMAIL} `, dotNumber: '1234567' })
    expect(browser.left?.href).toBe(`${BACK}?state=s&result=provider_requested`)
    expect(await told(integrator)).toEqual([
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
    expect(browser.left?.searchParams.get('result')).toBe('provider_requested')
    expect(await harness.connectionsOf(integrator)).toEqual([])
  })

  test('names one that is not listed', async () => {
    const integrator = await harness.integrator()
    const browser = await begin(integrator)
    await browser.submit('choose', { provider: 'unlisted' })
    expect(browser.step).toBe('request')
    await browser.submit('request', { provider: 'Flota & Más', contactEmail: EMAIL })
    expect(browser.step).toBe('requested')
    expect(await told(integrator)).toMatchObject([
      { detail: { provider: 'Flota & Más', contactEmail: EMAIL } },
    ])
    expect(Object.keys(Object((await told(integrator))[0]?.detail))).toEqual(['provider', 'contactEmail'])
  })

  test('is led there by the link, short or not, and may not choose another', async () => {
    const integrator = await harness.integrator()
    const input = { provider: 'webfleet', providerHints: ['zonar'] }
    const { shortLink } = await createShortLink(harness.from, keyHolder(integrator.id), input)
    const browser = harness.browser()
    await browser.open(`/link/s/${shortLink.code}`)
    for (const led of [browser, await begin(integrator, { provider: 'webfleet' })]) {
      expect(led.step).toBe('request')
      expect(led.page.html).toContain('Webfleet cannot be linked yet')
      expect(led.forms().map(({ does }) => does)).toEqual(['request', 'cancel'])
      await led.send({ do: 'choose', provider: 'harbor' })
      expect(led.step).toBe('request')
    }
  })

  test('is told once a run, however often and from however many tabs', async () => {
    const integrator = await harness.integrator()
    const browser = await begin(integrator, { provider: 'tesla' })
    const other = browser.anotherWindow()
    await other.open(browser.page.url.href)
    await Promise.all([browser, other].map((tab) => tab.submit('request', { contactEmail: EMAIL })))
    expect([browser.step, other.step]).toEqual(['requested', 'requested'])
    await browser.send({ do: 'request', contactEmail: EMAIL })
    await browser.send({ do: 'cancel' })
    expect(browser.step).toBe('requested')
    expect(await told(integrator)).toHaveLength(1)
  })

  test('goes back, and signs in at another', async () => {
    const integrator = await harness.integrator()
    const browser = await begin(integrator)
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
    expect(await told(integrator)).toEqual([])
  })

  test('cannot sign in there, whatever is sent', async () => {
    const integrator = await harness.integrator()
    const browser = await begin(integrator, { provider: 'verizon' })
    for (const does of ['sign_in', 'oauth', 'agree', 'retry', 'way']) {
      await browser.send({ do: does, agreed: 'on', apiKey: 'sandbox-1-1', way: 'key' })
      expect(browser.step).toBe('request')
    }
    await browser.submit('cancel')
    expect(browser.step).toBe('cancelled')
    expect(await told(integrator)).toEqual([])
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
  ])('hears that its %s cannot be read, and keeps what it has typed in: %j', async (field, typed) => {
    const integrator = await harness.integrator()
    const browser = await begin(integrator, { lang: 'es' })
    await browser.submit('choose', { provider: 'unlisted' })
    await browser.submit('request', typed)
    expect(browser.step).toBe('request')
    expect(browser.page.html).toContain('Revise lo que ha escrito')
    const invalid = [...browser.page.html.matchAll(/<input[^>]*?name="(\w+)"[^>]*?aria-invalid="true"/g)]
    expect(invalid.map(([, name]) => name)).toEqual([field])
    expect(await told(integrator)).toEqual([])
    await browser.submit('request', { provider: 'Flota', contactEmail: EMAIL, dotNumber: '' })
    expect(browser.step).toBe('requested')
    expect(await told(integrator)).toHaveLength(1)
    const runs = await harness.rows('SELECT * FROM `link_runs`')
    expect(runs.length).toBeGreaterThan(0)
    expect(JSON.stringify(runs)).not.toContain(EMAIL)
  })

  test('waits where too many were asked for within a minute, and nothing is lost', async () => {
    await using few = await LinkHarness.start(dialect, { limits: { perKey: 2 } })
    const integrator = await few.integrator()
    const browsers = [few.browser(), few.browser(), few.browser()]
    for (const [at, browser] of browsers.entries()) {
      await browser.open(`/link/?key=${integrator.key}&provider=zonar`)
      if (at === 1) few.moveClock(MINUTE)
    }
    const statuses = []
    for (const browser of browsers)
      statuses.push((await browser.submit('request', { contactEmail: EMAIL })).status)
    expect(statuses).toEqual([200, 200, 429])
    expect(await few.rows('SELECT `id` FROM `events`')).toHaveLength(2)
    few.moveClock(MINUTE)
    const [, , last] = browsers
    await last?.open(last.page.url.href)
    await last?.submit('request', { contactEmail: EMAIL })
    expect(await few.rows('SELECT `id` FROM `events`')).toHaveLength(3)
  })
})

describe('what cannot be linked yet', () => {
  const sandbox = sandboxAdapter('http://127.0.0.1:1')
  const named = (code: string): ProviderAdapter => ({ ...sandbox, manifest: { ...sandbox.manifest, code } })

  test('has codes, names and pictures of its own', () => {
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

  test('leads to pages of its own, each once', () => {
    const references = unsupportedProviders({ find: () => null }).flatMap((provider) => provider.references)
    expect(new Set(references.map(({ url }) => url)).size).toBe(references.length)
    for (const { url, label } of references) {
      expect(new URL(url).protocol).toBe('https:')
      expect(label).not.toBe('')
    }
  })

  test('is so no more when there is an adapter', async () => {
    const adapters = new Map([['zonar', named('zonar')]])
    const find = (code: string) => adapters.get(code) ?? null
    expect(unsupportedProviders({ find }).map(({ code }) => code)).not.toContain('zonar')
    expect([
      findUnsupportedProvider({ find }, 'zonar'),
      findUnsupportedProvider({ find }, 'tesla')?.name,
    ]).toEqual([null, 'Tesla'])
    await using harness = await LinkHarness.start('sqlite', { providers: [named('zonar')] })
    const browser = harness.browser()
    await browser.open(`/link/?key=${(await harness.integrator()).key}`)
    expect(browser.page.html.match(/value="zonar"/g)).toHaveLength(1)
    await browser.submit('choose', { provider: 'zonar' })
    expect(browser.step).toBe('sign_in')
  })
})
