import type { QueryParams } from '../provider-api.ts'
import type { LimitedRequest } from '../rate-limit/rate-limit.ts'
import type { ValidSignature } from './request-signing.ts'

/** Request without authentication. Its method is POST if it has a body, otherwise GET. */
export interface RequestSpec {
  readonly path: string
  readonly query: QueryParams
  readonly body?: unknown
}

export function urlOf(baseUrl: string, { path, query }: RequestSpec, { queryOf }: ValidSignature): URL {
  const url = new URL(baseUrl + path)
  for (const [name, value] of Object.entries({ ...query, ...queryOf?.(path) }))
    for (const item of [value ?? []].flat()) url.searchParams.append(name, String(item))
  return url
}

export function fetchOptionsOf({ body }: RequestSpec, { headers, bodyOf = unsigned }: ValidSignature) {
  if (body === undefined) return { headers }
  return {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf(body)),
  }
}

export const limitedRequestOf = ({ path, body }: RequestSpec): LimitedRequest =>
  body === undefined ? { method: 'GET', path } : { method: 'POST', path, body: JSON.stringify(body) }

const unsigned = (body: unknown): unknown => body

/** Adds the authentication to a JSON body. A body that is not JSON stays as it is, so that the provider refuses it. */
export function signedText(text: string | null, { bodyOf }: ValidSignature): string | null {
  if (text === null || !bodyOf) return text
  try {
    return JSON.stringify(bodyOf(JSON.parse(text)))
  } catch {
    return text
  }
}
