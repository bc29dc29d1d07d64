import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { answerError } from '../rest-compat/answer-error.ts'
import { collapseSlashes, mountRest } from '../rest-compat/mount.ts'
import { authenticator } from './auth/caller.ts'
import { LiveAccess } from './auth/live-access.ts'
import { secretBox } from './auth/secret-box.ts'
import { sessionTokens } from './auth/session-tokens.ts'
import { type Config, isOn, type Role } from './config.ts'
import { demoIn, type ReadyDemo } from './demo.ts'
import { contexts } from './gateway/context.ts'
import { createGateway, type Gateway } from './gateway/gateway.ts'
import type { RemotePlace } from './gateway/remote/executor.ts'
import { foreignSubgraphs, keepSchemas } from './gateway/remote/foreign-subgraphs.ts'
import type { Line } from './gateway/remote/line.ts'
import { remotePlaces } from './gateway/remote/places.ts'
import { unavailable } from './gateway/remote/unavailable.ts'
import { subgraphs } from './gateway/subgraphs.ts'
import { createApp } from './http/app.ts'
import { Drain } from './http/drain.ts'
import { mountGraphql } from './http/graphql.ts'
import { type Check, mountHealth } from './http/health.ts'
import { LiveUse } from './http/live-use.ts'
import { mountMedia } from './http/media.ts'
import { mountMetrics } from './http/metrics.ts'
import { mountCors } from './http/origins.ts'
import { mountPages } from './http/pages/pages.ts'
import { mountSockets } from './http/sockets.ts'
import { mountSubgraph } from './http/subgraph.ts'
import { GraphqlStreams } from './http/streams/graphql-streams.ts'
import { makeKeyFile, masterKeysOf } from './key-file.ts'
import type { Logger } from './log.ts'
import type { States } from './metrics/state-metrics.ts'
import { observed } from './observation.ts'
import { providerTurns } from './providers/budgets/provider-turns.ts'
import { registry } from './providers/registry.ts'
import { sandboxAdapter } from './providers/sandbox/adapter.ts'
import { startSandbox } from './providers/sandbox/program.ts'
import { bullmqQueue } from './queue/bullmq.ts'
import { inProcessDoorbell, redisDoorbell } from './queue/doorbell.ts'
import { inProcessQueue } from './queue/in-process.ts'
import { JobStalled, type OnQueueError } from './queue/queue.ts'
import { readinessChecks } from './readiness.ts'
import { webhookRules } from './outgoing/check-url.ts'
import { outgoing } from './outgoing/outgoing.ts'
import { Resources } from './resources.ts'
import { type Database, openDatabase } from './storage/database.ts'
import { prepareDatabase } from './storage/prepare-database.ts'
import { accessTopic } from './subgraphs/access.ts'
import { accessLookups } from './subgraphs/connections/applications/access-lookups.ts'
import { callerLookups } from './subgraphs/connections/applications/caller-lookups.ts'
import { films, mediaTickets } from './subgraphs/media.ts'
import { syncLags } from './sync/lag.ts'
import type { SyncTools } from './sync/run.ts'
import { startWorker } from './sync/worker.ts'
import { systemClock } from './time.ts'
import { jobFailures } from './watched.ts'
import { backlogOf } from './webhooks/backlog.ts'
import { startCourier } from './webhooks/courier.ts'
import { deliveryBacklog } from './webhooks/delivery-backlog.ts'

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
  const { role, mysqlUrl, redisUrl, queuePrefix: prefix, dataDir } = config
  const { retentionDays, eventRetentionDays } = config
  if (config.encryptionKey === undefined) makeKeyFile(dataDir)
  const secrets = secretBox(masterKeysOf(config))
  const place = { mysqlUrl, sqlitePath: join(dataDir, 'odograph.db') }
  await prepareDatabase(place, config, log)
  const db = opened.add(
    await openDatabase({
      ...place,
      replicaUrls: config.mysqlReplicas,
      poolSize: config.mysqlPool,
      timeoutMs: config.queryTimeoutSeconds * 1000,
    }),
  )
  const doorbell = opened.add(redisUrl ? redisDoorbell({ redisUrl, prefix }) : inProcessDoorbell())
  const onError: OnQueueError = (job, jobId, err, final) => {
    log.error({ err, job, jobId, final }, 'a job failed')
    jobFailures.tell({ job, final, stalled: err instanceof JobStalled })
  }
  const queue = opened.add(
    redisUrl ? bullmqQueue({ redisUrl, prefix, onError }) : inProcessQueue({ onError }),
  )
  const makesDemo = serves(role) && (config.demo === 'on' || (config.demo === 'auto' && !mysqlUrl))
  const sandboxUrl =
    config.sandboxUrl ?? (makesDemo ? opened.add(await startSandbox(config)).url : 'http://127.0.0.1:9')
  const { turnsOf } = opened.add(providerTurns(config, log))
  const providers = registry([sandboxAdapter(sandboxUrl, turnsOf)])
  for (const code of config.providerBudgets.keys())
    if (!providers.find(code)) throw new Error(`PROVIDER_BUDGETS: there is no provider ${code}`)
  const tools = {
    db,
    queue,
    doorbell,
    registry: providers,
    secrets,
    clock: systemClock,
    log,
    retentionDays,
    eventRetentionDays,
  }

  // What requests come in by: it is closed before what they need. An open socket would keep the server from closing.
  const doors = opened.add(new Resources())
  const app = createApp({ log, rewriteUrl: collapseSlashes, frameworkErrors: answerError })
  const drain = doors.add(new Drain(app, config.drainSeconds * 1000))
  const publicUrl = () => config.publicUrl ?? urlOf(app)
  const linkUrl = () => config.linkUrl ?? `${publicUrl()}/link`
  const tickets = mediaTickets(secrets, systemClock)
  const { remote, foreign } = await elsewhere(config, log)
  const listen = (applicationId: string, ear: () => void) => doorbell.listen(accessTopic(applicationId), ear)
  const access = doors.add(
    new LiveAccess({
      lookups: accessLookups(db),
      listen,
      clock: systemClock,
      lookMs: redisUrl ? ACCESS_LOOK_MS : ACCESS_LOOK_UNRUNG_MS,
      onTrouble: (err) => log.warn({ err }, 'it cannot be looked up whose access has ended'),
    }),
  )
  const gateway = createGateway({
    authenticate: authenticator(callerLookups(db), { tokens: sessionTokens(secrets, systemClock), listen }),
    contextFor: contexts({
      ...tools,
      ...(config.mysqlReplicas.length > 0 ? { forReading: () => db.forReading() } : {}),
      cursorKey: secrets.derive('cursors'),
      linkUrl,
      outgoingRules: webhookRules(config),
      mediaUrl: (film) => `${publicUrl()}/media/${tickets.tokenOf(film)}`,
    }),
    log,
    remote,
    foreign,
  })
  await keepSchemas(foreign, dataDir)
  const works = role === 'all' || role === 'worker'
  const backlog = works ? () => backlogOf(db, Date.now()) : undefined
  mountHealth(
    app,
    [...readinessChecks({ db, queue, backlog }), ...[...remote.values()].map(({ line }) => checkOf(line))],
    drain.isDraining,
  )
  for (const { name, run } of queue.checks)
    run().catch((err: unknown) => log.error({ err, check: name }, 'the service is not ready'))
  if (serves(role)) mountMedia(app, films({ ...tools, tickets }))
  const sockets = await mountRole(app, { ...gateway, access }, config, log, doors)
  if (metrics) {
    const syncMs = config.syncMinutes * 60_000
    const syncStates = backlog && {
      backlog,
      syncLags: () => syncLags(db, Date.now(), syncMs),
      deliveries: () => deliveryBacklog(db, Date.now()),
    }
    metrics.show({ ...syncStates, ...sockets, jobCounts: () => queue.counts(), pool: () => db.pool() })
    mountMetrics(app, { ...metrics, token: config.metricsToken })
  }
  await app.listen({ port: config.port, host: config.host })

  const demo = makesDemo ? await demoIn({ ...tools, dataDir, fleetSize: config.fleetSize }) : null
  const jobTools = { ...tools, db: db.inBackground() }
  if (works) await startWork(jobTools, config, linkUrl, opened)
  if (demo?.made) await firstAnswers(db, demo.demo.connectionId)
  const close = async () => {
    await drain.begin()
    await doors.close()
    await opened.close()
  }
  return { url: publicUrl(), demo, close }
}

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

