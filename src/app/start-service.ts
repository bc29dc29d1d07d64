import type { FastifyInstance } from 'fastify'
import { sendErrorResponse } from '../../rest-compat/response/error-response.ts'
import { collapseSlashes } from '../../rest-compat/mount.ts'
import { type Config, servesCallers, wantsDemo } from '../platform/config/config.ts'
import { ensureDemo, hasApplication, waitForDemoData, type ReadyDemo } from './demo.ts'
import { registerRoutes } from './role-routes.ts'
import { remoteSubgraphCheck, connectRemoteSubgraphs } from './remote-subgraphs.ts'
import { saveSchemas } from '../gateway/remote/custom-subgraphs.ts'
import { createApp } from '../http/app.ts'
import { GracefulShutdown } from '../http/graceful-shutdown.ts'
import { mountCardNetworks } from '../http/card-networks.ts'
import { mountHealth } from '../http/health.ts'
import { mountMedia } from '../http/media-proxy.ts'
import { mountMetrics } from '../http/metrics.ts'
import { mountProviderWebhooks } from '../http/provider-webhooks.ts'
import { recordRequests } from '../http/requests/record-requests.ts'
import { publicLinkUrl } from '../platform/config/link-url.ts'
import { rewriteLinkUrl } from '../link/rewrite-link-url.ts'
import type { Logger } from '../platform/logging/log.ts'
import { addressSet } from '../platform/outbound-http/reserved-ips.ts'
import type { TrustedProxies } from '../platform/remote-address.ts'
import type { ServiceState } from '../platform/metrics/state-metrics.ts'
import { startObservability } from './start-observability.ts'
import { createAppGateway } from './create-gateway.ts'
import { createServices } from './create-services.ts'
import { webhookRules } from '../platform/outbound-http/ssrf-guard.ts'
import { createOutboundHttp } from '../platform/outbound-http/outbound-http.ts'
import { readinessChecks } from './readiness.ts'
import { Disposer } from '../platform/lifecycle/disposer.ts'
import { dashboardSessions } from '../subgraphs/connections/sessions/dashboard-sessions.ts'
import { renewableCredentials } from '../subgraphs/connections/credentials/open-account.ts'
import { receiveNotification } from '../subgraphs/connections/provider-webhooks/receive-notification.ts'
import {
  createRequestLogWriter,
  type RequestLogWriter,
} from '../subgraphs/connections/requests/request-log-writer.ts'
import { openMediaByToken, createMediaTickets } from '../subgraphs/on-demand/media-tickets.ts'
import { loadPlaces } from '../subgraphs/purchases/evidence/find-jurisdiction.ts'
import { cardMessageReceiver } from '../subgraphs/purchases/networks/receive-card-message.ts'
import { syncLags } from '../sync/schedule/sync-lag.ts'
import type { WorkerDeps } from '../sync/sync-context.ts'
import { startWorker } from '../sync/worker.ts'
import { startEventSequencer } from '../webhooks/event-sequencer.ts'
import { outboxBacklog } from '../webhooks/outbox-backlog.ts'
import { startDeliveryWorker } from '../webhooks/worker/delivery-worker.ts'
import { deliveryBacklog } from '../webhooks/delivery-backlog.ts'

/** Running service. */
export interface Service {
  readonly url: string
  readonly demo: { readonly credentials: ReadyDemo; readonly isNew: boolean } | null
  /** Whether an application existed at the start. Without one, no caller has a key. */
  readonly hasApplication: boolean
  /** Stops accepting work, waits for running work, and releases all resources. */
  close(): Promise<void>
}

/**
 * Builds and starts the service for a configuration. `report` receives the lines that the terminal shows during
 * the start.
 */
export async function startService(
  config: Config,
  log: Logger,
  report: (line: string) => void,
): Promise<Service> {
  const disposer = new Disposer()
  try {
    return await build(config, log, disposer, report)
  } catch (error) {
    await disposer.close()
    throw error
  }
}

