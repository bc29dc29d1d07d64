import type { GraphQLError } from 'graphql'
import { codeFromGraphql, type Problem, PublicError } from '../../src/domain/errors.ts'
import { restPathOf } from '../request/variable-names.ts'
import type { Route } from '../route.ts'

/** Converts a GraphQL error to the error of a REST response. An internal error stays as it is, to be logged. */
export function toRestError(
  error: GraphQLError,
  route: Pick<Route, 'requestBody' | 'params' | 'query'>,
): Error {
  const { code: graphCode, detail, retryAfter } = error.extensions
  const code = codeFromGraphql(graphCode)
  if (code === 'internal_server_error') return error
  const restDetail = Array.isArray(detail)
    ? (detail as readonly Problem[]).map((problem) => ({
        ...problem,
        path: restPathOf(problem.path, route),
      }))
    : (detail as string | undefined)
  return new PublicError(code, error.message, {
    cause: error,
    ...(restDetail === undefined ? {} : { detail: restDetail }),
    ...(typeof retryAfter === 'number' ? { retryAfterSeconds: retryAfter } : {}),
  })
}
