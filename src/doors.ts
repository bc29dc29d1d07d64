import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { mountRest } from '../rest-compat/mount.ts'
import { type Config, isOn, serves } from './config.ts'
import { subgraphs } from './gateway/subgraphs.ts'
import { mountGraphql } from './http/graphql.ts'
import { LiveUse } from './http/live-use.ts'
import { mountCors } from './http/origins.ts'
import { mountPages } from './http/pages/pages.ts'
import { mountSockets } from './http/sockets.ts'
import { GraphqlStreams } from './http/streams/graphql-streams.ts'
import { mountSubgraph } from './http/subgraph.ts'
import { linkAddress } from './link-address.ts'
import { mountLink } from './link/mount.ts'
import type { States } from './metrics/state-metrics.ts'
import type { OpenGateway } from './open-gateway.ts'
import type { Resources } from './resources.ts'
import type { SyncTools } from './sync/run.ts'

/** Where `npm run build` leaves the pages. */
const PAGES = join(import.meta.dirname, '../pages')

/** What a role serves over HTTP; a worker serves its health alone. */
export async function mountRole(
  app: FastifyInstance,
  { gateway, tools }: { readonly gateway: OpenGateway; readonly tools: SyncTools },
  config: Config,
  doors: Resources,
): Promise<States> {
  const { role } = config
  const { log } = tools
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
    doors.add(mountLink(app, { ...tools, keyUses: gateway.keyUses, ...linkRules(config) }))
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

/** Where the link pages are, whom they believe who comes to them, and how often. */
const linkRules = (config: Config) => ({
  address: linkAddress(config),
  proxies: config.trustedProxies,
  limits: {
    signInsPerRun: config.linkSignInsPerRun,
    perAddress: config.linkRatePerAddress,
    perKey: config.linkRatePerKey,
  },
})
