import type { GraphQLError } from 'graphql'
import { codeFromGraphql, type Problem, PublicError } from '../src/errors.ts'
import { parameterOf } from './graph-names.ts'
import { inQuery } from './read-query.ts'

/** What a REST caller is told of an operation that failed; an error without a code of ours stays as it is. */
export function errorOf(error: GraphQLError): Error {
  const { code: graphCode, detail } = error.extensions
  const code = codeFromGraphql(graphCode)
  if (code === 'internal_server_error') return error
  const told = Array.isArray(detail)
    ? (detail as readonly Problem[]).map(inRest)
    : (detail as string | undefined)
  return new PublicError(code, error.message, {
    cause: error,
    ...(told === undefined ? {} : { detail: told }),
  })
}

const inRest = (problem: Problem): Problem =>
  problem.path.startsWith('{') ? problem : { ...problem, path: inQuery(parameterOf(problem.path)) }