async function build(
  config: Config,
  log: Logger,
  disposer: Disposer,
  report: (line: string) => void,
): Promise<Service> {
  const metrics = await startObservability(config, log, disposer)
  const { role, dataDir } = config
  const services = await createServices(config, log, disposer)
  const { db, queue, secrets, clock } = services
  // Closed after everything that answers requests, and before the database.
  const requestLog = openRequestLog(services, config, disposer)

  // Closes everything that accepts requests, before the services that requests need. A disposer closes in reverse
  // order, here sockets before the server, because the server cannot close while a socket is open.
  const requestDisposer = disposer.add(new Disposer())
  const toLinkPage = rewriteLinkUrl(config.linkUrl)
  const rewriteUrl = (url: string, host: string | undefined) => toLinkPage(collapseSlashes(url), host)
  const proxies = trustedProxies(config)
  const app = createApp({
    log,
    proxies,
    compression: config.compression === 'on',
    isHttpsOnly: config.publicUrl?.startsWith('https:') ?? false,
    rewriteUrl,
    frameworkErrors: sendErrorResponse,
  })
  if (requestLog) recordRequests(app, requestLog)
  const shutdown = requestDisposer.add(new GracefulShutdown(app, config.drainSeconds * 1000))
  const publicUrl = () => config.publicUrl ?? urlOf(app)
  const linkUrl = () => publicLinkUrl(config) ?? `${urlOf(app)}/link`
  const tickets = createMediaTickets(secrets, clock)
  const remoteSubgraphs = await connectRemoteSubgraphs(config, log)
  const gateway = createAppGateway(
    services,
    config,
    { remoteSubgraphs, tickets, publicUrl, linkUrl },
    requestDisposer,
  )
  // Saved only now: the gateway has composed them, so they are valid.
  await saveSchemas(remoteSubgraphs.customSubgraphs, dataDir)

  const isWorker = role === 'all' || role === 'worker'
  const backlog = isWorker ? () => outboxBacklog(db, Date.now()) : undefined
  const subgraphChecks = [...remoteSubgraphs.remote.values()].map(({ client }) => remoteSubgraphCheck(client))
  mountHealth(app, [...readinessChecks({ db, queue, backlog }), ...subgraphChecks], shutdown.isDraining)
  // The service starts even if Redis is unusable. The log then shows the reason at once.
  for (const { name, run } of queue.checks)
    run().catch((err: unknown) => log.error({ err, check: name }, 'readiness check failed at start'))
  if (servesCallers(role)) {
    mountMedia(
      app,
      openMediaByToken({
        ...services,
        tickets,
        renewing: (...args) => renewableCredentials(services, ...args),
      }),
    )
    mountProviderWebhooks(app, (...args) => receiveNotification(services, ...args))
    mountCardNetworks(app, gateway, cardMessageReceiver(services))
  }
  if (servesCallers(role) || role === 'subgraph:purchases')
    loadPlaces().catch((err: unknown) => log.error({ err }, 'tables of places not loaded'))
  const sessions = dashboardSessions(services)
  const parts = { gateway, deps: services, proxies, requestLog, sessions }
  const routeGauges = await registerRoutes(app, parts, config, requestDisposer)
  if (metrics) {
    metrics.addState({
      ...(isWorker ? backgroundGauges(services, config) : {}),
      ...gaugesOf(services),
      ...routeGauges,
    })
    mountMetrics(app, { ...metrics, token: config.metricsToken })
  }
  await app.listen({ port: config.port, host: config.host })
  services.folderLock?.publishAddress(urlOf(app))

  const demo = wantsDemo(config)
    ? await ensureDemo({ ...services, dataDir, fleetSize: config.fleetSize })
    : null
  if (isWorker) await startBackgroundWork({ ...services, db: db.inBackground() }, config, linkUrl, disposer)
  if (demo?.isNew) {
    report(`Linking a simulated fleet of ${config.fleetSize} vehicles`)
    await waitForDemoData(db, demo.credentials, report)
  }
  const close = async () => {
    await shutdown.begin()
    await requestDisposer.close()
    await disposer.close()
  }
  return { url: publicUrl(), demo, hasApplication: await hasApplication(db), close }
}

/** Creates the writer of the request log. Undefined if the log is off. A subgraph logs no requests: its gateway does. */
const openRequestLog = (
  { db, clock, log }: WorkerDeps,
  { role, requestLogDays }: Config,
  disposer: Disposer,
): RequestLogWriter | undefined =>
  servesCallers(role) && requestLogDays > 0
    ? disposer.add(
        createRequestLogWriter({
          db,
          clock,
          onWriteError: (err) => log.warn({ err }, 'request log write failed'),
        }),
      )
    : undefined

/** Returns the proxies that report the addresses of callers. */
const trustedProxies = (config: Config): TrustedProxies => ({
  isProxy: config.trustedProxies.length > 0 ? addressSet(config.trustedProxies) : null,
  // The server itself has no TLS, so an https URL implies a proxy.
  hasOneProxy: publicLinkUrl(config)?.startsWith('https:') ?? false,
})

/** Returns the sources of the gauges that every role has. */
const gaugesOf = ({ db, queue }: WorkerDeps): ServiceState => ({
  jobCounts: () => queue.counts(),
  pool: () => db.pool(),
})

/** Returns the sources of the gauges for the backlogs of background work. */
const backgroundGauges = ({ db }: WorkerDeps, { syncMinutes }: Config): ServiceState => ({
  backlog: () => outboxBacklog(db, Date.now()),
  syncLags: () => syncLags(db, Date.now(), syncMinutes * 60_000),
  deliveries: () => deliveryBacklog(db, Date.now()),
})

/** Starts the background work: event sequencer, jobs and webhook delivery. */
async function startBackgroundWork(
  services: WorkerDeps,
  config: Config,
  linkUrl: () => string,
  disposer: Disposer,
): Promise<void> {
  disposer.add(startEventSequencer(services.db, services.notifier, services.log))
  disposer.add(
    await startWorker(services, { pollMs: config.pollSeconds * 1000, syncMs: config.syncMinutes * 60_000 }),
  )
  const outboundHttp = disposer.add(createOutboundHttp(webhookRules(config)))
  disposer.add(startDeliveryWorker({ ...services, outboundHttp, linkUrl }))
}

function urlOf(app: FastifyInstance): string {
  const address = app.server.address()
  if (address === null || typeof address === 'string') return 'http://localhost'
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host === '0.0.0.0' || host === '[::]' ? 'localhost' : host}:${address.port}`
}
