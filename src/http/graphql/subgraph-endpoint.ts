import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createSourceEventStream, execute, GraphQLError } from 'graphql'
import { addCaller, anonymous, ANONYMOUS_HEADER } from '../../auth/caller.ts'
import type { AccessMonitor } from '../../auth/access-revocation.ts'
import { PublicError } from '../../domain/errors.ts'
import { maskErrors } from '../../gateway/error-masking.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { chooseOperation } from '../../gateway/operation.ts'
import { createAuthorizer } from '../../gateway/authorization/scope-authorization.ts'
import type { Logger } from '../../platform/logging/log.ts'
import { addLogFields } from '../../platform/logging/log-context.ts'
import type { Subgraph } from '../../subgraphs/schema/build-subgraph.ts'
import type { ResumableStream } from '../../subgraphs/streams/notified-stream.ts'
import { sendHead, SubscriptionStreams, type SubscriptionStream } from '../sse/subscription-streams.ts'
import { lifetimeOf } from '../requests/operation-lifetimes.ts'
import { credentialsOf } from '../requests/request-credentials.ts'
import { enforceUrlDepth } from './body-limits.ts'
import { DocumentCache } from './document-cache.ts'
import { sendGraphqlError } from './error-response.ts'
import { requireBody, requirePost } from './request-params.ts'
import { isSafe } from '../safe-methods.ts'
import { SSE } from '../sse/stream-format.ts'
import { revocableStream } from '../revocable-stream.ts'

interface GraphqlBody {
  readonly query?: unknown
  readonly operationName?: string | null
  readonly variables?: Readonly<Record<string, unknown>> | null
}

interface SubgraphOptions extends Pick<Gateway, 'authenticate' | 'contextFor'> {
  readonly access?: Pick<AccessMonitor, 'open'>
  readonly log: Logger
}

/**
 * Body limit of a subgraph. A gateway requests all entities of nested pages in one request. Its bodies are far larger
 * than those of API clients.
 */
const BODY_LIMIT_BYTES = 16 * 1024 * 1024

/**
 * Mounts one subgraph as a separate service. Queries and mutations use HTTP; subscriptions use GraphQL over
 * SSE in distinct connections mode. It authenticates the key of the caller, which the gateway forwards.
 */
export function mountSubgraphEndpoint(
  app: FastifyInstance,
  { schema }: Pick<Subgraph, 'schema'>,
  { authenticate, contextFor, access, log }: SubgraphOptions,
): SubscriptionStreams {
  const streams = new SubscriptionStreams(log)
  const documents = new DocumentCache(schema, { introspection: true })
  const authorizer = createAuthorizer(schema)
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const { query, operationName = null, variables = null } = bodyOf(request)
    const credentials = credentialsOf(request)
    const document = documents.get(String(query))
    if (!('kind' in document)) throw document[0]
    const operation = chooseOperation(document, operationName)
    if (operation instanceof GraphQLError) throw operation
    const isAnonymous = ANONYMOUS_HEADER in request.headers && operation.type === 'query'
    const caller = isAnonymous ? anonymous : await authenticate(credentials)
    const logContext = request.tracking?.logContext
    addCaller(logContext, caller)
    addLogFields(logContext, { operation: operation.shortName ?? 'anonymous' })
    const lifetime = operation.type === 'query' ? lifetimeOf(reply) : undefined
    const createContext = () => contextFor({ caller, credentials, logContext, ...(lifetime && { lifetime }) })
    authorizer.authorize(caller, { operation, variables })
    requirePost(request, reply, operation)
    const args = { schema, document: operation.document, variableValues: variables }
    const run = (rootValue?: unknown) => execute({ ...args, rootValue, contextValue: createContext() })
    if (operation.type !== 'subscription')
      try {
        return maskErrors(await run(), log, logContext)
      } finally {
        // A read that the result did not wait for can still run when the response closes.
        lifetime?.preventEnd()
      }
    if (request.method === 'HEAD') return sendHead(reply, SSE)
    const lastEventId = request.headers['last-event-id']?.toString()
    const resumed = lastEventId === undefined ? operation : operation.resumedAfter(lastEventId)
    const source = await createSourceEventStream({
      ...args,
      document: resumed.document,
      contextValue: createContext(),
    })
    if (!(Symbol.asyncIterator in source)) return maskErrors(source, log, logContext)
    const iterator = source[Symbol.asyncIterator]()
    const eventIds = await eventIdsOf(iterator)
    const events = await revocableStream(iterator, (onRevoked) =>
      access?.open(credentials, caller, onRevoked),
    )
    const resultFor = async (event: unknown) => JSON.stringify(maskErrors(await run(event), log, logContext))
    // No `watchStall`: a gateway reads only as fast as its own subscribers, so a slow gateway stays connected.
    await streams.send(reply, { events, resultFor, eventIds })
    return reply
  }
  const options = { bodyLimit: BODY_LIMIT_BYTES, errorHandler: sendGraphqlError }
  app.post('/graphql', { ...options, preHandler: requireBody }, handle)
  app.get('/graphql', { ...options, preHandler: enforceUrlDepth }, handle)
  return streams
}

/**
 * Returns the GraphQL parameters from the body, or from the URL of a GET, with which many routers subscribe.
 */
function bodyOf({ method, body, query }: FastifyRequest): GraphqlBody {
  if (!isSafe({ method })) return (body ?? {}) as GraphqlBody
  const { variables, ...rest } = query as Readonly<Record<string, string>>
  return { ...rest, ...(variables ? { variables: parseVariables(variables) } : {}) }
}

function parseVariables(text: string): GraphqlBody['variables'] {
  try {
    return JSON.parse(text) as GraphqlBody['variables']
  } catch (cause) {
    throw new PublicError('bad_request', '`variables` must be JSON.', { cause })
  }
}

/** Returns the event IDs of a stream; null if the stream cannot be resumed. */
async function eventIdsOf(
  events: AsyncIterator<unknown> & Partial<ResumableStream>,
): Promise<SubscriptionStream['eventIds']> {
  if (!events.idBeforeStart) return null
  try {
    return { first: await events.idBeforeStart(), idOf: (event) => (event as { id: string }).id }
  } catch (error) {
    await events.return?.()
    throw error
  }
}
