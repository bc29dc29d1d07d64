import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { answerError } from '../rest-compat/answer-error.ts'
import { collapseSlashes, mountRest } from '../rest-compat/mount.ts'
import { authenticator } from './auth/caller.ts'
import { secretBox } from './auth/secret-box.ts'
import { type Config, isOn, type Role } from './config.ts'
import { demoIn, type ReadyDemo } from './demo.ts'
import { contexts } from './gateway/context.ts'
import { createGateway, type Gateway } from './gateway/gateway.ts'
import { subgraphs } from './gateway/subgraphs.ts'
import { createApp } from './http/app.ts'
import { mountGraphql } from './http/graphql.ts'
import { mountHealth } from './http/health.ts'
import { mountMedia } from './http/media.ts'
import { mountPages } from './http/pages/pages.ts'
import { mountSockets } from './http/sockets.ts'
import { mountSubgraph } from './http/subgraph.ts'
import { masterKeyIn } from './key-file.ts'
import type { Logger } from './log.ts'
import { registry } from './providers/registry.ts'
import { sandboxAdapter } from './providers/sandbox/adapter.ts'
import { startSandbox } from './providers/sandbox/program.ts'
import { bullmqQueue } from './queue/bullmq.ts'
import { inProcessDoorbell, redisDoorbell } from './queue/doorbell.ts'
import { inProcessQueue } from './queue/in-process.ts'
import type { OnQueueError } from './queue/queue.ts'
import { Resources } from './resources.ts'
import { type Database, openDatabase } from './storage/database.ts'
import { callerLookups } from './subgraphs/connections/applications/caller-lookups.ts'
import { films, mediaTickets } from './subgraphs/media.ts'
import { startWorker } from './sync/worker.ts'
import { systemClock } from './time.ts'

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
  const { role, mysqlUrl, redisUrl, queuePrefix: prefix, dataDir } = config
  const secrets = secretBox(
    config.encryptionKey ? Buffer.from(config.encryptionKey, 'base64') : masterKeyIn(dataDir),
  )
  const db = opened.add(
    await openDatabase({ mysqlUrl, sqlitePath: join(dataDir, 'odograph.db'), poolSize: config.mysqlPool }),
  )
  await db.migrate()
  const doorbell = opened.add(redisUrl ? redisDoorbell({ redisUrl, prefix }) : inProcessDoorbell())
  const onError: OnQueueError = (job, jobId, err, final) =>
    log.error({ err, job, jobId, final }, 'a job failed')
  const queue = opened.add(
    redisUrl ? bullmqQueue({ redisUrl, prefix, onError }) : inProcessQueue({ onError }),
  )
  const makesDemo = serves(role) && (config.demo === 'on' || (config.demo === 'auto' && !mysqlUrl))
  const sandboxUrl =
    config.sandboxUrl ?? (makesDemo ? opened.add(await startSandbox(config)).url : 'http://127.0.0.1:9')
  const providers = registry([sandboxAdapter(sandboxUrl)])
  const tools = { db, queue, doorbell, registry: providers, secrets, clock: systemClock, log }

  // Before the sockets, which are closed first: an open one would keep the server from closing.
  const app = opened.add(createApp({ log, rewriteUrl: collapseSlashes, frameworkErrors: answerError }))
  const publicUrl = () => config.publicUrl ?? urlOf(app)
  const linkUrl = () => config.linkUrl ?? `${publicUrl()}/link`
  const tickets = mediaTickets(secrets, systemClock)
  const gateway = createGateway({
    authenticate: authenticator(callerLookups(db)),
    contextFor: contexts({
      ...tools,
      cursorKey: secrets.derive('cursors'),
      linkUrl,
      mediaUrl: (film) => `${publicUrl()}/media/${tickets.tokenOf(film)}`,
    }),
    log,
    remote: config.subgraphUrls,
  })
  mountHealth(app, [{ name: 'database', run: () => db.rows('SELECT 1') }])
  if (serves(role)) mountMedia(app, films({ ...tools, tickets }))
  await mountRole(app, gateway, config, log, opened)
  await app.listen({ port: config.port, host: config.host })

  const demo = makesDemo ? await demoIn({ ...tools, dataDir, fleetSize: config.fleetSize }) : null
  if (role === 'all' || role === 'worker')
    opened.add(
      await startWorker(tools, { pollMs: config.pollSeconds * 1000, syncMs: config.syncMinutes * 60_000 }),
    )
  if (demo?.made) await firstAnswers(db, demo.demo.connectionId)
  return { url: publicUrl(), demo, close: () => opened.close() }
}

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

/** What a role serves over HTTP; a worker serves its health alone. */
async function mountRole(
  app: FastifyInstance,
  gateway: Gateway,
  config: Config,
  log: Logger,
  opened: Resources,
) {
  const { role } = config
  if (serves(role)) {
    const introspection = isOn('introspection', config)
    const pages = mountPages(app, PAGES)
    const page = isOn('graphiql', config) ? pages.graphiql : undefined
    await mountGraphql(app, { gateway, introspection, page, log })
    mountRest(app, { gateway, unknownParameters: config.restUnknownParams })
    app.get('/tsp/v1/docs', (_request, reply) => pages.restDocs(reply))
    opened.add(mountSockets(app.server, { gateway, introspection, log }))
  }
  const served = subgraphs.find(({ name }) => role === `subgraph:${name}`)
  if (served) mountSubgraph(app, served, gateway, log)
}

function urlOf(app: FastifyInstance): string {
  const address = app.server.address()
  if (address === null || typeof address === 'string') return 'http://localhost'
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host === '0.0.0.0' || host === '[::]' ? 'localhost' : host}:${address.port}`
}
