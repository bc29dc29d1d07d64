import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  type DocumentNode,
  GraphQLError,
  parse,
  specifiedRules,
  validate,
  type ValidationRule,
} from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { LRUCache } from 'lru-cache'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Caller, Credentials } from '../auth/caller.ts'
import type { LiveAccess } from '../auth/live-access.ts'
import { isRefusal, type PublicError } from '../errors.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Logger } from '../log.ts'
import { rulesOf } from './introspection.ts'
import { type AllowedOrigins, mayConnect } from './origins.ts'
import { requestIdOf } from './requests.ts'

const MAX_PAYLOAD_BYTES = 64 * 1024

interface Session {
  readonly caller: Caller
  readonly credentials: Credentials
  /** Of the request that opened the socket. */
  readonly requestId: string
}

interface SocketOptions {
  readonly gateway: Gateway
  readonly access?: Pick<LiveAccess, 'open'>
  readonly introspection: boolean
  /** Whose pages may connect, beside those of this host. */
  readonly origins?: AllowedOrigins
  readonly log: Logger
}

export interface OpenSockets {
  counts(): { readonly open: number; readonly subscriptions: number }
  /** Closes them all with 1001, going away, so that clients connect elsewhere. */
  close(): Promise<void>
}

/** GraphQL over websockets (graphql-transport-ws) at `/graphql`, with the same execution as over HTTP. */
export function mountSockets(
  server: Server,
  { gateway, access, introspection, origins = [], log }: SocketOptions,
): OpenSockets {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_PAYLOAD_BYTES,
    perMessageDeflate: false,
  })
  const sessions = new WeakMap<object, Session>()
  const running = new Map<object, Readonly<Record<string, unknown>>>()
  const documentOf = documents(gateway, rulesOf({ introspection }))
  const protocol = useServer(
    {
      connectionInitWaitTimeout: 3000,
      async onConnect({ connectionParams, extra, subscriptions }) {
        const session = await signIn(gateway, connectionParams, extra.request)
        if (session && !(await admitted(access, session, extra.socket))) return false
        if (session) sessions.set(extra.socket, session)
        if (session) running.set(extra.socket, subscriptions)
        return session !== null
      },
      onClose: ({ extra }) => void running.delete(extra.socket),
      onSubscribe(context, _id, { query, operationName, variables }) {
        const session = sessions.get(context.extra.socket)
        const document = documentOf(query)
        if (Array.isArray(document)) return document
        return {
          schema: gateway.supergraph.apiSchema,
          document: document as DocumentNode,
          operationName: operationName ?? null,
          variableValues: variables ?? null,
          contextValue: session,
        }
      },
      execute: (request) => gateway.execute(requestOf(gateway, request)),
      subscribe: (request) => {
        const { caller, credentials } = request.contextValue as Session
        const { scope } = requestOf(gateway, request).context
        const newest = () => gateway.contextFor(caller, credentials, scope, 'newest')
        return gateway.subscribe({ ...requestOf(gateway, request), context: newest() }, newest)
      },
    },
    sockets,
  )
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== '/graphql') return void socket.destroy()
    if (!mayConnect(request, origins)) return void socket.end(FORBIDDEN)
    sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client, request))
  }
  server.on('upgrade', upgrade)
  sockets.on('error', (error) => log.error({ err: error }, 'the websocket server failed'))
  return {
    counts: () => ({
      open: sockets.clients.size,
      subscriptions: [...running.values()].reduce((sum, each) => sum + Object.keys(each).length, 0),
    }),
    async close() {
      server.off('upgrade', upgrade)
      await protocol.dispose()
    },
  }
}

interface SocketRequest {
  readonly document: DocumentNode
  readonly operationName?: string | null | undefined
  readonly variableValues?: Readonly<Record<string, unknown>> | null | undefined
  readonly contextValue?: unknown
}

function requestOf(
  gateway: Gateway,
  { document, operationName, variableValues, contextValue }: SocketRequest,
) {
  const { caller, credentials, requestId } = contextValue as Session
  return {
    document,
    operationName,
    variables: variableValues,
    context: gateway.contextFor(caller, credentials, { requestId, statements: 0 }),
  }
}

/** The answer to a page of an origin that is not allowed. */
const FORBIDDEN = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/** What a client is told whose key, session or connection has ended: it must sign in anew. */
const ENDED = 4403
/** How long a client may take to close its side. */
const LAST_WORDS_MS = 1_000

/** Lets a socket stay open as long as what it was opened with is good. */
async function admitted(
  access: Pick<LiveAccess, 'open'> | undefined,
  { caller, credentials }: Session,
  socket: WebSocket,
): Promise<boolean> {
  const end = ({ message }: PublicError) => {
    socket.close(ENDED, message)
    setTimeout(() => socket.terminate(), LAST_WORDS_MS).unref()
  }
  try {
    const leave = await access?.open(credentials, caller, end)
    if (leave && socket.readyState === socket.OPEN) socket.once('close', leave)
    else leave?.()
    return socket.readyState === socket.OPEN
  } catch (error) {
    if (!isRefusal(error)) throw error
    end(error)
    return false
  }
}

/** Keys and tokens come in the first message, or where the client can set them, as headers. */
async function signIn(
  gateway: Gateway,
  parameters: Readonly<Record<string, unknown>> | undefined,
  request: IncomingMessage,
): Promise<Session | null> {
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
    if (isRefusal(error)) return null
    throw error
  }
}

/** Parsed and valid documents by their text, so that a query that comes again is compiled once. */
function documents({ supergraph }: Gateway, rules: readonly ValidationRule[]) {
  const known = new LRUCache<string, DocumentNode>({ max: 1000 })
  return (text: string): DocumentNode | readonly GraphQLError[] => {
    const before = known.get(text)
    if (before) return before
    try {
      const document = parse(text)
      const errors = validate(supergraph.apiSchema, document, [...specifiedRules, ...rules])
      if (errors.length > 0) return errors
      known.set(text, document)
      return document
    } catch (error) {
      if (error instanceof GraphQLError) return [error]
      throw error
    }
  }
}
