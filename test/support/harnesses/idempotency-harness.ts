import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { mountRest } from '../../../rest-compat/mount.ts'
import { eventTypes } from '../../../src/domain/event-catalog.ts'
import { authenticator } from '../../../src/auth/caller.ts'
import { sessionTokens } from '../../../src/auth/session-tokens.ts'
import { createGateway } from '../../../src/gateway/gateway.ts'
import { createApp } from '../../../src/http/app.ts'
import { ConnectionLimiter } from '../../../src/http/connection-limits.ts'
import { mountGraphql } from '../../../src/http/graphql/graphql-endpoint.ts'
import { GraphqlSse } from '../../../src/http/sse/graphql-sse.ts'
import { mountWebsockets } from '../../../src/http/websockets/websockets.ts'
import type { Dialect } from '../../../src/storage/sql/dialect.ts'
import { callerLookups } from '../../../src/subgraphs/connections/applications/caller-lookups.ts'
import { createIdempotencyStore } from '../../../src/subgraphs/connections/requests/idempotency-store.ts'
import { everyRow } from '../database/database-dump.ts'
import { type ApiClient, masterEncryption } from '../factories.ts'
import { silent } from '../graph/graph-harness.ts'
import { headersOf } from '../rest/rest-harness.ts'
import { ConnectionsHarness } from './connections-harness.ts'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a body is any JSON
  readonly body: any
}

const LIMITS = { sockets: 100, subscriptions: 100, subscriptionDocuments: 100, operationsPerSocket: 100 }

/** REST and GraphQL over HTTP, with idempotency keys, over a `ConnectionsHarness`. */
export class IdempotencyHarness implements AsyncDisposable {
  private readonly apps: FastifyInstance[] = []

  private constructor(readonly connections: ConnectionsHarness) {}

  static async start(dialect: Dialect): Promise<IdempotencyHarness> {
    return new IdempotencyHarness(await ConnectionsHarness.start(dialect))
  }

  get db() {
    return this.connections.db
  }

  /** Starts a gateway, which may have a context of its own like another process. Returns its URL. */
  async startGateway(contextFor = this.connections.contextFor): Promise<string> {
    const { db, tools } = this.connections
    const gateway = createGateway({
      authenticate: authenticator(callerLookups(db), {
        tokens: sessionTokens(masterEncryption, tools.clock),
        clock: tools.clock,
      }),
      contextFor,
      idempotencyStore: createIdempotencyStore(tools),
      log: silent,
    })
    const app = createApp({ log: silent })
    const limiter = new ConnectionLimiter(LIMITS)
    const streams = new GraphqlSse({ gateway, introspection: true, log: silent, limiter })
    streams.mount(app)
    await mountGraphql(app, { gateway, introspection: true, streams, log: silent })
    mountRest(app, { gateway, eventTypes, unknownParameters: 'refuse' })
    const sockets = mountWebsockets(app.server, { gateway, introspection: true, log: silent, limiter })
    app.addHook('preClose', async () => {
      await streams.close()
      await sockets.close()
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    this.apps.push(app)
    return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  }

  /** Returns every row, without the idempotency keys and the connection's write markers. */
  async state(): Promise<string[]> {
    const rows = await everyRow(this.db)
    return [...rows].filter((row) => !/^(idempotency_keys|commits|open_writes|sqlite_)/.test(row)).toSorted()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const app of this.apps) {
      app.server.closeAllConnections()
      await app.close()
    }
    await this.connections[Symbol.asyncDispose]()
  }
}

interface Sent {
  readonly method?: string
  readonly body?: unknown
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request with an idempotency key. */
export async function send(url: string, client: ApiClient, { method = 'POST', body, key, headers }: Sent) {
  const response = await fetch(url, {
    method,
    headers: {
      ...(headersOf(client) as Record<string, string>),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = String(response.headers.get('content-type')).includes('json')
  const reply: Reply = {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
  return reply
}

/** Returns the parts of a response that a repetition gets again. */
export const answerOf = ({ status, headers, text }: Reply) => ({
  status,
  text,
  contentType: headers.get('content-type'),
})

export const isReplay = ({ headers }: Reply): boolean => headers.get('idempotent-replayed') === 'true'
