import type { FastifyInstance } from 'fastify'
import { answerError } from '../rest-compat/answer-error.ts'
import { collapseSlashes } from '../rest-compat/mount.ts'
import { type Config, serves } from './config.ts'
import { demoIn, firstAnswers, makesDemo, type ReadyDemo } from './demo.ts'
import { mountRole } from './doors.ts'
import { checkOf, elsewhere } from './elsewhere.ts'
import { keepSchemas } from './gateway/remote/foreign-subgraphs.ts'
import { createApp } from './http/app.ts'
import { Drain } from './http/drain.ts'
import { mountHealth } from './http/health.ts'
import { mountMedia } from './http/media.ts'
import { mountMetrics } from './http/metrics.ts'
import { mountProviderWebhooks } from './http/provider-webhooks.ts'
import { linkAddress } from './link-address.ts'
import { atLinkRoot } from './link/root.ts'
import type { Logger } from './log.ts'
import type { States } from './metrics/state-metrics.ts'
import { observed } from './observation.ts'
import { openGateway } from './open-gateway.ts'
import { openTools } from './open-tools.ts'
import { webhookRules } from './outgoing/check-url.ts'
import { outgoing } from './outgoing/outgoing.ts'
import { readinessChecks } from './readiness.ts'
import { Resources } from './resources.ts'
import { renewingOf } from './subgraphs/connections/credentials/open-account.ts'
import { takeHint } from './subgraphs/connections/provider-webhooks/take-hint.ts'
import { films, mediaTickets } from './subgraphs/media.ts'
import { syncLags } from './sync/schedule/lag.ts'
import type { SyncTools } from './sync/run.ts'
import { startWorker } from './sync/worker.ts'
import { backlogOf } from './webhooks/backlog.ts'
import { startCourier } from './webhooks/courier/courier.ts'
import { deliveryBacklog } from './webhooks/delivery/delivery-backlog.ts'

/** A running service. */
export interface Service {
  readonly url: string
  readonly demo: { readonly demo: ReadyDemo; readonly made: boolean } | null
  /** Stops taking work, ends what runs, and frees everything. */
  close(): Promise<void>
}

/** Builds the service that a configuration asks for, and starts it. */
export async function startService(config: Config, log: Logger): Promise<Service> {
  const opened = new Resources()
  try {
    return await build(config, log, opened)
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function build(config: Config, log: Logger, opened: Resources): Promise<Service> {
  const metrics = await observed(config, log, opened)
  const { role, dataDir } = config
  const tools = await openTools(config, log, opened)
  const { db, queue, secrets, clock } = tools

  // What requests come in by: it is closed before what they need. An open socket would keep the server from closing.
  const doors = opened.add(new Resources())
  const atLink = atLinkRoot(config.linkUrl)
  const rewriteUrl = (url: string, host: string | undefined) => atLink(collapseSlashes(url), host)
  const app = createApp({ log, rewriteUrl, frameworkErrors: answerError })
  const drain = doors.add(new Drain(app, config.drainSeconds * 1000))
  const publicUrl = () => config.publicUrl ?? urlOf(app)
  const linkUrl = () => linkAddress(config) ?? `${urlOf(app)}/link`
  const tickets = mediaTickets(secrets, clock)
  const others = await elsewhere(config, log)
  const gateway = openGateway(tools, config, { elsewhere: others, tickets, publicUrl, linkUrl }, doors)
  await keepSchemas(others.foreign, dataDir)

  const works = role === 'all' || role === 'worker'
  const backlog = works ? () => backlogOf(db, Date.now()) : undefined
  const lines = [...others.remote.values()].map(({ line }) => checkOf(line))
  mountHealth(app, [...readinessChecks({ db, queue, backlog }), ...lines], drain.isDraining)
  for (const { name, run } of queue.checks)
    run().catch((err: unknown) => log.error({ err, check: name }, 'the service is not ready'))
  if (serves(role)) {
    mountMedia(app, films({ ...tools, tickets, renewing: (...asked) => renewingOf(tools, ...asked) }))
    mountProviderWebhooks(app, (...told) => takeHint(tools, ...told))
  }
  const sockets = await mountRole(app, { gateway, tools }, config, doors)
  if (metrics) {
    metrics.show({ ...(works ? workStates(tools, config) : {}), ...statesOf(tools), ...sockets })
    mountMetrics(app, { ...metrics, token: config.metricsToken })
  }
  await app.listen({ port: config.port, host: config.host })

  const demo = makesDemo(config) ? await demoIn({ ...tools, dataDir, fleetSize: config.fleetSize }) : null
  if (works) await startWork({ ...tools, db: db.inBackground() }, config, linkUrl, opened)
  if (demo?.made) await firstAnswers(db, demo.demo.connectionId)
  const close = async () => {
    await drain.begin()
    await doors.close()
    await opened.close()
  }
  return { url: publicUrl(), demo, close }
}

const statesOf = ({ db, queue }: SyncTools): States => ({
  jobCounts: () => queue.counts(),
  pool: () => db.pool(),
})

/** How far behind the work is. */
const workStates = ({ db }: SyncTools, { syncMinutes }: Config): States => ({
  backlog: () => backlogOf(db, Date.now()),
  syncLags: () => syncLags(db, Date.now(), syncMinutes * 60_000),
  deliveries: () => deliveryBacklog(db, Date.now()),
})

/** What a worker does: it syncs, places the events, and delivers them. */
async function startWork(
  tools: SyncTools,
  config: Config,
  linkUrl: () => string,
  opened: Resources,
): Promise<void> {
  opened.add(
    await startWorker(tools, { pollMs: config.pollSeconds * 1000, syncMs: config.syncMinutes * 60_000 }),
  )
  const outside = opened.add(outgoing(webhookRules(config)))
  opened.add(startCourier({ ...tools, outgoing: outside, linkUrl }))
}

function urlOf(app: FastifyInstance): string {
  const address = app.server.address()
  if (address === null || typeof address === 'string') return 'http://localhost'
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host === '0.0.0.0' || host === '[::]' ? 'localhost' : host}:${address.port}`
}
