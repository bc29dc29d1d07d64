import type { FastifyInstance } from 'fastify'
import { type DocumentNode, execute, GraphQLError, parse, validate } from 'graphql'
import { LRUCache } from 'lru-cache'
import { errorCodes, isPublic } from '../errors.ts'
import { publicAnswer } from '../gateway/answer.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Logger } from '../log.ts'
import type { Subgraph } from '../subgraphs/define.ts'
import { credentialsOf } from './graphql.ts'

interface GraphqlBody {
  readonly query?: unknown
  readonly operationName?: string | null
  readonly variables?: Readonly<Record<string, unknown>> | null
}

/** One subgraph as a service of its own. It asks for the caller's own key, as the gateway passes it on. */
export function mountSubgraph(
  app: FastifyInstance,
  { schema }: Pick<Subgraph, 'schema'>,
  { authenticate, contextFor }: Pick<Gateway, 'authenticate' | 'contextFor'>,
  log: Logger,
): void {
  const known = new LRUCache<string, DocumentNode>({ max: 1000 })
  const documentOf = (query: string): DocumentNode => {
    const document = known.get(query) ?? parse(query)
    if (known.has(query)) return document
    const [error] = validate(schema, document)
    if (error) throw error
    known.set(query, document)
    return document
  }
  app.post<{ Body: GraphqlBody }>('/graphql', async (request, reply) => {
    const { query, operationName, variables } = request.body
    try {
      const credentials = credentialsOf(request)
      const contextValue = contextFor(await authenticate(credentials), credentials)
      const result = await execute({
        schema,
        document: documentOf(String(query)),
        variableValues: variables ?? null,
        operationName: operationName ?? null,
        contextValue,
      })
      return publicAnswer(result, log)
    } catch (error) {
      if (error instanceof GraphQLError) return reply.code(400).send({ errors: [error] })
      if (!isPublic(error)) throw error
      const told = new GraphQLError(error.message, { extensions: error.extensions })
      return reply.code(errorCodes[error.code].status).send({ errors: [told] })
    }
  })
}
