import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  createSourceEventStream,
  type DocumentNode,
  execute,
  GraphQLError,
  type GraphQLSchema,
  parse,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { anonymous, ANONYMOUS_HEADER } from '../../auth/caller.ts'
import type { AccessMonitor } from '../../auth/access-revocation.ts'
import { errorCodes, INTERNAL_MESSAGE, isPublic, PublicError } from '../../domain/errors.ts'
import { maskErrors } from '../../gateway/error-masking.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { chooseOperation } from '../../gateway/operation.ts'
import { createAuthorizer } from '../../gateway/authorization/scope-authorization.ts'
import type { Logger } from '../../platform/logging/log.ts'
import { addLogFields } from '../../platform/logging/log-context.ts'
import type { Subgraph } from '../../subgraphs/schema/build-subgraph.ts'
import type { ResumableStream } from '../../subgraphs/streams/notified-stream.ts'
import { SubscriptionStreams, type SubscriptionStream } from '../sse/subscription-streams.ts'
import { credentialsOf } from '../request-credentials.ts'
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

/** A gateway asks for as many entities at once as a page of pages has: far more than any caller sends. */
const BODY_LIMIT_BYTES = 16 * 1024 * 1024

/** A document, parsed, takes some 90 bytes for each character of its text. */
const MAX_KNOWN_CHARACTERS = 500_000

/**
 * One subgraph as a service of its own: queries and mutations over HTTP, subscriptions as GraphQL over SSE (distinct
 * connections). It asks for the caller's own key, as the gateway passes it on.
 */
export function mountSubgraphEndpoint(
  app: FastifyInstance,
  { schema }: Pick<Subgraph, 'schema'>,
  { authenticate, contextFor, access, log }: SubgraphOptions,
): SubscriptionStreams {
  const streams = new SubscriptionStreams(log)
  const documentOf = documents(schema)
  const authorizer = createAuthorizer(schema)
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { query, operationName = null, variables = null } = bodyOf(request)
    const credentials = credentialsOf(request)
    const operation = chooseOperation(documentOf(String(query)), operationName)
    if (operation instanceof GraphQLError) throw operation
    const isAnonymous = ANONYMOUS_HEADER in request.headers && operation.type === 'query'
    const caller = isAnonymous ? anonymous : await authenticate(credentials)
    const scope = request.tracking?.logContext
    addLogFields(scope, { operation: operation.shortName ?? 'anonymous' })
    const freshContext = () => contextFor(caller, credentials, scope)
    authorizer.authorize(caller, { operation, variables })
    if (request.method === 'GET' && operation.type === 'mutation') throw noMutation()
    const asked = { schema, document: operation.document, variableValues: variables }
    const run = (rootValue?: unknown) => execute({ ...asked, rootValue, contextValue: freshContext() })
    if (operation.type !== 'subscription') return maskErrors(await run(), log, scope)
    const lastEventId = request.headers['last-event-id']?.toString()
    const started = lastEventId === undefined ? operation : operation.resumedAfter(lastEventId)
    const source = await createSourceEventStream({
      ...asked,
      document: started.document,
      contextValue: freshContext(),
    })
    if (!(Symbol.asyncIterator in source)) return maskErrors(source, log, scope)
    const followed = source[Symbol.asyncIterator]()
    const places = await placesOf(followed)
    const events = await revocableStream(followed, (ended) => access?.open(credentials, caller, ended))
    const answered = async (event: unknown) => JSON.stringify(maskErrors(await run(event), log, scope))
    // A gateway reads as fast as its own subscribers do, and is not sent away for it.
    await streams.send(reply, { events, answered, places })
    return reply
  }
  const options = { bodyLimit: BODY_LIMIT_BYTES, errorHandler: answerError }
  app.post('/graphql', options, answer)
  app.get('/graphql', options, answer)
  return streams
}

/** What a request asks, in its body or, as many routers subscribe, in its address. */
function bodyOf({ method, body, query }: FastifyRequest): GraphqlBody {
  if (method !== 'GET') return (body ?? {}) as GraphqlBody
  const { variables, ...rest } = query as Readonly<Record<string, string>>
  return { ...rest, ...(variables ? { variables: JSON.parse(variables) as GraphqlBody['variables'] } : {}) }
}

const noMutation = () => new PublicError('method_not_allowed', 'A mutation is sent by POST.')

async function placesOf(
  events: AsyncIterator<unknown> & Partial<ResumableStream>,
): Promise<SubscriptionStream['places']> {
  if (!events.startsAfter) return null
  try {
    return { first: await events.startsAfter(), idOf: (event) => (event as { id: string }).id }
  } catch (error) {
    await events.return?.()
    throw error
  }
}

function documents(schema: GraphQLSchema): (query: string) => DocumentNode {
  const known = new LRUCache<string, DocumentNode>({
    maxSize: MAX_KNOWN_CHARACTERS,
    sizeCalculation: (_document, text) => text.length + 1,
  })
  return (query) => {
    const before = known.get(query)
    if (before) return before
    const document = parse(query)
    const [error] = validate(schema, document)
    if (error) throw error
    known.set(query, document)
    return document
  }
}

/** Whatever is wrong with a request is told as GraphQL tells it. */
function answerError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof GraphQLError) return void reply.code(400).send({ errors: [error] })
  const { code, message, extensions } = isPublic(error) ? error : refusalOf(error, request)
  void reply.code(errorCodes[code].status).send({ errors: [new GraphQLError(message, { extensions })] })
}

function refusalOf(error: Error, request: FastifyRequest): PublicError {
  const status = (error as { statusCode?: number }).statusCode ?? 500
  if (error instanceof SyntaxError) return new PublicError('bad_request', 'The variables are not JSON.')
  if (status === 413) return new PublicError('payload_too_large', 'The body is too large.')
  if (status === 415) return new PublicError('unsupported_media_type', 'Send application/json in UTF-8.')
  if (status < 500) return new PublicError('bad_request', 'The request cannot be read.')
  request.log.error({ err: error }, 'a request failed')
  return new PublicError('internal_server_error', INTERNAL_MESSAGE)
}
