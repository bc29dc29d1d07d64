import type { FastifyRequest } from 'fastify'
import { PublicError } from '../../domain/errors.ts'

/** What a request over HTTP asks, in its body or, as `EventSource` does, in its address. */
interface RequestParams {
  readonly query: string
  readonly operationName: string | null
  readonly variables: Readonly<Record<string, unknown>> | null
  /** By which an operation on a shared stream is known. */
  readonly operationId: string | null
}

export function readParams({ method, body, query: search }: FastifyRequest): RequestParams {
  const given = method === 'GET' ? paramsInUrl(search as Readonly<Record<string, string>>) : body
  if (!isRecord(given) || typeof given['query'] !== 'string') throw refused('Send a `query`.')
  const { query, operationName = null, variables = null, extensions = null } = given
  if (operationName !== null && typeof operationName !== 'string')
    throw refused('`operationName` must be a string.')
  if (variables !== null && !isRecord(variables)) throw refused('`variables` must be an object.')
  const operationId = isRecord(extensions) ? extensions['operationId'] : null
  return {
    query,
    operationName,
    variables,
    operationId: typeof operationId === 'string' ? operationId : null,
  }
}

function paramsInUrl({ variables, extensions, ...rest }: Readonly<Record<string, string>>) {
  try {
    return {
      ...rest,
      ...(variables ? { variables: JSON.parse(variables) as unknown } : {}),
      ...(extensions ? { extensions: JSON.parse(extensions) as unknown } : {}),
    }
  } catch {
    throw refused('`variables` and `extensions` must be JSON.')
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const refused = (message: string) => new PublicError('bad_request', message)