/** The subgraphs in other processes, and what an operator's own ones add; a gateway alone asks any. */
async function elsewhere({ role, subgraphUrls, subgraphTimeoutSeconds, ...config }: Config, log: Logger) {
  if (!serves(role)) return { remote: new Map<string, RemotePlace>(), foreign: [] }
  const ours = subgraphs.map(({ name }): string => name)
  const remote = remotePlaces(subgraphUrls, {
    ours,
    timeoutMs: subgraphTimeoutSeconds * 1000,
    secret: config.subgraphSecret,
  })
  return { remote, foreign: await foreignSubgraphs(remote.values(), { folder: config.dataDir, log }) }
}

const checkOf = (line: Line): Check => ({
  name: `subgraph ${line.name}`,
  isPartial: true,
  async run() {
    if (!(await line.answers())) throw unavailable(line.name)
  },
})

const FIRST_ANSWERS_MS = 5000
const LOOK_MS = 50

/** Waits until the demo has vehicles and knows where they are, or long enough. */
async function firstAnswers(db: Database, connectionId: string): Promise<void> {
  const until = Date.now() + FIRST_ANSWERS_MS
  const found = (table: string) =>
    db.rows(`SELECT 1 FROM \`${table}\` WHERE \`connectionId\` = ? LIMIT 1`, [connectionId])
  while (Date.now() < until) {
    const answers = await Promise.all(['vehicles', 'devices', 'latest_vehicle_locations'].map(found))
    if (answers.every((rows) => rows.length > 0)) return
    await setTimeout(LOOK_MS)
  }
}

