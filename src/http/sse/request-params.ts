import type { FastifyRequest } from 'fastify'
import { PublicError } from '../../domain/errors.ts'
import { isSafe } from '../safe-methods.ts'
import { isObject } from '../../platform/is-object.ts'

/** GraphQL parameters of a request, from its body or, for `EventSource`, from its URL. */
interface RequestParams {
  readonly query: string
  readonly operationName: string | null
  readonly variables: Readonly<Record<string, unknown>> | null
  /** ID of an operation on a reserved stream. */
  readonly operationId: string | null
}

export function readParams({ method, body, query: search }: FastifyRequest): RequestParams {
  const params = isSafe({ method }) ? parseUrlParams(search as Readonly<Record<string, string>>) : body
  if (!isObject(params) || typeof params['query'] !== 'string')
    throw badRequest('`query` is missing or not a string.')
  const { query, operationName = null, variables = null, extensions = null } = params
  if (operationName !== null && typeof operationName !== 'string')
    throw badRequest('`operationName` must be a string.')
  if (variables !== null && !isObject(variables)) throw badRequest('`variables` must be an object.')
  const operationId = isObject(extensions) ? extensions['operationId'] : null
  return {
    query,
    operationName,
    variables,
    operationId: typeof operationId === 'string' ? operationId : null,
  }
}

function parseUrlParams({ variables, extensions, ...rest }: Readonly<Record<string, string>>) {
  try {
    return {
      ...rest,
      ...(variables ? { variables: JSON.parse(variables) as unknown } : {}),
      ...(extensions ? { extensions: JSON.parse(extensions) as unknown } : {}),
    }
  } catch {
    throw badRequest('`variables` and `extensions` must be JSON.')
  }
}

const badRequest = (message: string) => new PublicError('bad_request', message)
