import type { IncomingMessage, Server } from 'node:http'
import { GraphQLError } from 'graphql'
import { handleProtocols, makeServer } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Caller, Credentials } from '../../auth/caller.ts'
import type { AccessMonitor } from '../../auth/access-revocation.ts'
import { errorCodes, isClientError, isPublic, type PublicError } from '../../domain/errors.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { chooseOperation } from '../../gateway/operation.ts'
import type { Logger } from '../../platform/logging/log.ts'
import type { RequestLogWriter } from '../../subgraphs/connections/requests/request-log-writer.ts'
import { NO_PROXIES, remoteAddressOf, type TrustedProxies } from '../../platform/remote-address.ts'
import { MAX_DEPTH } from '../bodies/json-body.ts'
import { DocumentCache } from '../graphql/document-cache.ts'
import { limitErrorToResult, type ConnectionLimiter } from '../connection-limits.ts'
import type { AllowedOrigins } from '../cors.ts'
import type { SessionCookie } from '../dashboard/session-cookie.ts'
import { requestIdOf } from '../requests/track-requests.ts'
import {
  executeOnSocket,
  idempotencyKeyIn,
  subscribeOnSocket,
  type SocketOperationContext,
  type SocketSession,
  trackOperation,
} from './operations.ts'
import { connectSocket, type SocketExtra } from './socket-connection.ts'
import { handleUpgrades } from './upgrades.ts'

const MAX_PAYLOAD_BYTES = 64 * 1024

const NESTED_TOO_DEEPLY = new GraphQLError(`The operation is nested deeper than ${MAX_DEPTH} levels.`, {
  extensions: { code: errorCodes.bad_request.graphql },
})

interface SocketOptions {
  readonly gateway: Gateway
  readonly access?: Pick<AccessMonitor, 'open'>
  readonly introspection: boolean
  /** Origins whose pages may connect, in addition to pages of this host. */
  readonly origins?: AllowedOrigins
  readonly log: Logger
  readonly limiter: ConnectionLimiter
  readonly proxies?: TrustedProxies
  /** Cookie of people who have signed in to the dashboard. Without it, cookies are ignored. */
  readonly cookie?: Pick<SessionCookie, 'authorize'>
  /** Records the operations in the request log. */
  readonly requestLog?: Pick<RequestLogWriter, 'record'> | undefined
}

/** Socket with an authenticated caller. */
interface Socket {
  readonly session: SocketSession
  readonly operations: Readonly<Record<string, unknown>>
  /** Releases the socket in the connection limiter. */
  readonly release: () => void
}

export interface WebsocketServer {
  /** Numbers of open sockets and of active operations on them. */
  counts(): { readonly open: number; readonly subscriptions: number }
  /** Closes all sockets with code 1001 (going away), so that clients reconnect to another process. */
  close(): Promise<void>
}

/** GraphQL over websockets (graphql-transport-ws) at `/graphql`, with the same execution as over HTTP. */
export function mountWebsockets(
  server: Server,
  {
    gateway,
    access,
    introspection,
    origins = [],
    log,
    limiter,
    proxies = NO_PROXIES,
    cookie,
    requestLog,
  }: SocketOptions,
): WebsocketServer {
  const webSocketServer = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_PAYLOAD_BYTES,
    perMessageDeflate: false,
    // A socket emits one message in a turn of the event loop, in order. The next ones wait in the buffer of its
    // receiver. While the buffer is full, `ws` reads nothing from the connection.
    allowSynchronousEvents: false,
    handleProtocols: (protocols) => handleProtocols(protocols),
  })
  const sockets = new Map<object, Socket>()
  const documents = new DocumentCache(gateway.supergraph.apiSchema, { introspection })
  const protocol = makeServer<Record<string, unknown>, SocketExtra>({
    connectionInitWaitTimeout: 3000,
    async onConnect({ connectionParams, extra: { socket, request }, subscriptions: operations }) {
      const session = await authenticateSocket(gateway, connectionParams, request, proxies)
      if (isPublic(session) && session.code === 'too_many_requests')
        socket.close(TOO_MANY_REQUESTS, session.message)
      if (isPublic(session) || socket.readyState !== socket.OPEN) return false
      const release = admitSocket(limiter, session.caller, socket)
      if (!release) return false
      sockets.set(socket, { session, operations, release })
      return closeWhenRevoked(access, session, socket)
    },
    onClose({ extra: { socket } }) {
      sockets.get(socket)?.release()
      sockets.delete(socket)
    },
    async onSubscribe({ extra: { socket, active } }, internalId, payload) {
      const { operationName, variables, extensions } = payload
      const { session, operations } = sockets.get(socket) ?? {}
      const started = active.get(internalId)
      if (!session || !started) return [new GraphQLError('The socket is closed.')]
      const tracked = trackOperation(session, internalId, requestLog)
      const refuse = (errors: readonly GraphQLError[]) => {
        tracked.end(errors)
        return errors
      }
      const limitError = limitErrorToResult(() =>
        limiter.checkOperations(Object.keys(operations ?? {}).length),
      )
      if (limitError) return refuse([limitError])
      if (started.isTooDeep) return refuse([NESTED_TOO_DEEPLY])
      const requester = { ...session, logContext: tracked.logContext }
      const document = await documents.getInTurn(gateway, requester, { ...payload })
      if (!('kind' in document)) return refuse(document)
      const operation = chooseOperation(document, operationName)
      if (operation instanceof GraphQLError) return refuse([operation])
      return {
        schema: gateway.supergraph.apiSchema,
        document: operation.document,
        variableValues: variables ?? null,
        contextValue: {
          ...session,
          socket,
          id: started.clientId,
          lifetime: started.lifetime,
          operation,
          tracked,
          idempotencyKey: idempotencyKeyIn(extensions),
        } satisfies SocketOperationContext,
      }
    },
    execute: (request) => executeOnSocket(gateway, request),
    subscribe: (request) => subscribeOnSocket(gateway, limiter, request),
  })
  const upgrades = handleUpgrades(server, {
    path: '/graphql',
    origins,
    log,
    open: (request, socket, head) => {
      cookie?.authorize(request)
      webSocketServer.handleUpgrade(request, socket, head, (client) =>
        connectSocket(protocol, client, request, log),
      )
    },
  })
  webSocketServer.on('error', (error) => log.error({ err: error }, 'websocket server failed'))
  return {
    counts: () => ({
      open: webSocketServer.clients.size,
      subscriptions: [...sockets.values()].reduce(
        (sum, socket) => sum + Object.keys(socket.operations).length,
        0,
      ),
    }),
    async close() {
      upgrades.stop()
      for (const client of webSocketServer.clients) client.close(1001, 'Going away')
      await new Promise((resolve) => webSocketServer.close(resolve))
    },
  }
}

