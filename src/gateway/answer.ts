import { type ExecutionResult, GraphQLError } from 'graphql'
import { errorCodes, INTERNAL_MESSAGE, isPublic } from '../errors.ts'
import type { Logger } from '../log.ts'

/**
 * GraphQL's door: what a caller sees of an error. Ours are told as they are, graphql's own too; anything else is
 * logged and leaves as a fixed sentence.
 */
export function publicAnswer<Result extends ExecutionResult>(result: Result, log: Logger): Result {
  return result.errors ? { ...result, errors: result.errors.map((error) => publicError(error, log)) } : result
}

/** Every code that our own subgraphs give to an error that a caller may see. */
const told = new Set<unknown>(Object.values(errorCodes).map(({ graphql }) => graphql))
const INTERNAL = errorCodes.internal_server_error.graphql

export function publicError(error: GraphQLError, log: Logger): GraphQLError {
  const place = { nodes: error.nodes, source: error.source, positions: error.positions, path: error.path }
  const cause = error.originalError
  const code = error.extensions?.['code']
  if (isPublic(cause)) return new GraphQLError(cause.message, { ...place, originalError: cause, extensions: cause.extensions })
  // A subgraph in another process has passed this door already.
  if (code !== INTERNAL && told.has(code)) return error
  if (!cause && code === undefined && isGraphqls(error))
    return new GraphQLError(error.message, { ...place, extensions: { code: INTERNAL } })
  log.error({ err: cause ?? error, path: error.path }, 'an operation failed')
  return new GraphQLError(INTERNAL_MESSAGE, { ...place, extensions: { code: INTERNAL } })
}

/** The messages that executing itself gives: they name types of the schema and no data. */
const isGraphqls = ({ message }: GraphQLError): boolean => /^(Cannot return null for|Enum ".*" cannot represent)/.test(message)
