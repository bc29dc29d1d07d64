import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { ExecutionResult } from 'graphql'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { sendErrorResponse } from '../../../rest-compat/response/error-response.ts'
import { mountRest } from '../../../rest-compat/mount.ts'
import { eventTypes } from '../../../src/domain/event-catalog.ts'
import { type Authenticate, authenticator } from '../../../src/auth/caller.ts'
import type { FailedAttempts } from '../../../src/auth/failed-attempts.ts'
import { sessionTokens } from '../../../src/auth/session-tokens.ts'
import { systemClock } from '../../../src/domain/time.ts'
import type { ComposedSubgraph } from '../../../src/gateway/compose.ts'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createGateway } from '../../../src/gateway/gateway.ts'
import type { RequestRateLimiter } from '../../../src/gateway/rate-limit/request-rate-limiter.ts'
import type { RemoteSubgraph } from '../../../src/gateway/remote/remote-executor.ts'
import { subgraphs } from '../../../src/gateway/subgraphs.ts'
import { createApp } from '../../../src/http/app.ts'
import { mountGraphql } from '../../../src/http/graphql/graphql-endpoint.ts'
import { type ConnectionLimits, ConnectionLimiter } from '../../../src/http/connection-limits.ts'
import { recordRequests } from '../../../src/http/requests/record-requests.ts'
import type { PageHandler } from '../../../src/http/pages/pages.ts'
import { GraphqlSse } from '../../../src/http/sse/graphql-sse.ts'
import { mountWebsockets, type WebsocketServer } from '../../../src/http/websockets/websockets.ts'
import { type Notifier, createInProcessNotifier } from '../../../src/queue/notifier.ts'
import type { Database } from '../../../src/storage/database.ts'
import type { Dialect } from '../../../src/storage/sql/dialect.ts'
import { EventRow } from '../../../src/storage/outbox.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { callerLookups } from '../../../src/subgraphs/connections/applications/caller-lookups.ts'
import type { RequestLogWriter } from '../../../src/subgraphs/connections/requests/request-log-writer.ts'
import { eventsTopic } from '../../../src/subgraphs/events/topics.ts'
import {
  eventRow,
  masterEncryption,
  type ApiClient,
  type SeededApplication,
  temporaryDatabase,
} from '../factories.ts'
import { seedFleets, type SeededFleets } from '../graph/fleets.ts'
import { type Answer, contextsOver, silent } from '../graph/graph-harness.ts'
import { remoteSubgraphsAt, serveSubgraph, type SubgraphServer } from '../graph/subgraph-server.ts'
import { headersOf } from '../rest/rest-harness.ts'

const authenticatorOver = (db: Database, failedAttempts?: FailedAttempts): Authenticate =>
  authenticator(callerLookups(db), {
    tokens: sessionTokens(masterEncryption, systemClock),
    ...(failedAttempts ? { failedAttempts } : {}),
  })

const HIGH_LIMITS = {
  sockets: 1000,
  subscriptions: 1000,
  subscriptionDocuments: 100,
  operationsPerSocket: 100,
}

/**
 * A database with two fleets, subgraph servers that each have a port, and gateways that use them. All requests use
 * HTTP.
 */
export class FederationHarness implements AsyncDisposable {
  readonly servers = new Map<string, SubgraphServer>()
  private readonly ports = new Map<string, number>()
  private readonly apps: FastifyInstance[] = []
  private readonly authenticate: Authenticate
  readonly contextFor: ContextFor

  private constructor(
    readonly db: Database & AsyncDisposable,
    readonly fleets: SeededFleets,
    readonly notifier: Notifier,
  ) {
    this.authenticate = authenticatorOver(db)
    this.contextFor = contextsOver(db, notifier)
  }

  static async start(
    remote: readonly string[] = subgraphs.map(({ name }) => name),
    dialect: Dialect = 'sqlite',
  ): Promise<FederationHarness> {
    const db = await temporaryDatabase(dialect)
    const federation = new FederationHarness(db, await seedFleets(db), createInProcessNotifier())
    for (const name of remote) await federation.startSubgraph(name)
    return federation
  }

  get fleet(): SeededApplication {
    return this.fleets.a
  }

