import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SyncMode } from '../../../src/subgraphs/connections/connection.ts'
import { createConnection } from '../../../src/subgraphs/connections/lifecycle/create-connection.ts'
import { unknownId } from '../../support/factories.ts'
import { type Integrator, LinkHarness } from '../../support/link/link-harness.ts'

describe('the link pages refuse', () => {
  let harness: LinkHarness
  let integrator: Integrator
  beforeAll(async () => {
    harness = await LinkHarness.start()
    integrator = await harness.integrator()
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const opened = async (path: string) => {
    const browser = harness.browser()
    const { status, html } = await browser.open(path)
    return { status, html, step: browser.step }
  }

  const connect = async ({ id }: Integrator) => {
    const provider = harness.from.registry.find('harbor')!
    const { connection } = await createConnection(
      { db: harness.db, secrets: harness.from.secrets, now: harness.from.clock.now() },
      {
        applicationId: id,
        provider,
        credentials: { user: 'rosa', password: 'right' },
        syncMode: SyncMode.MANUAL,
      },
    )
    return connection
  }

  test.each([
    ['', 400],
    ['?key=', 400],
    ['?key=pk_sandbox_unknown', 403],
    ['?key=sk_sandbox_0123', 403],
  ])('an invalid key: %s', async (query, status) => {
    expect(await opened(`/link/${query}`)).toMatchObject({ status, step: 'refused' })
  })

  test('a revoked key', async () => {
    const revoked = await harness.integrator()
    harness.keysUsed.length = 0
    expect(await opened(`/link/?key=${revoked.key}`)).toMatchObject({ status: 200 })
    expect(harness.keysUsed).toEqual([expect.stringMatching(/^key_/)])
    await harness.db.transaction((tx) =>
      tx.run("UPDATE `api_keys` SET `revokedAt` = 1 WHERE `applicationId` = ? AND `use` = 'publishable'", [
        revoked.id,
      ]),
    )
    expect(await opened(`/link/?key=${revoked.key}`)).toMatchObject({ status: 403 })
    expect(harness.keysUsed).toHaveLength(1)
  })

  test.each([
    ['sync_mode', 'sync_mode=sometimes'],
    ['backfill_days', 'backfill_days=-1'],
    ['backfill_days', 'backfill_days=3.5'],
    ['backfill_days', 'backfill_days=999999'],
    ['backfill_start_from', 'backfill_start_from=yesterday'],
    ['backfill_start_from', 'backfill_start_from=2999-01-01'],
    ['backfill_start_from', 'backfill_days=1&backfill_start_from=2025-01-01'],
    ['external_id', `external_id=${'x'.repeat(256)}`],
    ['external_id', 'external_id=a&external_id=b'],
    ['name', `name=${'x'.repeat(256)}`],
    ['tags', `tags=${'x'.repeat(256)}`],
    ['tags', `tags=${Array.from({ length: 101 }, (_, at) => at).join()}`],
    ['state', `state=${'x'.repeat(3000)}`],
  ])('an invalid %s, and name it', async (parameter, query) => {
    const before = await harness.rows('SELECT `id` FROM `link_runs`')
    const { status, html, step } = await opened(`/link/?key=${integrator.key}&${query}`)
    expect({ status, step }).toEqual({ status: 400, step: 'refused' })
    expect(html).toContain(parameter)
    expect(await harness.rows('SELECT `id` FROM `link_runs`')).toEqual(before)
  })

  test('an unknown provider', async () => {
    expect(await opened(`/link/?key=${integrator.key}&provider=nobody`)).toMatchObject({ status: 404 })
  })

  test.each([
    ['sandbox', 'https://app.example.com/x', true],
    ['sandbox', 'https://app.example.com.evil.test/', false],
    ['sandbox', 'http://app.example.com/', false],
    ['sandbox', 'https://app.example.com:444/', false],
    ['sandbox', 'https://user@app.example.com/', false],
    ['sandbox', 'javascript:alert(1)', false],
    ['sandbox', '//app.example.com/', false],
    ['sandbox', '/linked', false],
    ['sandbox', 'http://localhost:3000/x', true],
    ['sandbox', 'http://shop.localhost/x', true],
    ['sandbox', 'http://127.0.0.1:5173/', true],
    ['sandbox', 'http://localhost.evil.test/', false],
    ['prod', 'http://localhost:3000/x', false],
    ['prod', 'https://app.example.com/x', true],
  ] as const)('in %s the redirect_url %s unless it is allowed', async (environment, address, isAllowed) => {
    const { key } = await harness.integrator({ environment })
    const { status, step } = await opened(`/link/?key=${key}&redirect_url=${encodeURIComponent(address)}`)
    expect({ status, step }).toEqual(
      isAllowed ? { status: 200, step: 'choose' } : { status: 400, step: 'refused' },
    )
  })

  test('to reconnect a foreign, unknown or deleted connection', async () => {
    const foreign = await connect(await harness.integrator())
    const own = await connect(integrator)
    for (const id of [foreign.id, unknownId('connection'), 'nothing', '..%2f'])
      expect(await opened(`/link/connection/${id}?key=${integrator.key}`)).toMatchObject({ status: 404 })
    const { status, html } = await opened(`/link/connection/${own.id}?key=${integrator.key}&tags=a`)
    expect(status).toBe(400)
    expect(html).toContain('tags')
    for (const status of ['pending_deletion', 'deleting', 'deleted']) {
      await harness.db.transaction((tx) =>
        tx.run('UPDATE `connections` SET `status` = ? WHERE `id` = ?', [status, own.id]),
      )
      expect(await opened(`/link/connection/${own.id}?key=${integrator.key}`)).toMatchObject({ status: 404 })
    }
  })

  test('an unknown run, and a form of another site', async () => {
    expect(await opened(`/link/run/${'0'.repeat(32)}`)).toMatchObject({ status: 404 })
    expect(await opened('/link/nowhere')).toMatchObject({ status: 404, step: 'refused' })
    const browser = harness.browser()
    await browser.open(`/link/?key=${integrator.key}`)
    const { href } = browser.page.url
    for (const site of ['cross-site', 'same-site']) {
      const page = await browser.submit('choose', { provider: 'harbor' }, { 'sec-fetch-site': site })
      expect(page.status).toBe(403)
      await browser.open(href)
      expect(browser.step).toBe('choose')
    }
    const withoutFetchMetadata = await harness.app.inject({
      method: 'POST',
      url: browser.page.url.pathname,
      headers: {
        host: 'odograph.example.com',
        origin: 'https://evil.test',
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: 'do=choose&provider=harbor',
    })
    expect(withoutFetchMetadata.statusCode).toBe(403)
  })

  test('an unreadable form', async () => {
    const browser = harness.browser()
    await browser.open(`/link/?key=${integrator.key}`)
    const post = (type: string, payload: string) =>
      harness.app.inject({
        method: 'POST',
        url: browser.page.url.pathname,
        headers: { 'content-type': type },
        payload,
      })
    expect((await post('application/json', '{}')).statusCode).toBe(415)
    const large = `do=choose&provider=${'x'.repeat(101 * 1024)}`
    expect((await post('application/x-www-form-urlencoded', large)).statusCode).toBe(413)
    expect((await post('application/x-www-form-urlencoded', 'do=constructor')).statusCode).toBe(303)
  })

  test('to be framed by pages of other applications', async () => {
    const policy = async (path: string) => {
      const { headers } = await harness.browser().open(path)
      const names = ['cache-control', 'x-content-type-options', 'referrer-policy', 'x-powered-by']
      expect(names.map((name) => headers.get(name))).toEqual([
        'private, no-store',
        'nosniff',
        'same-origin',
        null,
      ])
      return headers.get('content-security-policy')
    }
    const production = await harness.integrator({ environment: 'prod' })
    const closed = await harness.integrator({ environment: 'prod', linkOrigins: [] })
    const injected = await harness.integrator({
      environment: 'prod',
      linkOrigins: ["*; script-src 'unsafe-inline'"],
    })
    expect(await policy(`/link/?key=${production.key}`)).toMatch(/frame-ancestors https:\/\/app.example.com$/)
    expect(await policy(`/link/?key=${closed.key}`)).toMatch(/frame-ancestors 'none'$/)
    expect(await policy(`/link/?key=${injected.key}`)).toMatch(/frame-ancestors 'none'$/)
    expect(await policy('/link/')).toMatch(/frame-ancestors 'none'$/)
    expect(await policy(`/link/?key=${integrator.key}`)).toContain('http://localhost:*')
  })

  test.each([
    ['sandbox', 'http://localhost:5173/fleets', true],
    ['sandbox', 'https://evil.test/', false],
    ['sandbox', 'data:,page', false],
    ['prod', 'http://localhost:5173/', false],
    ['prod', 'https://app.example.com/fleets', true],
  ] as const)(
    'in %s to post messages to %s unless it may frame them',
    async (environment, referer, isAllowed) => {
      const { key } = await harness.integrator({ environment })
      for (const dest of ['document', 'iframe']) {
        const { status, html } = await harness
          .browser({ 'sec-fetch-dest': dest, referer })
          .open(`/link/?key=${key}&provider=harbor`)
        const [, origins = ''] = /data-origins="([^"]*)"/.exec(html) ?? []
        expect([status, origins.split(' ').includes(new URL(referer).origin)]).toEqual([200, isAllowed])
      }
    },
  )

  test('to redirect a page in a frame, which posts its result instead', async () => {
    const framed = { 'sec-fetch-dest': 'iframe', referer: 'http://localhost:5173/' }
    const browser = harness.browser(framed)
    const redirect = encodeURIComponent('https://app.example.com/')
    await browser.open(`/link/?key=${integrator.key}&provider=harbor&redirect_url=${redirect}`)
    await browser.submit('cancel')
    expect(browser.step).toBe('cancelled')
    expect(browser.externalRedirect).toBeNull()
  })

  test('a request on an internal error, without its cause', async () => {
    const broken = await LinkHarness.start()
    await broken.db.transaction((tx) => tx.run('DROP TABLE `api_keys`'))
    const { status, html } = await broken.browser().open(`/link/?key=${integrator.key}`)
    expect(status).toBe(500)
    expect(html).not.toContain('api_keys')
    await broken[Symbol.asyncDispose]()
  })
})

describe('the link pages on a separate origin', () => {
  const hosts = ['link.example.com', 'odograph.example.com']

  test.each(['https://link.example.com', 'http://link.example.com/'])('at %s', async (address) => {
    await using harness = await LinkHarness.start('sqlite', { address: address.replace(/\/$/, '') })
    const { key } = await harness.integrator()
    const browser = harness.browser({}, hosts)
    await browser.open(`${address.replace(/\/$/, '')}/?key=${key}&provider=harbor&lang=fr`)
    expect(browser.page.url.pathname).toMatch(/^\/run\/[0-9A-Za-z]{32}$/)
    expect(browser.page.html).toContain('lang="fr"')
    await browser.submit('sign_in', { user: 'tess', password: 'right' })
    expect(browser.step).toBe('consent')
    expect(browser.page.url.pathname).toMatch(/^\/run\//)
    expect(browser.page.html).toContain(`${address.replace(/\/$/, '')}/agreement`)
    await browser.submit('agree', { agreed: 'on' }, { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' })
    await harness.checked(browser)
    const [agreement] = await harness.rows('SELECT `agreementUrl`, `ipAddress` FROM `agreements`')
    expect(agreement).toEqual({
      agreementUrl: `${address.replace(/\/$/, '')}/agreement`,
      ipAddress: address.startsWith('https:') ? '198.51.100.7' : '127.0.0.1',
    })
    expect((await browser.open('/agreement')).status).toBe(200)

    const otherHost = harness.browser({}, hosts)
    await otherHost.open(`http://odograph.example.com/link/?key=${key}`)
    expect(otherHost.page.url.host).toBe('link.example.com')
    expect(otherHost.step).toBe('choose')
  })
})
