import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { ExecutionResult } from 'graphql'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { answerError } from '../../rest-compat/answer-error.ts'
import { mountRest } from '../../rest-compat/mount.ts'
import { type Authenticate, authenticator } from '../../src/auth/caller.ts'
import type { ComposedSubgraph } from '../../src/gateway/compose.ts'
import type { ContextFor } from '../../src/gateway/context.ts'
import { createGateway } from '../../src/gateway/gateway.ts'
import type { RemotePlace } from '../../src/gateway/remote/executor.ts'
import { subgraphs } from '../../src/gateway/subgraphs.ts'
import { createApp } from '../../src/http/app.ts'
import { mountGraphql } from '../../src/http/graphql.ts'
import { type LiveLimits, LiveUse } from '../../src/http/live-use.ts'
import { GraphqlStreams } from '../../src/http/streams/graphql-streams.ts'
import { mountSockets, type OpenSockets } from '../../src/http/sockets.ts'
import { type Doorbell, inProcessDoorbell } from '../../src/queue/doorbell.ts'
import type { Database } from '../../src/storage/database.ts'
import { LogEntry } from '../../src/storage/outbox.ts'
import { tableOf } from '../../src/storage/table.ts'
import { callerLookups } from '../../src/subgraphs/connections/applications/caller-lookups.ts'
import { eventsTopic } from '../../src/subgraphs/events/topics.ts'
import { eventRow, type Party, type PlantedApplication, temporaryDatabase } from '../factories.ts'
import { plantFleets, type PlantedFleets } from '../graph/fleets.ts'
import { type Answer, contextsOver, silent } from '../graph/rig.ts'
import { placesAt, serveSubgraph, type SubgraphServer } from '../graph/subgraph-server.ts'
import { headersOf } from '../rest/rig.ts'

const AMPLE = { sockets: 1000, subscriptions: 1000, operationsPerSocket: 100 }

/** A database with two fleets, subgraphs on ports of their own, and gateways over them, all over real HTTP. */
export class Federation implements AsyncDisposable {
  readonly servers = new Map<string, SubgraphServer>()
  private readonly ports = new Map<string, number>()
  private readonly apps: FastifyInstance[] = []
  private readonly authenticate: Authenticate
  readonly contextFor: ContextFor

  private constructor(
    readonly db: Database & AsyncDisposable,
    readonly fleets: PlantedFleets,
    readonly doorbell: Doorbell,
  ) {
    this.authenticate = authenticator(callerLookups(db))
    this.contextFor = contextsOver(db, doorbell)
  }

  static async start(remote: readonly string[] = subgraphs.map(({ name }) => name)): Promise<Federation> {
    const db = await temporaryDatabase('sqlite')
    const federation = new Federation(db, await plantFleets(db), inProcessDoorbell())
    for (const name of remote) await federation.startSubgraph(name)
    return federation
  }

  get fleet(): PlantedApplication {
    return this.fleets.a
  }

  /** The second time on the port that it had before. */
  async startSubgraph(name: string): Promise<SubgraphServer> {
    const subgraph = subgraphs.find((known) => known.name === name)
    if (!subgraph) throw new Error(`there is no subgraph ${name}`)
    const port = this.ports.get(name) ?? 0
    const { authenticate, contextFor } = this
    const server = await serveSubgraph(subgraph, { authenticate, contextFor, port })
    this.servers.set(name, server)
    this.ports.set(name, server.port)
    return server
  }

  async stopSubgraph(name: string): Promise<void> {
    await this.server(name)[Symbol.asyncDispose]()
    this.servers.delete(name)
  }

  server(name: string): SubgraphServer {
    const server = this.servers.get(name)
    if (!server) throw new Error(`the subgraph ${name} is not served`)
    return server
  }

  /** A gateway over the subgraphs that are served, or over others. */
  async startGateway({
    timeoutMs = 10_000,
    places = this.places(timeoutMs),
    foreign = [],
    limits = AMPLE,
  }: {
    timeoutMs?: number
    places?: ReadonlyMap<string, RemotePlace>
    foreign?: readonly ComposedSubgraph[]
    limits?: LiveLimits
  } = {}): Promise<GatewayClient> {
    const { authenticate, contextFor } = this
    const gateway = createGateway({ authenticate, contextFor, log: silent, remote: places, foreign })
    const app = createApp({ log: silent, frameworkErrors: answerError })
    const use = new LiveUse(limits)
    const streams = new GraphqlStreams({ gateway, introspection: true, log: silent, use })
    streams.mount(app)
    await mountGraphql(app, { gateway, introspection: true, streams, log: silent })
    mountRest(app, { gateway, unknownParameters: 'refuse' })
    const sockets = mountSockets(app.server, {
      gateway,
      introspection: true,
      log: silent,
      use,
    })
    app.addHook('preClose', async () => {
      await streams.close()
      await sockets.close()
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    this.apps.push(app)
    return new GatewayClient(
      (app.server.address() as AddressInfo).port,
      this.fleet.narrowed(0),
      streams,
      sockets,
    )
  }

  places(timeoutMs?: number): Map<string, RemotePlace> {
    return placesAt(new Map([...this.servers].map(([name, { url }]) => [name, url])), timeoutMs)
  }

  /** Writes the next event of the log and rings. */
  async announce(position: number, type = 'vehicle.modified', detail = {}): Promise<string> {
    const [{ connection, vehicles }] = this.fleet.connections as [PlantedApplication['connections'][number]]
    const owner = { applicationId: this.fleet.id, connectionId: connection.id }
    const entry = eventRow(owner, { type, position, subjectId: vehicles[0]!.id, detail: { ...detail } })
    await this.db.transaction((tx) => tx.insert(tableOf(LogEntry), [entry]))
    this.doorbell.ring(eventsTopic(this.fleet.id))
    return entry.id
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const app of this.apps) {
      app.server.closeAllConnections()
      await app.close()
    }
    for (const server of this.servers.values()) await server[Symbol.asyncDispose]()
    await this.db[Symbol.asyncDispose]()
  }
}

/** A caller of one gateway. */
export class GatewayClient {
  readonly url: string

  constructor(
    port: number,
    private readonly party: Party,
    readonly streams: Pick<GraphqlStreams, 'open'>,
    readonly sockets: Pick<OpenSockets, 'counts'>,
  ) {
    this.url = `http://127.0.0.1:${port}`
  }

  async graphql(query: string, variables: object = {}, party: Party = this.party): Promise<Answer> {
    const response = await fetch(`${this.url}/graphql`, {
      method: 'POST',
      headers: { ...headersOf(party), 'content-type': 'application/json' } as Record<string, string>,
      body: JSON.stringify({ query, variables }),
    })
    return (await response.json()) as Answer
  }

  rest(path: string): Promise<Response> {
    return fetch(`${this.url}/tsp/v1${path}`, { headers: headersOf(this.party) as Record<string, string> })
  }

  /** Follows a subscription; the iterator's `return` unsubscribes. */
  subscribe<Data>(query: string, variables: object = {}): AsyncIterableIterator<ExecutionResult<Data>> {
    const { secretKey, token } = this.party
    const client = createClient({
      url: `${this.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${secretKey}`, connectionToken: token },
      retryAttempts: 0,
    })
    return client.iterate<Data>({ query, variables: { ...variables } }) as AsyncIterableIterator<
      ExecutionResult<Data>
    >
  }
}

/** Waits until something is so. The suite's own limit ends a wait in vain. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}
