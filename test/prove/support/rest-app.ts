import { collapseSlashes, mountRest } from '../../../rest-compat/mount.ts'
import { eventTypes } from '../../../src/domain/event-catalog.ts'
import { authenticator } from '../../../src/auth/caller.ts'
import { createContextFactory } from '../../../src/gateway/context.ts'
import { createGateway } from '../../../src/gateway/gateway.ts'
import { createApp } from '../../../src/http/app.ts'
import { createLog } from '../../../src/platform/logging/log.ts'
import type { ProviderAdapter } from '../../../src/providers/provider.ts'
import { registry } from '../../../src/providers/registry.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import { inProcessQueue } from '../../../src/queue/in-process-queue.ts'
import type { Database } from '../../../src/storage/database.ts'
import { callerLookups } from '../../../src/subgraphs/connections/applications/caller-lookups.ts'
import { systemClock } from '../../../src/domain/time.ts'
import { masterEncryption, type ApiClient, newRenewals } from '../../support/factories.ts'

/** The REST layer over a database, in this process: measured times are its own and the database's. */
export interface RestApp {
  get<Body>(path: string): Promise<Body>
  /** Executes a GraphQL operation. Returns its data. */
  query(operation: string): Promise<unknown>
  close(): Promise<void>
}

export function restAppOver(
  db: Database,
  { secretKey, token }: ApiClient,
  providers: readonly ProviderAdapter[] = [],
): RestApp {
  const log = createLog('warn')
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
      registry: registry(providers),
      secrets: masterEncryption,
      linkUrl: () => 'http://localhost/link',
      publicUrl: () => 'https://api.example.com',
      mediaUrl: () => 'http://localhost/media',
      pollOnDemand: () => Promise.resolve(),
    }),
    log,
  })
  mountRest(app, { gateway, eventTypes, unknownParameters: 'refuse' })
  const headers = { authorization: `Bearer ${secretKey}`, 'connection-token': token ?? '' }
  return {
    async get<Body>(path: string) {
      const answer = await app.inject({ method: 'GET', url: `/tsp/v1${path}`, headers })
      if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${answer.body}`)
      return JSON.parse(answer.body) as Body
    },
    async query(operation) {
      const credentials = {
        authorization: headers.authorization,
        connectionToken: headers['connection-token'],
      }
      const { run } = gateway.prepare(operation)
      const { data, errors } = await run({ caller: await gateway.authenticate(credentials), credentials }, {})
      if (errors) throw new Error(errors.map(({ message }) => message).join(', '))
      return data
    },
    close: () => app.close(),
  }
}
