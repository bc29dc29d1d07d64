import type { PassthroughRequest } from '../provider-api.ts'
import { isObject } from '../../platform/is-object.ts'
import { queryNames, pathSegments } from './url-parsing.ts'

/**
 * Content that passthrough must neither return nor set, because it outlives the connection: secrets of the
 * account and credentials of its users.
 */
export interface DeniedContent {
  /**
   * Endpoints that return secrets: path segments that deny a request, and the refusal text for the caller.
   */
  readonly secrets: { readonly under: readonly string[]; readonly refusal: string }
  /** Endpoints of users: their path segment, and the fields that hold their credentials. */
  readonly people: {
    readonly under: string
    readonly credentials: readonly string[]
    readonly refusal: string
  }
}

/** Creates a function that returns why a request is denied; null if it is allowed. */
export const createDenylist =
  ({ secrets, people }: DeniedContent) =>
  (request: PassthroughRequest): string | null => {
    const segments = pathSegments(request.path)
    if (!segments || segments.some((segment) => secrets.under.includes(segment))) return secrets.refusal
    return segments.includes(people.under) && setsAnyOf(people.credentials, request) ? people.refusal : null
  }

/**
 * Whether the request sets any of the credentials. A request that cannot be parsed counts as one that does.
 */
function setsAnyOf(credentials: readonly string[], { path, headers, body }: PassthroughRequest): boolean {
  const queried = queryNames(path)
  const written = body === null ? [] : isJson(headers) ? namesInBody(body) : null
  if (!queried || !written) return true
  return [...queried, ...written].some((name) => credentials.includes(name.trim().toLowerCase()))
}

/** Whether the content type is JSON or absent. A server may parse a body of another type differently than we do. */
const isJson = (headers: PassthroughRequest['headers']): boolean =>
  Object.entries(headers).every(
    ([name, value]) => name.toLowerCase() !== 'content-type' || /^application\/json\s*(;|$)/i.test(value),
  )

/** Returns the names of all members of a JSON object, at any depth; null if the body is not an object. */
function namesInBody(body: string): string[] | null {
  const names: string[] = []
  try {
    const object: unknown = JSON.parse(body, (name, value: unknown) => {
      names.push(name)
      return value
    })
    return isObject(object) ? names : null
  } catch {
    return null
  }
}