  /** Starts a subgraph server. A restart reuses the previous port. */
  async startSubgraph(name: string): Promise<SubgraphServer> {
    const subgraph = subgraphs.find((known) => known.name === name)
    if (!subgraph) throw new Error(`unknown subgraph ${name}`)
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
    if (!server) throw new Error(`subgraph ${name} is not running`)
    return server
  }

  /** Starts a gateway that uses the running subgraph servers, or the given ones. */
  async startGateway({
    timeoutMs = 10_000,
    remoteSubgraphs = this.remoteSubgraphs(timeoutMs),
    customSubgraphs = [],
    limits = HIGH_LIMITS,
    page,
    contextFor = this.contextFor,
    rateLimiter,
    failedAttempts,
    operationTimeoutMs,
    heapUse,
    requestLog,
  }: {
    timeoutMs?: number
    remoteSubgraphs?: ReadonlyMap<string, RemoteSubgraph>
    customSubgraphs?: readonly ComposedSubgraph[]
    limits?: ConnectionLimits
    page?: PageHandler
    contextFor?: ContextFor
    rateLimiter?: RequestRateLimiter
    failedAttempts?: FailedAttempts
    operationTimeoutMs?: number
    heapUse?: () => number
    requestLog?: Pick<RequestLogWriter, 'record'>
  } = {}): Promise<GatewayClient> {
    const gateway = createGateway({
      authenticate: authenticatorOver(this.db, failedAttempts),
      contextFor,
      rateLimiter,
      operationTimeoutMs,
      heapUse,
      log: silent,
      remote: remoteSubgraphs,
      customSubgraphs,
    })
    const app = createApp({ log: silent, frameworkErrors: sendErrorResponse })
    if (requestLog) recordRequests(app, requestLog)
    const limiter = new ConnectionLimiter(limits)
    const streams = new GraphqlSse({ gateway, introspection: true, log: silent, limiter })
    streams.mount(app)
    await mountGraphql(app, { gateway, introspection: true, page, streams, log: silent })
    mountRest(app, { gateway, eventTypes, unknownParameters: 'refuse' })
    const sockets = mountWebsockets(app.server, {
      gateway,
      introspection: true,
      log: silent,
      limiter,
      requestLog,
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
      app.server,
    )
  }

  remoteSubgraphs(timeoutMs?: number): Map<string, RemoteSubgraph> {
    return remoteSubgraphsAt(new Map([...this.servers].map(([name, { url }]) => [name, url])), timeoutMs)
  }

  /** Stores an event at this position of the log, notifies the readers, and returns the id of the event. */
  async appendEvent(position: number, type = 'vehicle.modified', detail = {}): Promise<string> {
    const [{ connection, vehicles }] = this.fleet.connections as [SeededApplication['connections'][number]]
    const owner = { applicationId: this.fleet.id, connectionId: connection.id }
    const entry = eventRow(owner, { type, position, subjectId: vehicles[0]!.id, detail: { ...detail } })
    await this.db.transaction((tx) => tx.insert(tableOf(EventRow), [entry]))
    this.notifier.notify(eventsTopic(this.fleet.id))
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

/** A client of one gateway. */
export class GatewayClient {
  readonly url: string

  constructor(
    port: number,
    private readonly client: ApiClient,
    readonly streams: Pick<GraphqlSse, 'open'>,
    readonly sockets: Pick<WebsocketServer, 'counts'>,
    private readonly server: Server,
  ) {
    this.url = `http://127.0.0.1:${port}`
  }

  async graphql(query: string, variables: object = {}, client: ApiClient = this.client): Promise<Answer> {
    const response = await fetch(`${this.url}/graphql`, {
      method: 'POST',
      headers: { ...headersOf(client), 'content-type': 'application/json' } as Record<string, string>,
      body: JSON.stringify({ query, variables }),
    })
    return (await response.json()) as Answer
  }

  /** Returns the number of open connections of the gateway's server. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    )
  }

  rest(path: string): Promise<Response> {
    return fetch(`${this.url}/tsp/v1${path}`, { headers: headersOf(this.client) as Record<string, string> })
  }

  /** Opens a subscription; the iterator's `return` unsubscribes. */
  subscribe<Data>(query: string, variables: object = {}): AsyncIterableIterator<ExecutionResult<Data>> {
    const { secretKey, token } = this.client
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

/** Waits until a condition holds. If it never holds, the test fails by its timeout. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20))
}
