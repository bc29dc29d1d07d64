import type { IncomingMessage, Server } from 'node:http'
import { GraphQLError } from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Caller, Credentials } from '../../auth/caller.ts'
import type { AccessMonitor } from '../../auth/access-revocation.ts'
import { isClientError, type PublicError } from '../../domain/errors.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { chooseOperation } from '../../gateway/operation.ts'
import type { Logger } from '../../platform/logging/log.ts'
import { createDocumentCache } from '../graphql/document-cache.ts'
import { validationRules } from '../graphql/validation-rules.ts'
import { limitErrorToResult, type ConnectionLimiter } from '../connection-limits.ts'
import type { AllowedOrigins } from '../cors.ts'
import { requestIdOf } from '../request-log.ts'
import { subscribeOnSocket, type SocketDeps, toOperationRequest, type SocketSession } from './operations.ts'
import { answerUpgrades } from './upgrades.ts'

const MAX_PAYLOAD_BYTES = 64 * 1024

interface SocketOptions {
  readonly gateway: Gateway
  readonly access?: Pick<AccessMonitor, 'open'>
  readonly introspection: boolean
  /** Whose pages may connect, beside those of this host. */
  readonly origins?: AllowedOrigins
  readonly log: Logger
  readonly limiter: ConnectionLimiter
}

/** A socket whose caller is known. */
interface Socket {
  readonly session: SocketSession
  readonly operations: Readonly<Record<string, unknown>>
  /** Gives back what it counts for. */
  readonly left: () => void
}

export interface WebsocketCounts {
  counts(): { readonly open: number; readonly subscriptions: number }
  /** Closes them all with 1001, going away, so that clients connect elsewhere. */
  close(): Promise<void>
}

/** GraphQL over websockets (graphql-transport-ws) at `/graphql`, with the same execution as over HTTP. */
export function mountWebsockets(
  server: Server,
  { gateway, access, introspection, origins = [], log, limiter }: SocketOptions,
): WebsocketCounts {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_PAYLOAD_BYTES,
    perMessageDeflate: false,
  })
  const known = new Map<object, Socket>()
  const documentOf = createDocumentCache(gateway.supergraph.apiSchema, validationRules({ introspection }))
  const protocol = useServer(
    {
      connectionInitWaitTimeout: 3000,
      async onConnect({ connectionParams, extra: { socket, request }, subscriptions: operations }) {
        const session = await authenticateSocket(gateway, connectionParams, request)
        if (!session || socket.readyState !== socket.OPEN) return false
        const left = admitSocket(limiter, session.caller, socket)
        if (!left) return false
        known.set(socket, { session, operations, left })
        return closeWhenRevoked(access, session, socket)
      },
      onClose({ extra: { socket } }) {
        known.get(socket)?.left()
        known.delete(socket)
      },
      onSubscribe({ extra: { socket } }, id, { query, operationName, variables }) {
        const { session, operations } = known.get(socket) ?? {}
        if (!session) return [new GraphQLError('The socket is closed.')]
        const refused = limitErrorToResult(() =>
          limiter.checkOperations(Object.keys(operations ?? {}).length),
        )
        if (refused) return [refused]
        const document = documentOf(query)
        if (!('kind' in document)) return document
        const operation = chooseOperation(document, operationName)
        if (operation instanceof GraphQLError) return [operation]
        return {
          schema: gateway.supergraph.apiSchema,
          document: operation.document,
          variableValues: variables ?? null,
          contextValue: { ...session, socket, id, operation } satisfies SocketDeps,
        }
      },
      execute: (request) => gateway.execute(toOperationRequest(gateway, request)),
      subscribe: (request) => subscribeOnSocket(gateway, limiter, request),
    },
    sockets,
  )
  // What a client sends wrong closes its socket, with a code that says so: there is nothing more to do about it.
  sockets.on('connection', (socket) => socket.on('error', (err) => log.debug({ err }, 'a socket failed')))
  const upgrades = answerUpgrades(server, {
    path: '/graphql',
    origins,
    log,
    open: (request, socket, head) =>
      sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client, request)),
  })
  sockets.on('error', (error) => log.error({ err: error }, 'the websocket server failed'))
  return {
    counts: () => ({
      open: sockets.clients.size,
      subscriptions: [...known.values()].reduce((sum, each) => sum + Object.keys(each.operations).length, 0),
    }),
    async close() {
      upgrades.stop()
      await protocol.dispose()
    },
  }
}

/** Too many of its sockets end like too many of its first messages: the client shall not come again at once. */
const TOO_MANY = 4429

function admitSocket(
  limiter: ConnectionLimiter,
  { applicationId }: Caller,
  socket: WebSocket,
): (() => void) | null {
  const left = limitErrorToResult(() => limiter.take('sockets', applicationId))
  if (!(left instanceof GraphQLError)) return left
  socket.close(TOO_MANY, left.message)
  return null
}

/** What a client is told whose key, session or connection has ended: it must sign in anew. */
const ENDED = 4403
/** How long a client may take to close its side. */
const CLOSE_TIMEOUT_MS = 1_000

/** Lets a socket stay open as long as what it was opened with is good. */
async function closeWhenRevoked(
  access: Pick<AccessMonitor, 'open'> | undefined,
  { caller, credentials }: SocketSession,
  socket: WebSocket,
): Promise<boolean> {
  const end = ({ message }: PublicError) => {
    socket.close(ENDED, message)
    setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref()
  }
  try {
    const leave = await access?.open(credentials, caller, end)
    if (leave && socket.readyState === socket.OPEN) socket.once('close', leave)
    else leave?.()
    return socket.readyState === socket.OPEN
  } catch (error) {
    if (!isClientError(error)) throw error
    end(error)
    return false
  }
}

/** Keys and tokens come in the first message, or where the client can set them, as headers. */
async function authenticateSocket(
  gateway: Gateway,
  parameters: Readonly<Record<string, unknown>> | undefined,
  request: IncomingMessage,
): Promise<SocketSession | null> {
  const { headers } = request
  const given = (...names: string[]) =>
    names.map((name) => parameters?.[name]).find((value) => typeof value === 'string')
  const credentials: Credentials = {
    authorization: (given('authorization', 'Authorization') as string | undefined) ?? headers.authorization,
    connectionToken:
      (given('connectionToken', 'Connection-Token', 'connection-token') as string | undefined) ??
      headers['connection-token']?.toString(),
  }
  try {
    const requestId = requestIdOf(request)
    return { caller: await gateway.authenticate(credentials), credentials, requestId }
  } catch (error) {
    if (isClientError(error)) return null
    throw error
  }
}