/**
 * Close code for a socket above a limit. graphql-ws uses it too, for repeated first messages. Clients should wait
 * before they connect again.
 */
const TOO_MANY_REQUESTS = 4429

function admitSocket(
  limiter: ConnectionLimiter,
  { applicationId }: Caller,
  socket: WebSocket,
): (() => void) | null {
  const release = limitErrorToResult(() => limiter.acquire('sockets', applicationId))
  if (!(release instanceof GraphQLError)) return release
  socket.close(TOO_MANY_REQUESTS, release.message)
  return null
}

/** Close code after the access of the client has ended. The client must connect with valid credentials. */
const ACCESS_ENDED = 4403
/** Time that a client has to close its side of the socket, before the socket is terminated. */
const CLOSE_TIMEOUT_MS = 1_000

/** Closes a socket when its credentials are revoked or expire. Returns whether the socket is still open. */
async function closeWhenRevoked(
  access: Pick<AccessMonitor, 'open'> | undefined,
  { caller, credentials }: SocketSession,
  socket: WebSocket,
): Promise<boolean> {
  const closeSocket = ({ message }: PublicError) => {
    socket.close(ACCESS_ENDED, message)
    setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref()
  }
  try {
    const stopWatching = await access?.open(credentials, caller, closeSocket)
    if (stopWatching && socket.readyState === socket.OPEN) socket.once('close', stopWatching)
    else stopWatching?.()
    return socket.readyState === socket.OPEN
  } catch (error) {
    if (!isClientError(error)) throw error
    closeSocket(error)
    return false
  }
}

/**
 * Authenticates with the credentials in the first message, or else in the headers. Returns the error if they are
 * rejected.
 */
async function authenticateSocket(
  gateway: Gateway,
  parameters: Readonly<Record<string, unknown>> | undefined,
  request: IncomingMessage,
  proxies: TrustedProxies,
): Promise<SocketSession | PublicError> {
  const { headers } = request
  const parameter = parameterReader(parameters)
  const credentials: Credentials = {
    authorization: parameter('authorization') ?? headers.authorization,
    connectionToken:
      parameter('connectiontoken') ??
      parameter('connection-token') ??
      headers['connection-token']?.toString(),
  }
  try {
    const requestId = requestIdOf(request)
    const caller = await gateway.authenticate(credentials, remoteAddressOf(request, proxies))
    return { caller, credentials, requestId }
  } catch (error) {
    if (isClientError(error)) return error
    throw error
  }
}

/**
 * Returns a function that reads a text parameter of the first message by its name in lower case. Clients send their
 * headers at the top level of the parameters. Clients of some frameworks nest them in `headers`.
 */
function parameterReader(parameters: Readonly<Record<string, unknown>> = {}) {
  const { headers } = parameters
  const nested = typeof headers === 'object' && headers !== null ? Object.entries(headers) : []
  const all = [...nested, ...Object.entries(parameters)]
  const texts = all.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const byName = new Map(texts.map(([name, value]) => [name.toLowerCase(), value]))
  return (name: string): string | undefined => byName.get(name)
}
