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
import { errorCodes, isPublic, isClientError, type PublicError } from '../../domain/errors.ts'
import type { Context } from '../../gateway/context.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { chooseOperation } from '../../gateway/operation.ts'
import type { Logger } from '../../platform/logging/log.ts'
import { validationRules } from './validation-rules.ts'
import { MAX_BYTES_WITH_TEXT, enforceBodyLimit } from './body-limits.ts'
import type { Page } from '../pages/pages.ts'
import type { GraphqlSse } from '../sse/graphql-sse.ts'
import { credentialsOf } from '../request-credentials.ts'

interface GraphqlOptions {
  readonly gateway: Gateway
  readonly introspection: boolean
  /** What browsers get that open the address itself. */
  readonly page?: Page | undefined
  /** Who answers what is asked for as a stream of events. */
  readonly streams?: Pick<GraphqlSse, 'isSseRequest' | 'answer'> | undefined
  readonly log: Logger
}

/** GraphQL over HTTP: Apollo Server's protocol, our execution. */
export async function mountGraphql(
  app: FastifyInstance,
  { gateway, introspection, page, streams, log }: GraphqlOptions,
): Promise<void> {
  const accepted = parsedDocumentCache()
  const apollo = new ApolloServer<Context>({
    gateway: apolloGateway(gateway, accepted),
    // Refused by the rule that websockets have too.
    introspection: true,
    validationRules: validationRules({ introspection }),
    includeStacktraceInErrorResponses: false,
    // It would close the server at SIGTERM by itself, before load balancers have noticed.
    stopOnTerminationSignals: false,
    logger: {
      debug: () => {},
      info: () => {},
      warn: (message) => log.warn(message),
      error: (message) => log.error(message),
    },
    plugins: [
      // It would wrap every resolver of the schema, at a cost of half the speed, for a cache that we do not offer.
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
    ],
  })
  await apollo.start()
  const first = fastifyApolloHandler(apollo, { context: (request) => contextOf(gateway, request) })
  const mediaTypes: MediaTypes = new LRUCache({ max: MAX_MEDIA_TYPES })
  const fastPathResult = fastPath(gateway, accepted, mediaTypes)
  app.route({
    url: '/graphql',
    method: ['GET', 'POST'],
    bodyLimit: MAX_BYTES_WITH_TEXT,
    preHandler: enforceBodyLimit,
    async handler(request, reply) {
      if (page && wantsPage(request)) return page(reply)
      if (streams?.isSseRequest(request)) return streams.answer(request, reply)
      const answer = await fastPathResult(request, reply)
      if (answer !== null) return answer
      const body: unknown = await first.call(app, request, reply)
      const mediaType = reply.getHeader('content-type')?.toString()
      if (reply.statusCode === 200 && mediaType) mediaTypes.set(request.headers.accept ?? '', mediaType)
      return body
    },
  })
}

/** No client of the API accepts HTML. */
const wantsPage = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && headers.accept !== undefined && headers.accept.includes('text/html')

/** The media types that Apollo Server has chosen, by the Accept header. */
type MediaTypes = LRUCache<string, string>

const MAX_MEDIA_TYPES = 100

/** The documents that Apollo Server has parsed and found valid, by their text. */
type ParsedDocuments = LRUCache<string, DocumentNode>

/** A document, parsed and compiled, takes some 90 bytes for each character of its text. */
const MAX_ACCEPTED_CHARACTERS = 500_000

const parsedDocumentCache = (): ParsedDocuments =>
  new LRUCache({ maxSize: MAX_ACCEPTED_CHARACTERS, sizeCalculation: (_document, text) => text.length })

/**
 * The short way of a plain POST whose query has come before: Apollo Server has nothing left to find out about it, and
 * its pipeline costs more than a small answer does. What is out of the ordinary goes the long way.
 */
function fastPath(gateway: Gateway, accepted: ParsedDocuments, mediaTypes: MediaTypes) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<string | null> => {
    const plain = plainRequest(request)
    const document = plain && accepted.get(plain.query)
    const mediaType = mediaTypes.get(request.headers.accept ?? '')
    if (!document || !mediaType) return null
    const operation = chooseOperation(document, plain.operationName)
    if (operation instanceof GraphQLError) return null
    const credentials = credentialsOf(request)
    const caller = await gateway.authenticate(credentials).catch(authErrorToResult)
    if (!caller) return null
    if (isPublic(caller)) return authErrorResponse(caller, reply, mediaType)
    const { errors, data } = await gateway.execute({
      operation,
      variables: plain.variables,
      context: gateway.contextFor(caller, credentials, request.tracking?.logContext),
    })
    if (data === undefined) void reply.code(400)
    void reply.header('content-type', mediaType)
    return `${JSON.stringify(errors ? { errors, data } : { data })}\n`
  }
}

/** Apollo Server words the refusal; who cannot be told apart at the moment is not asked for again. */
function authErrorToResult(error: unknown): PublicError | null {
  if (isClientError(error)) return null
  if (isPublic(error)) return error
  throw error
}

function authErrorResponse(error: PublicError, reply: FastifyReply, mediaType: string): string {
  void reply.code(errorCodes[error.code].status).header('content-type', mediaType)
  void reply.headers(Object.fromEntries(retryAfterOf(error)))
  return `${JSON.stringify({ errors: [new GraphQLError(error.message, { extensions: error.extensions })] })}\n`
}

const retryAfterOf = ({ retryAfterSeconds }: PublicError): [string, string][] =>
  retryAfterSeconds === undefined ? [] : [['retry-after', String(retryAfterSeconds)]]

interface PlainRequest {
  readonly query: string
  readonly operationName?: string | null
  readonly variables?: Readonly<Record<string, unknown>> | null
}

const PLAIN_MEMBERS = new Set(['query', 'operationName', 'variables'])

function plainRequest({ method, body }: FastifyRequest): PlainRequest | null {
  if (method !== 'POST' || !isRecord(body)) return null
  for (const member in body) if (!PLAIN_MEMBERS.has(member)) return null
  const { query, operationName, variables } = body
  const plain =
    typeof query === 'string' &&
    (operationName == null || typeof operationName === 'string') &&
    (variables == null || isRecord(variables))
  return plain ? (body as unknown as PlainRequest) : null
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

async function contextOf(gateway: Gateway, request: FastifyRequest): Promise<Context> {
  const credentials = credentialsOf(request)
  try {
    return gateway.contextFor(
      await gateway.authenticate(credentials),
      credentials,
      request.tracking?.logContext,
    )
  } catch (error) {
    if (!isPublic(error)) throw error
    // Apollo Server's own member, which others declare in other ways.
    const http: unknown = {
      status: errorCodes[error.code].status,
      headers: new HeaderMap(retryAfterOf(error)),
    }
    throw new GraphQLError(error.message, { extensions: { ...error.extensions, http: http as never } })
  }
}

/** Apollo Server parses and validates; the gateway runs what is left. */
function apolloGateway({ supergraph, execute }: Gateway, accepted: ParsedDocuments): GatewayInterface {
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
          if (operation.type !== 'subscription') accepted.set(source, document)
          return execute({ operation, variables, context })
        },
      }
    },
    stop: () => Promise.resolve(),
  }
}
