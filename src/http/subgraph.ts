import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  createSourceEventStream,
  type DocumentNode,
  execute,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  OperationTypeNode,
  parse,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { nobody, NOBODY_HEADER } from '../auth/caller.ts'
import type { LiveAccess } from '../auth/live-access.ts'
import { errorCodes, INTERNAL_MESSAGE, isPublic, PublicError } from '../errors.ts'
import { publicAnswer } from '../gateway/answer.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { refusalsOver } from '../gateway/refusals.ts'
import type { Logger } from '../log.ts'
import { note } from '../scope.ts'
import type { Subgraph } from '../subgraphs/define.ts'
import type { Resumable } from '../subgraphs/tail.ts'
import { EventStreams, type Streamed } from './event-streams.ts'
import { credentialsOf } from './graphql.ts'
import { whileAllowed } from './while-allowed.ts'
import { resumedAfter } from './resume.ts'

interface GraphqlBody {
  readonly query?: unknown
  readonly operationName?: string | null
  readonly variables?: Readonly<Record<string, unknown>> | null
}

interface SubgraphOptions extends Pick<Gateway, 'authenticate' | 'contextFor'> {
  readonly access?: Pick<LiveAccess, 'open'>
  readonly log: Logger
}

/** A gateway asks for as many entities at once as a page of pages has: far more than any caller sends. */
const BODY_LIMIT_BYTES = 16 * 1024 * 1024

/** A document, parsed, takes some 90 bytes for each character of its text. */
const MOST_KNOWN_CHARACTERS = 500_000

/**
 * One subgraph as a service of its own: queries and mutations over HTTP, subscriptions as GraphQL over SSE (distinct
 * connections). It asks for the caller's own key, as the gateway passes it on.
 */
export function mountSubgraph(
  app: FastifyInstance,
  { schema }: Pick<Subgraph, 'schema'>,
  { authenticate, contextFor, access, log }: SubgraphOptions,
): EventStreams {
  const streams = new EventStreams(log)
  const documentOf = documents(schema)
  const refusals = refusalsOver(schema)
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { query, operationName = null, variables = null } = bodyOf(request)
    const credentials = credentialsOf(request)
    const document = documentOf(String(query))
    const operation = getOperationAST(document, operationName)?.operation
    const nobodyReads = NOBODY_HEADER in request.headers && operation === OperationTypeNode.QUERY
    const caller = nobodyReads ? nobody : await authenticate(credentials)
    const scope = request.taken?.scope
    note(scope, { operation: operationName ?? 'anonymous' })
    const freshContext = () => contextFor(caller, credentials, scope)
    refusals.refuse(caller, { document, operationName, variables })
    if (request.method === 'GET' && operation === OperationTypeNode.MUTATION) throw noMutation()
    const asked = { schema, document, operationName, variableValues: variables }
    const run = (rootValue?: unknown) => execute({ ...asked, rootValue, contextValue: freshContext() })
    if (operation !== OperationTypeNode.SUBSCRIPTION) return publicAnswer(await run(), log, scope)
    const lastEventId = request.headers['last-event-id']?.toString()
    const source = await createSourceEventStream({
      ...asked,
      document: lastEventId === undefined ? document : resumedAfter(document, lastEventId),
      contextValue: freshContext(),
    })
    if (!(Symbol.asyncIterator in source)) return publicAnswer(source, log, scope)
    const followed = source[Symbol.asyncIterator]()
    const places = await placesOf(followed)
    const events = await whileAllowed(followed, (ended) => access?.open(credentials, caller, ended))
    const answered = async (event: unknown) => JSON.stringify(publicAnswer(await run(event), log, scope))
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

async function placesOf(events: AsyncIterator<unknown> & Partial<Resumable>): Promise<Streamed['places']> {
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
    maxSize: MOST_KNOWN_CHARACTERS,
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
