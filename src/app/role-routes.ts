import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { mountRest } from '../../rest-compat/mount.ts'
import { eventTypes } from '../domain/event-catalog.ts'
import { type Config, isOn, servesCallers } from '../platform/config/config.ts'
import { subgraphs } from '../gateway/subgraphs.ts'
import { mountGraphql } from '../http/graphql/graphql-endpoint.ts'
import { ConnectionLimiter } from '../http/connection-limits.ts'
import { mountCors } from '../http/cors.ts'
import { mountDashboard } from '../http/dashboard/mount-dashboard.ts'
import { createSessionCookie } from '../http/dashboard/session-cookie.ts'
import { mountGuides } from '../http/pages/guides.ts'
import { mountPages } from '../http/pages/pages.ts'
import { mountWebsockets } from '../http/websockets/websockets.ts'
import { GraphqlSse } from '../http/sse/graphql-sse.ts'
import { mountSubgraphEndpoint } from '../http/graphql/subgraph-endpoint.ts'
import type { TrustedProxies } from '../platform/remote-address.ts'
import { publicLinkUrl } from '../platform/config/link-url.ts'
import { mountLink } from '../link/mount.ts'
import type { ServiceState } from '../platform/metrics/state-metrics.ts'
import type { AppGateway } from './create-gateway.ts'
import type { Disposer } from '../platform/lifecycle/disposer.ts'
import type { RequestLogWriter } from '../subgraphs/connections/requests/request-log-writer.ts'
import type { DashboardSessions } from '../subgraphs/connections/sessions/dashboard-sessions.ts'
import type { WorkerDeps } from '../sync/sync-context.ts'

/** Folders into which `npm run build` writes the dashboard, the pages and the guides. */
const DASHBOARD = join(import.meta.dirname, '../../dashboard')
const PAGES = join(import.meta.dirname, '../../pages')
const GUIDES = join(import.meta.dirname, '../../guides')

interface RouteParts {
  readonly gateway: AppGateway
  readonly deps: WorkerDeps
  readonly proxies: TrustedProxies
  readonly requestLog: RequestLogWriter | undefined
  readonly sessions: DashboardSessions
}

/** Registers the HTTP routes of a role; a worker has none. Returns the sources of the gauges that the routes need. */
export async function registerRoutes(
  app: FastifyInstance,
  { gateway, deps, proxies, requestLog, sessions }: RouteParts,
  config: Config,
  disposer: Disposer,
): Promise<ServiceState> {
  const { role } = config
  const { log } = deps
  const { access } = gateway
  if (servesCallers(role)) {
    const introspection = isOn('introspection', config)
    const { corsOrigins, publicUrl } = config
    await mountCors(app, corsOrigins)
    // Behind a proxy with another host name, the pages of this service have the origin of the public URL. They open
    // websockets, so that origin is permitted too.
    const origins = publicUrl === undefined ? corsOrigins : [...corsOrigins, new URL(publicUrl).origin]
    const basePath = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')
    const cookie = createSessionCookie(publicUrl)
    const { authenticate, failedAttempts } = gateway
    mountDashboard(app, {
      folder: DASHBOARD,
      basePath,
      cookie,
      sessions,
      authenticate,
      failedAttempts,
    })
    const pages = mountPages(app, PAGES, basePath)
    const graphiqlPage = isOn('graphiql', config) ? pages.graphiql : undefined
    mountGuides(app, { folder: GUIDES, guide: pages.guide, hasGraphiql: graphiqlPage !== undefined })
    const limiter = new ConnectionLimiter({
      sockets: config.socketsPerApplication,
      subscriptions: config.subscriptionsPerApplication,
      subscriptionDocuments: config.subscriptionDocumentsPerApplication,
      operationsPerSocket: config.operationsPerSocket,
    })
    const streams = disposer.add(new GraphqlSse({ gateway, access, introspection, log, limiter }))
    streams.mount(app)
    await mountGraphql(app, { gateway, introspection, page: graphiqlPage, streams, log })
    mountRest(app, { gateway, eventTypes, basePath, unknownParameters: config.restUnknownParams })
    disposer.add(mountLink(app, { ...deps, keyUses: gateway.keyUses, ...linkOptions(config) }))
    app.get('/tsp/v1/docs', (_request, reply) => pages.restDocs(reply))
    const { counts: sockets } = disposer.add(
      mountWebsockets(app.server, {
        gateway,
        access,
        introspection,
        origins,
        log,
        limiter,
        proxies,
        cookie,
        requestLog,
      }),
    )
    return { sockets }
  }
  const servedSubgraph = subgraphs.find(({ name }) => role === `subgraph:${name}`)
  if (servedSubgraph) disposer.add(mountSubgraphEndpoint(app, servedSubgraph, { ...gateway, log }))
  return {}
}

/** Options of the link pages: their URL and the rate limits. */
const linkOptions = (config: Config) => ({
  baseUrl: publicLinkUrl(config),
  limits: {
    signInsPerRun: config.linkSignInsPerRun,
    perAddress: config.linkRatePerAddress,
    perKey: config.linkRatePerKey,
  },
})
