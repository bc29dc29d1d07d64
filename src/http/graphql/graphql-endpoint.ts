import { ApolloServer, HeaderMap } from '@apollo/server'
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled'
import type { GatewayInterface } from '@apollo/server-gateway-interface'
import { fastifyApolloHandler } from '@as-integrations/fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type DocumentNode, GraphQLError } from 'graphql'
import { LRUCache } from 'lru-cache'
import { addCaller } from '../../auth/caller.ts'
import { idempotencyKeyOf } from '../gateway-headers.ts'
import { errorCodes, isPublic, nameOfCode, PublicError } from '../../domain/errors.ts'
import type { Context } from '../../gateway/context.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { chooseOperation, type OperationWithVariables } from '../../gateway/operation.ts'
import type { Requester } from '../../gateway/requester.ts'
import type { Logger } from '../../platform/logging/log.ts'
import { addRequestDetails } from '../../platform/logging/log-context.ts'
import { MAX_DOCUMENT_TOKENS, validationRules } from './validation-rules.ts'
import { enforceBodyLimit, enforceUrlDepth, MAX_BYTES_WITH_TEXT } from './body-limits.ts'
import { errorResponse, retryAfterOf, sendGraphqlError, sendNotAcceptable } from './error-response.ts'
import { dropAbsentParams, paramsOf, requireBody } from './request-params.ts'
import { insertRequestedDocument } from './requested-document.ts'
import { mountAllowedMethods } from './allowed-methods.ts'
import { mountSchemaFile } from './schema-file.ts'
import type { PageHandler } from '../pages/pages.ts'
import { acceptsJson, dropAcceptParams, JSON_TYPES, preferredType } from '../content-negotiation.ts'
import type { GraphqlSse } from '../sse/graphql-sse.ts'
import { authenticateLargeBodies } from '../bodies/body-budget.ts'
import { asGet, isSafe } from '../safe-methods.ts'
import { lifetimeOf } from '../requests/operation-lifetimes.ts'
import { credentialsOf } from '../requests/request-credentials.ts'
import { isObject } from '../../platform/is-object.ts'

interface GraphqlOptions {
  readonly gateway: Gateway
  readonly introspection: boolean
  /** GraphiQL, for browsers that open the URL. */
  readonly page?: PageHandler | undefined
  /** Handler of requests for an event stream (GraphQL over SSE). */
  readonly streams?: Pick<GraphqlSse, 'streamTypeOf' | 'answer'> | undefined
  readonly log: Logger
}

/** Context of an operation, with the response to which its result is written. */
interface HttpContext extends Context {
  readonly reply: FastifyReply
}

/**
 * Mounts GraphQL over HTTP at `/graphql`. A request takes one of two paths, and both execute in the gateway:
 *
 * - Apollo Server parses and validates a document and chooses the media type of the response.
 * - The fast path serves a POST whose document Apollo Server has accepted before, without Apollo's pipeline.
 */
export async function mountGraphql(
  app: FastifyInstance,
  { gateway, introspection, page, streams, log }: GraphqlOptions,
): Promise<void> {
  const documents = createParsedDocuments()
  const apollo = new ApolloServer<HttpContext>({
    gateway: apolloGateway(gateway, documents),
    // A validation rule, which websockets share, rejects introspection if it is disabled.
    introspection: true,
    validationRules: validationRules({ introspection }),
    parseOptions: { maxTokens: MAX_DOCUMENT_TOKENS },
    // The gateway finds documents by their hashes, for all transports.
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: !introspection,
    // Otherwise Apollo Server would stop at SIGTERM, before load balancers have reacted.
    stopOnTerminationSignals: false,
    logger: {
      debug: () => {},
      info: () => {},
      warn: (message) => log.warn(message),
      error: (message) => log.error(message),
    },
    plugins: [
      // The plugin would wrap every resolver, which halves the speed, for a cache that the API does not
      // offer.
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
    ],
  })
  await apollo.start()
  const apolloHandler = fastifyApolloHandler(apollo, {
    context: async (request, reply) =>
      Object.assign(await contextOf({ gateway, documents }, request, reply), { reply }),
  })
  const mediaTypes: MediaTypes = new LRUCache({ max: MAX_MEDIA_TYPES })
  const fastPath = createFastPath(gateway, documents, mediaTypes)
  app.route({
    url: '/graphql',
    method: ['GET', 'POST'],
    bodyLimit: MAX_BYTES_WITH_TEXT,
    onRequest: authenticateLargeBodies(gateway.authenticate),
    preHandler: [
      requireBody,
      enforceBodyLimit,
      enforceUrlDepth,
      dropAcceptParams,
      dropAbsentParams,
      insertRequestedDocument(gateway),
    ],
    errorHandler: sendGraphqlError,
    async handler(request, reply) {
      if (page && wantsPage(request)) return page(reply)
      const streamType = streams?.streamTypeOf(request)
      if (streams && streamType) return streams.answer(request, reply, streamType)
      const fastBody = await fastPath(request, reply)
      if (fastBody !== null) return withLimits(request, reply, fastBody)
      // Apollo Server refuses such a request too, but only after it has run the operation.
      if (!acceptsJson(request)) return sendNotAcceptable(reply)
      const body: unknown = await apolloHandler.call(app, asGet(request), reply)
      const mediaType = reply.getHeader('content-type')?.toString()
      if (reply.statusCode === 200 && mediaType) mediaTypes.set(request.headers.accept ?? '', mediaType)
      noteApolloError(request, body)
      return withLimits(request, reply, body)
    },
  })
  mountAllowedMethods(app)
  mountSchemaFile(app, { gateway, introspection })
}

