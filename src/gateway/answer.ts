import { type ExecutionResult, GraphQLError, type GraphQLErrorExtensions } from 'graphql'
import { errorCodes, INTERNAL_MESSAGE, isPublic } from '../errors.ts'
import type { Logger } from '../log.ts'
import { namesOf, type Scope } from '../scope.ts'

/**
 * GraphQL's door: what a caller sees of an error. Ours are told as they are, graphql's own too; anything else is
 * logged and leaves as a fixed sentence.
 */
export function publicAnswer<Result extends ExecutionResult>(
  result: Result,
  log: Logger,
  scope?: Scope,
): Result {
  if (!result.errors) return result
  return { ...result, errors: result.errors.map((error) => publicError(error, log, scope)) }
}

/** Every code that our own subgraphs give to an error that a caller may see. */
const told = new Set<unknown>(Object.values(errorCodes).map(({ graphql }) => graphql))
const isOurs = (code: unknown): boolean => told.has(code)

/** Where an error names the operator's own subgraph that has told it. */
const SUBGRAPH = 'subgraph'

/** Notes the subgraph that speaks for itself: an error that it gave a code of its own is told as it is. */
export function noteSubgraph({ extensions }: GraphQLError, name: string): void {
  const { code } = extensions
  if (typeof code === 'string' && !isOurs(code)) extensions[SUBGRAPH] = name
}
const INTERNAL = errorCodes.internal_server_error.graphql
const BAD_USER_INPUT = errorCodes.bad_request.graphql

export function publicError(error: GraphQLError, log: Logger, scope?: Scope): GraphQLError {
  const cause = error.originalError
  const code = error.extensions?.['code']
  if (isPublic(cause)) return inPlaceOf(error, cause.message, cause.extensions)
  // A subgraph in another process has passed this door already.
  if (code !== INTERNAL && (isOurs(code) || error.extensions?.[SUBGRAPH] !== undefined)) return error
  if (code === undefined && isRefusal(error)) return inPlaceOf(error, error.message, { code: BAD_USER_INPUT })
  log.error({ ...namesOf(scope), err: cause ?? error, path: error.path }, 'an operation failed')
  const requestId = scope?.requestId
  return inPlaceOf(error, INTERNAL_MESSAGE, {
    code: INTERNAL,
    ...(requestId === undefined ? {} : { requestId }),
  })
}

function inPlaceOf(error: GraphQLError, message: string, extensions: GraphQLErrorExtensions): GraphQLError {
  const { nodes, source, positions, path, locations, originalError } = error
  const said = new GraphQLError(message, { nodes, source, positions, path, extensions, originalError })
  // A compiled operation knows no nodes, only where they stand.
  return locations ? Object.assign(said, { locations }) : said
}

const REFUSAL =
  /^(Variable "\$|Argument "|Must provide an operation|Must provide operation name|Unknown operation named)/

/** What graphql refuses before a resolver runs. It tells of what the caller sent and of nothing else. */
const isRefusal = (error: GraphQLError): boolean => REFUSAL.test(error.message) && isGraphqls(error)

/** Nothing but graphql itself had a part in the error. */
const isGraphqls = ({ originalError }: GraphQLError): boolean =>
  originalError === undefined || (originalError instanceof GraphQLError && isGraphqls(originalError))
