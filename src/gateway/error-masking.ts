import { type ExecutionResult, GraphQLError, type GraphQLErrorExtensions } from 'graphql'
import { errorCodes, INTERNAL_MESSAGE, isPublic, nameOfCode } from '../domain/errors.ts'
import type { Logger } from '../platform/logging/log.ts'
import { addRequestDetails, logFieldsOf, type LogContext } from '../platform/logging/log-context.ts'

/**
 * Masks the errors of a result before the caller gets it. Public errors keep their message, and so do input
 * errors of graphql-js. Any other error is logged, and a fixed message replaces its own.
 */
export function maskErrors<Result extends ExecutionResult>(
  result: Result,
  log: Logger,
  logContext?: LogContext,
): Result {
  if (!result.errors) return result
  return { ...result, errors: result.errors.map((error) => maskError(error, log, logContext)) }
}

/** Adds the code of the first error of a result to the log context of its request. */
export function addErrorCode(
  logContext: LogContext | undefined,
  { errors }: { readonly errors?: readonly GraphQLError[] | undefined },
): void {
  const [first] = errors ?? []
  if (first) addRequestDetails(logContext, { errorCode: nameOfCode(first.extensions['code']) })
}

/** GraphQL codes of the public errors. */
const publicCodes = new Set<unknown>(Object.values(errorCodes).map(({ graphql }) => graphql))
const INTERNAL = errorCodes.internal_server_error.graphql
const BAD_USER_INPUT = errorCodes.bad_request.graphql

const isPublicCode = (code: unknown): boolean => publicCodes.has(code)

/** Extension with the name of the custom subgraph that sent the error. */
const SUBGRAPH = 'subgraph'

/**
 * Adds the name of a custom subgraph to its error if the error has a code that this service does not use. Masking
 * leaves such an error unchanged.
 */
export function addSubgraphName({ extensions }: GraphQLError, name: string): void {
  const { code } = extensions
  if (typeof code === 'string' && !isPublicCode(code)) extensions[SUBGRAPH] = name
}

export function maskError(error: GraphQLError, log: Logger, logContext?: LogContext): GraphQLError {
  const cause = error.originalError
  const code = error.extensions?.['code']
  if (isPublic(cause)) return replacementFor(error, cause.message, cause.extensions)
  // A remote subgraph of this service has masked such an error, or the gateway reports that a subgraph failed.
  if (code !== INTERNAL && (isPublicCode(code) || error.extensions?.[SUBGRAPH] !== undefined)) return error
  if (code === undefined && isInputError(error))
    return replacementFor(error, error.message, { code: BAD_USER_INPUT })
  log.error({ ...logFieldsOf(logContext), err: cause ?? error, path: error.path }, 'operation failed')
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
  const masked = new GraphQLError(message, { nodes, source, positions, path, extensions, originalError })
  // An error of graphql-jit has no nodes, from which GraphQLError would derive the locations.
  return locations ? Object.assign(masked, { locations }) : masked
}

const INPUT_ERROR = /^(Variable "\$|Argument ")/

/**
 * Whether graphql-js rejected a variable or an argument before a resolver ran. The message then contains only
 * what the caller sent, so the caller may see it.
 */
const isInputError = (error: GraphQLError): boolean =>
  INPUT_ERROR.test(error.message) && isGraphqlError(error)

/** Whether the error and all its causes come from graphql-js. */
const isGraphqlError = ({ originalError }: GraphQLError): boolean =>
  originalError === undefined || (originalError instanceof GraphQLError && isGraphqlError(originalError))