/** Where `npm run build` leaves the pages. */
const PAGES = join(import.meta.dirname, '../pages')

const serves = (role: Role): boolean => role === 'all' || role === 'gateway'

/** A ring is lost where a process or its Redis fails; without Redis there is none from other processes at all. */
const ACCESS_LOOK_MS = 3_000
const ACCESS_LOOK_UNRUNG_MS = 700

/** What a role serves over HTTP; a worker serves its health alone. */
async function mountRole(
  app: FastifyInstance,
  gateway: Gateway & { readonly access: LiveAccess },
  config: Config,
  log: Logger,
  doors: Resources,
): Promise<States> {
  const { role } = config
  const { access } = gateway
  if (serves(role)) {
    const introspection = isOn('introspection', config)
    const { corsOrigins, publicUrl } = config
    await mountCors(app, corsOrigins)
    // Behind a proxy that names another host, our own pages come from here.
    const origins = publicUrl === undefined ? corsOrigins : [...corsOrigins, new URL(publicUrl).origin]
    const pages = mountPages(app, PAGES)
    const page = isOn('graphiql', config) ? pages.graphiql : undefined
    const use = new LiveUse({
      sockets: config.socketsPerApplication,
      subscriptions: config.subscriptionsPerApplication,
      operationsPerSocket: config.operationsPerSocket,
    })
    const streams = doors.add(new GraphqlStreams({ gateway, access, introspection, log, use }))
    streams.mount(app)
    await mountGraphql(app, { gateway, introspection, page, streams, log })
    mountRest(app, { gateway, unknownParameters: config.restUnknownParams })
    app.get('/tsp/v1/docs', (_request, reply) => pages.restDocs(reply))
    const { counts: sockets } = doors.add(
      mountSockets(app.server, { gateway, access, introspection, origins, log, use }),
    )
    return { sockets }
  }
  const served = subgraphs.find(({ name }) => role === `subgraph:${name}`)
  if (served) doors.add(mountSubgraph(app, served, { ...gateway, log }))
  return {}
}

function urlOf(app: FastifyInstance): string {
  const address = app.server.address()
  if (address === null || typeof address === 'string') return 'http://localhost'
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host === '0.0.0.0' || host === '[::]' ? 'localhost' : host}:${address.port}`
}
