import type { Browser } from 'playwright-core'
import { OdographClient } from '@odograph/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launch, openPage } from '../../support/runner/chromium.ts'
import { integratorPages, Origin } from '../../support/sdk/integrator-pages.ts'
import { DemoService } from '../../support/sdk/demo-service.ts'

const CREATE = `mutation ($id: ID!) {
  createSession(input: { connectionIds: [$id], expiresInSeconds: 60 }) { token session { id } }
}`
const REVOKE = 'mutation ($id: ID!) { revokeSession(input: { sessionId: $id }) { session { id } } }'

interface Created {
  readonly createSession: { readonly token: string; readonly session: { readonly id: string } }
}

describe.skipIf(!hasChromium())('a page of an integrator with a session', () => {
  let browser: Browser
  let integrator: Origin
  let service: DemoService
  let odograph: OdographClient

  beforeAll(async () => {
    ;[integrator, browser] = await Promise.all([
      integratorPages().then((pages) => Origin.start(pages)),
      launch(),
    ])
    service = await DemoService.start({ CORS_ORIGINS: integrator.url })
    odograph = new OdographClient({ baseUrl: service.demo.url, secretKey: service.demo.secretKey })
  })
  afterAll(async () => {
    await browser.close()
    await integrator[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
  })

  test('reads its fleet, and continues to follow its events with a new session when the old one ends', async () => {
    const { page } = await openPage(browser, integrator.url)
    const sessions: string[] = []
    await page.exposeFunction('newToken', async () => {
      const { createSession } = await odograph.graphql<Created>(CREATE, { id: service.demo.connectionId })
      sessions.push(createSession.session.id)
      return createSession.token
    })
    await page.evaluate(`(() => {
      const session = new odograph.OdographSession({ baseUrl: ${JSON.stringify(service.demo.url)}, token: newToken })
      window.session = session
      window.stop = new AbortController()
      window.seen = []
      window.followed = (async () => {
        const events = session.followEvents({ types: ['connection.updated'], pollMs: 50, signal: window.stop.signal })
        for await (const { type, detail } of events) window.seen.push([type, detail.connection.externalId])
      })()
    })()`)
    const { connection } = await page.evaluate<{ connection: { id: string } }>(
      `session.graphql('{ connections { nodes { id } } }').then(({ connections }) => ({ connection: connections.nodes[0] }))`,
    )
    expect(connection.id).toBe(service.demo.connectionId)

    const fleet = odograph.connection(service.demo.connectionToken)
    const seen = () => page.evaluate<[string, string][]>('window.seen')
    const updateAndExpectEvent = async (externalId: string) => {
      await fleet.update({ externalId })
      await expect.poll(seen).toContainEqual(['connection.updated', externalId])
    }
    await updateAndExpectEvent('one')
    for (const id of sessions.splice(0)) await odograph.graphql(REVOKE, { id })
    await updateAndExpectEvent('two')
    expect((await seen()).map(([, externalId]) => externalId)).toEqual(['one', 'two'])
    expect(sessions.length).toBeGreaterThan(0)
    await page.evaluate('window.stop.abort(), window.followed')
    await page.close()
  })

  test('rejects a secret key', async () => {
    const { page, problems } = await openPage(browser, integrator.url)
    const refused = await page.evaluate(
      `new odograph.OdographSession({ baseUrl: 'http://a.example', token: 'sk_sandbox_x' }).graphql('{ a }').catch((error) => error.message)`,
    )
    expect(refused).toContain('a secret key must never be in a browser')
    expect(problems).toEqual([])
    await page.close()
  })
})
