import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collapseSlashes, mountRest } from '../../../rest-compat/mount.ts'
import { eventTypes } from '../../../src/domain/event-catalog.ts'
import { authenticator } from '../../../src/auth/caller.ts'
import { createContextFactory } from '../../../src/gateway/context.ts'
import { createGateway } from '../../../src/gateway/gateway.ts'
import { createApp } from '../../../src/http/app.ts'
import { mountGraphql } from '../../../src/http/graphql/graphql-endpoint.ts'
import { createLog } from '../../../src/platform/logging/log.ts'
import { registry } from '../../../src/providers/registry.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import { inProcessQueue } from '../../../src/queue/in-process-queue.ts'
import type { Database } from '../../../src/storage/database.ts'
import { callerLookups } from '../../../src/subgraphs/connections/applications/caller-lookups.ts'
import { createApplication } from '../../../src/subgraphs/connections/applications/create-application.ts'
import { systemClock } from '../../../src/domain/time.ts'
import { masterEncryption, newRenewals } from '../../support/factories.ts'
import { stores } from '../../support/database/stores.ts'
import { createDatabaseTarget, type DatabaseTarget } from '../../support/database/flaky-database.ts'

let target: DatabaseTarget
beforeAll(async () => {
  if (stores.includes('mariadb')) target = await createDatabaseTarget()
})
afterAll(() => target?.[Symbol.asyncDispose]())

async function serve(db: Database) {
  const log = createLog('silent')
  const app = createApp({ log, rewriteUrl: collapseSlashes })
  const gateway = createGateway({
    authenticate: authenticator(callerLookups(db)),
    contextFor: createContextFactory({
      db,
      log,
      cursorKey: masterEncryption.derive('cursors'),
      notifier: createInProcessNotifier(),
      renewals: newRenewals(),
      queue: inProcessQueue({ onError: () => undefined }),
      clock: systemClock,
      registry: registry([]),
      secrets: masterEncryption,
      linkUrl: () => 'http://localhost/link',
      publicUrl: () => 'https://api.example.com',
      mediaUrl: () => 'http://localhost/media',
      pollOnDemand: () => Promise.resolve(),
    }),
    log,
  })
  await mountGraphql(app, { gateway, introspection: false, log })
  mountRest(app, { gateway, eventTypes, unknownParameters: 'refuse' })
  const application = { name: 'Test', environment: 'sandbox' as const, now: Date.now() }
  const secretKey = async () => (await createApplication(db, application)).secretKey
  const headersOf = (key: string) => ({ authorization: `Bearer ${key}` })
  return {
    app,
    secretKey,
    rest: (key: string) => app.inject({ url: '/tsp/v1/connections', headers: headersOf(key) }),
    graph: (key: string) =>
      app.inject({
        method: 'POST',
        url: '/graphql',
        headers: headersOf(key),
        payload: { query: '{ vehicles(first: 1) { nodes { id } } }' },
      }),
  }
}

describe.skipIf(!stores.includes('mariadb'))('while the database is unreachable', () => {
  test('REST returns 503, GraphQL SERVICE_UNAVAILABLE, and both recover with it', async () => {
    await using flakyDatabase = await target.open({ timeoutMs: 5000, poolSize: 4 })
    const { db, proxy } = flakyDatabase
    const { app, secretKey, rest, graph } = await serve(db)
    // One caller is cached, and so is its GraphQL operation.
    const [cached, uncached] = [await secretKey(), await secretKey()]
    expect((await graph(cached)).json()).toEqual({ data: { vehicles: { nodes: [] } } })
    expect((await rest(cached)).statusCode).toBe(200)

    proxy.fallSilent()
    const [restCached, restUncached, graphCached, graphUncached] = await Promise.all([
      rest(cached),
      rest(uncached),
      graph(cached),
      graph(uncached),
    ])
    for (const answer of [restCached, restUncached]) {
      expect(answer.statusCode).toBe(503)
      expect(answer.headers['retry-after']).toBe('2')
      expect(answer.json()).toMatchObject({ code: 'service_unavailable', retryAfter: 2 })
    }
    for (const answer of [graphCached, graphUncached])
      expect(answer.json().errors).toEqual([
        expect.objectContaining({ extensions: { code: 'SERVICE_UNAVAILABLE', retryAfter: 2 } }),
      ])
    expect(graphUncached.statusCode).toBe(503)
    expect(graphUncached.headers['retry-after']).toBe('2')

    proxy.recover()
    for (const key of [cached, uncached]) {
      expect((await rest(key)).statusCode).toBe(200)
      expect((await graph(key)).json()).toEqual({ data: { vehicles: { nodes: [] } } })
    }
    await app.close()
  })
})
