import { type ExecutionResult, GraphQLError, type GraphQLErrorExtensions } from 'graphql'
import { errorCodes, INTERNAL_MESSAGE, isPublic } from '../domain/errors.ts'
import type { Logger } from '../platform/logging/log.ts'
import { logFieldsOf, type LogContext } from '../platform/logging/log-context.ts'

/**
 * Masks the errors of a result before the caller gets it. Public errors, and errors of graphql about the
 * input, keep their message. Any other error is logged and replaced by a fixed message.
 */
export function maskErrors<Result extends ExecutionResult>(
  result: Result,
  log: Logger,
  logContext?: LogContext,
): Result {
  if (!result.errors) return result
  return { ...result, errors: result.errors.map((error) => maskError(error, log, logContext)) }
}

/** GraphQL codes of the public errors. */
const publicCodes = new Set<unknown>(Object.values(errorCodes).map(({ graphql }) => graphql))
const isPublicCode = (code: unknown): boolean => publicCodes.has(code)

/** Error extension with the name of the custom subgraph that set the code. */
const SUBGRAPH = 'subgraph'

/** Tags an error to which a custom subgraph gave a code of its own. A tagged error is returned as it is. */
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
  // A remote subgraph of this service has masked its errors already.
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
  // A compiled operation has no nodes, only their locations.
  return locations ? Object.assign(masked, { locations }) : masked
}

const INPUT_ERROR = /^(Variable "\$|Argument ")/

/**
 * Whether graphql rejected the input before any resolver ran. The message shows only what the caller sent.
 */
const isInputError = (error: GraphQLError): boolean =>
  INPUT_ERROR.test(error.message) && isGraphqlError(error)

/** Whether the error and all its causes come from graphql. */
const isGraphqlError = ({ originalError }: GraphQLError): boolean =>
  originalError === undefined || (originalError instanceof GraphQLError && isGraphqlError(originalError))
