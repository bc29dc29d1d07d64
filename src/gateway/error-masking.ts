import { type ExecutionResult, GraphQLError, type GraphQLErrorExtensions } from 'graphql'
import { errorCodes, INTERNAL_MESSAGE, isPublic } from '../domain/errors.ts'
import type { Logger } from '../platform/logging/log.ts'
import { logFieldsOf, type LogContext } from '../platform/logging/log-context.ts'

/**
 * GraphQL's door: what a caller sees of an error. Ours are told as they are, graphql's own too; anything else is
 * logged and leaves as a fixed sentence.
 */
export function maskErrors<Result extends ExecutionResult>(
  result: Result,
  log: Logger,
  logContext?: LogContext,
): Result {
  if (!result.errors) return result
  return { ...result, errors: result.errors.map((error) => maskError(error, log, logContext)) }
}

/** Every code that our own subgraphs give to an error that a caller may see. */
const shownCodes = new Set<unknown>(Object.values(errorCodes).map(({ graphql }) => graphql))
const isPublicCode = (code: unknown): boolean => shownCodes.has(code)

/** Where an error names the operator's own subgraph that has told it. */
const SUBGRAPH = 'subgraph'

/** Notes the subgraph that speaks for itself: an error that it gave a code of its own is told as it is. */
export function tagSubgraph({ extensions }: GraphQLError, name: string): void {
  const { code } = extensions
  if (typeof code === 'string' && !isPublicCode(code)) extensions[SUBGRAPH] = name
}
const INTERNAL = errorCodes.internal_server_error.graphql
const BAD_USER_INPUT = errorCodes.bad_request.graphql

export function maskError(error: GraphQLError, log: Logger, logContext?: LogContext): GraphQLError {
  const cause = error.originalError
  const code = error.extensions?.['code']
  if (isPublic(cause)) return replacementFor(error, cause.message, cause.extensions)
  // A subgraph in another process has passed this door already.
  if (code !== INTERNAL && (isPublicCode(code) || error.extensions?.[SUBGRAPH] !== undefined)) return error
  if (code === undefined && isRefusal(error))
    return replacementFor(error, error.message, { code: BAD_USER_INPUT })
  log.error({ ...logFieldsOf(logContext), err: cause ?? error, path: error.path }, 'an operation failed')
  const requestId = logContext?.requestId
  return replacementFor(error, INTERNAL_MESSAGE, {
    code: INTERNAL,
    ...(requestId === undefined ? {} : { requestId }),
  })
}

function replacementFor(
  error: GraphQLError,
  message: string,
  extensions: GraphQLErrorExtensions,
): GraphQLError {
  const { nodes, source, positions, path, locations, originalError } = error
  const said = new GraphQLError(message, { nodes, source, positions, path, extensions, originalError })
  // A compiled operation knows no nodes, only where they stand.
  return locations ? Object.assign(said, { locations }) : said
}

const REFUSAL = /^(Variable "\$|Argument ")/

/** What graphql refuses before a resolver runs. It tells of what the caller sent and of nothing else. */
const isRefusal = (error: GraphQLError): boolean => REFUSAL.test(error.message) && isGraphqlError(error)

/** Nothing but graphql itself had a part in the error. */
const isGraphqlError = ({ originalError }: GraphQLError): boolean =>
  originalError === undefined || (originalError instanceof GraphQLError && isGraphqlError(originalError))
