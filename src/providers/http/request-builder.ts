import type { Query } from '../provider-api.ts'
import type { LimitedRequest } from '../rate-limit/rate-limit.ts'
import type { RequestSigner } from './request-signing.ts'

/** Request without authentication. With a body its method is POST. */
export interface RequestSpec {
  readonly path: string
  readonly query: Query
  readonly body?: unknown
}

export function urlOf(baseUrl: string, { path, query }: RequestSpec, { queryOf }: RequestSigner): URL {
  const url = new URL(baseUrl + path)
  for (const [name, value] of Object.entries({ ...query, ...queryOf?.(path) }))
    for (const one of [value ?? []].flat()) url.searchParams.append(name, String(one))
  return url
}

export function fetchOptionsOf({ body }: RequestSpec, { headers, bodyOf = unsigned }: RequestSigner) {
  if (body === undefined) return { headers }
  return {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf(body)),
  }
}

export const requestPath = ({ path, body }: RequestSpec): LimitedRequest =>
  body === undefined ? { method: 'GET', path } : { method: 'POST', path, body: JSON.stringify(body) }

const unsigned = (body: unknown): unknown => body

/**
 * Adds the authentication to a JSON body. A body that is not JSON is sent unchanged: the provider reports the
 * error.
 */
export function signedText(text: string | null, { bodyOf }: RequestSigner): string | null {
  if (text === null || !bodyOf) return text
  try {
    return JSON.stringify(bodyOf(JSON.parse(text)))
  } catch {
    return text
  }
}
