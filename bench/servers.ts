import fastify, { type FastifyInstance } from 'fastify'
import { collapseSlashes, mountRest } from '../rest-compat/mount.ts'
import { statementsAtOnce } from '../src/app/create-gateway.ts'
import { authenticator } from '../src/auth/caller.ts'
import { type ContextFor, createContextFactory } from '../src/gateway/context.ts'
import { createGateway } from '../src/gateway/gateway.ts'
import { createApp } from '../src/http/app.ts'
import { mountGraphql } from '../src/http/graphql/graphql-endpoint.ts'
import { createLog } from '../src/platform/logging/log.ts'
import { registry } from '../src/providers/registry.ts'
import { createInProcessNotifier } from '../src/queue/notifier.ts'
import { inProcessQueue } from '../src/queue/in-process-queue.ts'
import type { Database } from '../src/storage/database.ts'
import { callerLookups } from '../src/subgraphs/connections/applications/caller-lookups.ts'
import { renewalTiming } from '../src/subgraphs/connections/credentials/renewal-timing.ts'
import { Renewals } from '../src/subgraphs/connections/credentials/renewals.ts'
import { eventTypes } from '../src/domain/event-catalog.ts'
import { systemClock } from '../src/domain/time.ts'
import { encryption, type Fleet } from './fleet.ts'
import { handResponses, type HandVariables } from './hand-responses.ts'
import { rowsOf } from './hand-rows.ts'
import { recordedRows } from './recorded-rows.ts'
import { mountHandPurchase } from './purchases/hand-purchase.ts'
import { databaseAt, type StoreLocation } from './stores.ts'
import { workloadNames } from './workloads.ts'

/** The two servers that are compared over HTTP: the service, and the hand-written server. */
export const serverNames = ['ours', 'hand'] as const

export type ServerName = (typeof serverNames)[number]

type ReadDatabase = Pick<Database, 'rows' | 'dialect' | 'pool'> & Partial<Pick<Database, 'transaction'>>

export const servers: Readonly<
  Record<ServerName, (location: StoreLocation, fleet: Fleet) => Promise<FastifyInstance>>
> = {
  ours: async (location) => oursOver(await readDatabase(location)),
  hand: handWritten,
}

export async function readDatabase(location: StoreLocation): Promise<ReadDatabase> {
  const db = await databaseAt(location)
  return location.store === 'memory' ? { ...recordedRows(db), dialect: db.dialect, pool: () => null } : db
}

/** A check that misses its deadline does less work than the baseline. */
const NEVER_LATE_MS = 30_000

/** Returns contexts of the resolvers over a database. In memory, they only read. */
export const contextsOver = (db: ReadDatabase): ContextFor =>
  createContextFactory({
    db: { transaction: () => Promise.reject(new Error('this store is only read')), ...db },
    log: createLog('warn'),
    purchaseDeadlineMs: NEVER_LATE_MS,
    queue: inProcessQueue({ onError: () => undefined }),
    clock: systemClock,
    publicUrl: () => 'http://localhost',
    mediaUrl: () => 'http://localhost/media',
    statementsAtOnce: statementsAtOnce(db),
    cursorKey: encryption.derive('cursors'),
    notifier: createInProcessNotifier(),
    renewals: new Renewals(createLog('warn'), renewalTiming(4000)),
    registry: registry([]),
    secrets: encryption,
    linkUrl: () => 'http://localhost/link',
    pollOnDemand: () => Promise.resolve(),
  })

/** Builds the service as in production, over a database. */
async function oursOver(db: ReadDatabase): Promise<FastifyInstance> {
  const log = createLog('warn')
  const app = createApp({ log, rewriteUrl: collapseSlashes })
  const gateway = createGateway({
    authenticate: authenticator(callerLookups(db)),
    contextFor: contextsOver(db),
    log,
  })
  await mountGraphql(app, { gateway, introspection: true, log })
  mountRest(app, { gateway, eventTypes, unknownParameters: 'refuse' })
  return app
}

interface HandRequest {
  readonly Querystring: Readonly<Record<string, string>>
  readonly Body: { readonly variables: HandVariables } | null
}

/**
 * Builds an efficient server for these workloads alone. It has one route for each workload and reads only the variables
 * of a request. It selects only the needed columns, and finds keys in a map.
 */
async function handWritten(location: StoreLocation, { owner, secretKey }: Fleet): Promise<FastifyInstance> {
  const app = fastify() as unknown as FastifyInstance
  const rows = await rowsOf(location, owner)
  const keys = new Map([[`Bearer ${secretKey}`, owner]])
  for (const name of workloadNames)
    app.route<HandRequest>({
      url: `/${name}`,
      method: ['GET', 'POST'],
      async handler({ headers, body: request, query }, reply) {
        if (!keys.has(headers.authorization ?? '')) return reply.code(401).send()
        const body = await handResponses[name](rows, request?.variables ?? query)
        void reply.header('content-type', 'application/json; charset=utf-8')
        return JSON.stringify(body)
      },
    })
  if (location.store === 'mariadb') mountHandPurchase(app, location.mysqlUrl, owner)
  return app
}