/** Response header with the estimated cost of the operation. */
const QUERY_COST = 'x-query-cost'

/** Adds the cost of the operation to a response. Sets the status if the load or the time limit ended it. */
function withLimits<Body>({ tracking }: FastifyRequest, reply: FastifyReply, body: Body): Body {
  const { cost, refusal } = tracking?.logContext ?? {}
  if (cost !== undefined) void reply.header(QUERY_COST, cost)
  if (refusal)
    void reply.code(errorCodes[refusal.code].status).headers(Object.fromEntries(retryAfterOf(refusal)))
  return body
}

/** Whether to respond with GraphiQL. Only browsers prefer HTML; API clients do not. */
const wantsPage = (request: FastifyRequest): boolean =>
  isSafe(request) &&
  request.headers.accept !== undefined &&
  preferredType(request, [...JSON_TYPES, 'text/html']) === 'text/html'

/**
 * Whether the response to an operation may be compressed. Results of mutations are short and often secret. The request
 * must have an Authorization header, or the cookie of an own page. A foreign page cannot make a browser send one, as a
 * BREACH attack requires.
 */
const isCompressible = (
  gateway: Gateway,
  { headers }: FastifyRequest,
  request: OperationWithVariables,
): boolean =>
  request.operation.type === 'query' && headers.authorization !== undefined && !gateway.selectsSecret(request)

/** Media types that Apollo Server chose for successful responses, by Accept header. The fast path reuses them. */
type MediaTypes = LRUCache<string, string>

const MAX_MEDIA_TYPES = 100

/** Documents that Apollo Server parsed and validated, by their text. */
type ParsedDocuments = LRUCache<string, DocumentNode>

/**
 * Cache size in characters of document text. A parsed and compiled document takes about 90 bytes per
 * character.
 */
const MAX_CACHED_CHARACTERS = 500_000

const createParsedDocuments = (): ParsedDocuments =>
  new LRUCache({ maxSize: MAX_CACHED_CHARACTERS, sizeCalculation: (_document, text) => text.length })

/**
 * Creates the handler of the fast path. It serves a plain POST whose document is in the cache, because
 * Apollo's pipeline costs more than a small response. It returns null for every other request, which then
 * goes to Apollo Server.
 */
function createFastPath(gateway: Gateway, documents: ParsedDocuments, mediaTypes: MediaTypes) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<string | null> => {
    const plain = plainRequest(request)
    const document = plain && documents.get(plain.query)
    const mediaType = mediaTypes.get(request.headers.accept ?? '')
    if (!document || !mediaType) return null
    const operation = chooseOperation(document, plain.operationName)
    if (operation instanceof GraphQLError) return null
    const requester = await requesterOf(gateway, request, reply).catch(authErrorToResult)
    if (isPublic(requester)) return authErrorResponse(requester, request, reply, mediaType)
    const { variables } = plain
    reply.isCompressible = isCompressible(gateway, request, { operation, variables })
    const { errors, data } = await gateway.execute({
      operation,
      variables,
      context: gateway.contextFor(requester),
    })
    if (data === undefined) void reply.code(400)
    void reply.header('content-type', mediaType)
    return `${JSON.stringify(errors ? { errors, data } : { data })}\n`
  }
}

/** Returns a public error of the authentication. Apollo Server would authenticate a second time. */
function authErrorToResult(error: unknown): PublicError {
  if (isPublic(error)) return error
  throw error
}

function authErrorResponse(
  error: PublicError,
  { tracking }: FastifyRequest,
  reply: FastifyReply,
  mediaType: string,
): string {
  addRequestDetails(tracking?.logContext, { errorCode: error.code })
  void reply.code(errorCodes[error.code].status).header('content-type', mediaType)
  void reply.headers(Object.fromEntries(retryAfterOf(error)))
  return `${JSON.stringify(errorResponse(error))}\n`
}

interface PlainRequest {
  readonly query: string
  readonly operationName?: string | null
  readonly variables?: Readonly<Record<string, unknown>> | null
}

const PLAIN_MEMBERS = new Set(['query', 'operationName', 'variables'])

/** Returns the parameters of a POST that has no other members, such as `extensions`; null for any other request. */
function plainRequest({ method, body }: FastifyRequest): PlainRequest | null {
  if (method !== 'POST' || !isObject(body)) return null
  for (const member in body) if (!PLAIN_MEMBERS.has(member)) return null
  const { query, operationName, variables } = body
  const isPlain =
    typeof query === 'string' &&
    (operationName == null || typeof operationName === 'string') &&
    (variables == null || isObject(variables))
  return isPlain ? (body as unknown as PlainRequest) : null
}

/** Returns the context of an operation that Apollo Server runs. A new document waits for the turn of its application. */
async function contextOf(
  { gateway, documents }: { gateway: Gateway; documents: ParsedDocuments },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Context> {
  try {
    const requester = await requesterOf(gateway, request, reply)
    const { query } = paramsOf(request)
    const context = gateway.contextFor(requester)
    if (typeof query === 'string' && !documents.has(query))
      await context.share.document(query.length, context.lifetime)
    return context
  } catch (error) {
    throw isPublic(error) ? toApolloError(error) : error
  }
}

/** Authenticates a request. Throws if its caller may not run its document. */
async function requesterOf(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Requester> {
  const credentials = credentialsOf(request)
  const logContext = request.tracking?.logContext
  const caller = await gateway.authenticate(credentials, request.remoteAddress)
  addCaller(logContext, caller)
  const idempotencyKey = idempotencyKeyOf(request)
  const requester = { caller, credentials, logContext, idempotencyKey, lifetime: lifetimeOf(reply) }
  const { query } = paramsOf(request)
  if (typeof query === 'string') await gateway.documents.textOf(requester, { query })
  return requester
}

/** Adds the error code of a response by which Apollo Server refused a request, so that the gateway did not run it. */
function noteApolloError({ tracking }: FastifyRequest, body: unknown): void {
  if (!tracking || tracking.logContext.operation !== undefined) return
  const code = FIRST_CODE.exec(String(body))?.[1]
  if (code !== undefined) addRequestDetails(tracking.logContext, { errorCode: nameOfCode(code) })
}

/** Code of the first error in a response. In texts the quotes are escaped, so they do not match. */
const FIRST_CODE = /"code":"(\w+)"/

/** Adds the HTTP status and headers to an error, in the extension `http` from which Apollo Server reads them. */
function toApolloError(error: PublicError): GraphQLError {
  // The cast is needed because the type of `http` conflicts with other declarations.
  const http: unknown = { status: errorCodes[error.code].status, headers: new HeaderMap(retryAfterOf(error)) }
  return new GraphQLError(error.message, { extensions: { ...error.extensions, http: http as never } })
}

/** Error for a subscription whose client accepts no stream. */
const subscriptionWithoutStream = () =>
  toApolloError(
    new PublicError(
      'bad_request',
      'A subscription needs a stream: send `Accept: text/event-stream`, or open a websocket at this path.',
    ),
  )

/**
 * Adapts the gateway to Apollo Server, which parses and validates. Adds each accepted document to the cache.
 */
function apolloGateway(gateway: Gateway, documents: ParsedDocuments): GatewayInterface {
  const { supergraph, execute } = gateway
  const listeners: Parameters<GatewayInterface['onSchemaLoadOrUpdate']>[0][] = []
  return {
    onSchemaLoadOrUpdate(listener) {
      listeners.push(listener)
      return () => {}
    },
    async load() {
      for (const listener of listeners)
        listener({ apiSchema: supergraph.apiSchema, coreSupergraphSdl: supergraph.sdl })
      return {
        executor: ({ document, source, request: { operationName, variables }, context }) => {
          const operation = chooseOperation(document, operationName)
          if (operation instanceof GraphQLError) return Promise.resolve({ errors: [operation] })
          if (operation.type === 'subscription')
            return Promise.resolve({ errors: [subscriptionWithoutStream()] })
          documents.set(source, document)
          const { reply } = context as unknown as HttpContext
          reply.isCompressible = isCompressible(gateway, reply.request, { operation, variables })
          return execute({ operation, variables, context })
        },
      }
    },
    stop: () => Promise.resolve(),
  }
}
